import { LOOK_UP_FIRST, CREDENTIAL_SECRET, type CatalogueEntry } from '../../model/failure';

/**
 * `rcode` of the gateway itself (service.md#codes). 1xx: the gateway rejected the request. 4xx: the transaction's state
 * forbids the operation. 9xx: the gateway failed.
 */
export const gatewayRefusals: readonly CatalogueEntry[] = [
  {
    codes: ['100'],
    what: 'The gateway does not accept some of the values.',
    advice: 'Correct the fields named in the message.',
    named: true,
  },
  {
    codes: ['101'],
    what: `The Merchant ID does not match the ${CREDENTIAL_SECRET}.`,
    advice: `Check the Environment, Base URL, Merchant ID and ${CREDENTIAL_SECRET} in the credential. Test and Production need separate credentials.`,
  },
  {
    codes: ['102'],
    what: 'The gateway has no transaction with this ID.',
    advice:
      'Choose the transaction from the list, or enter the pg_id of the original transaction. Test and Production have separate transactions.',
  },
  {
    codes: ['103'],
    what: 'The request contains no usable card or bank account.',
    advice:
      'Enter a card number and expiration date, a saved card ID, a customer ID, or a bank routing and account number.',
  },
  {
    codes: ['104'],
    what: 'The amount is missing or invalid.',
    advice: 'Enter an amount greater than zero. A card verification needs no amount.',
  },
  {
    codes: ['105'],
    what: 'The forced transaction has no authorization code from the issuer.',
    advice: 'Enter the "Authorization Code" that the issuer gave for this payment.',
  },
  {
    codes: ['106'],
    what: "The billing address has a street but no postal code, so the gateway can't verify the address.",
    advice: 'Enter the billing ZIP or postal code, or remove the street.',
  },
  {
    codes: ['107'],
    what: 'The expiration date has an invalid format.',
    advice: 'Enter the month and year as MMYY.',
  },
  {
    codes: ['108'],
    what: 'The card number is invalid because a digit is wrong, missing or extra.',
    advice: 'Ask the cardholder to check the number.',
  },
  {
    codes: ['109'],
    what: 'The value of a field is too long.',
    advice:
      'Shorten the named field. The gateway names only the first field that is too long, so check the other fields too.',
    named: true,
  },
  {
    codes: ['110'],
    what: "Your account can't change the name shown on card statements.",
    advice: 'Leave "Statement Name" empty, or ask support to enable dynamic descriptors.',
  },
  {
    codes: ['111'],
    what: "Your account can't credit a card without an earlier payment.",
    advice: 'Refund the original transaction instead, or ask support to enable unlinked credits.',
  },
  {
    codes: ['112'],
    what: "The customer can't be saved because the customer ID is in use or required fields are missing.",
    advice: 'Choose another customer ID or use the existing customer. Enter a first and last name, or a company name.',
  },
  {
    codes: ['113'],
    what: 'Your risk settings rejected the payment because of the address or security code.',
    advice:
      'Check the billing address and security code with the cardholder. If both are correct, review your risk settings.',
  },
  {
    codes: ['114'],
    what: 'The currency code is invalid.',
    advice: 'Enter the three-digit numeric currency code, such as 840.',
  },
  {
    codes: ['115'],
    what: 'The surcharge is more than 4 percent or not allowed.',
    advice: 'Reduce or remove the surcharge.',
  },
  {
    codes: ['116', '117'],
    what: 'An email address is missing or invalid.',
    advice: 'Enter a complete address, such as name@example.com.',
  },
  {
    codes: ['118'],
    what: 'The logo URL is invalid.',
    advice: 'Enter the full URL of the image, or remove the logo.',
  },
  {
    codes: ['119'],
    what: 'The bank account details are invalid for an ACH payment.',
    advice: 'Check the routing number, account number, account type and account holder name.',
  },
  {
    codes: ['401'],
    what: "The transaction can't be voided because it is already settled or voided.",
    advice: 'Check the status of the transaction. If the transaction is settled, refund it.',
  },
  {
    codes: ['402'],
    what: "The refund isn't possible because the transaction is not a captured sale or the refundable amount is too low.",
    advice:
      'Check the status and earlier refunds of the transaction. After the batch closes, wait until the status is "Deposit Sent".',
  },
  {
    codes: ['403'],
    what: "The payment can't be captured because it is already captured or voided, or the amount exceeds the authorized amount.",
    advice: 'Check the status of the payment. You can capture a payment once, up to the authorized amount.',
  },
  {
    codes: ['404'],
    what: 'The batch was not closed, perhaps because it has no open transactions or is already closed.',
    advice:
      'Look for captured transactions in Report > Get Many Transactions. The service closes the batch daily, by default at 9 PM Pacific time.',
  },
  {
    codes: ['405'],
    what: 'The card or bank account was not saved.',
    advice: 'Check the card or account details with the customer. If they are correct, contact support.',
  },
  { codes: ['998'], what: 'The gateway received no response in time.', advice: LOOK_UP_FIRST },
  { codes: ['999'], what: 'An error occurred in the gateway while processing the request.', advice: LOOK_UP_FIRST },
];
