import { LOOK_UP_FIRST, SECRET, type Entry } from '../../model/refusal';

/**
 * Values of `rcode` that the gateway gives on its own account: 1xx for a request it refuses, 4xx for an operation that
 * the state of the transaction forbids, 9xx for its own failures (service.md#codes).
 */
export const gatewayRefusals: readonly Entry[] = [
  {
    codes: ['100'],
    what: 'The gateway found values that it does not accept.',
    advice: 'Correct the fields that are named.',
    named: true,
  },
  {
    codes: ['101'],
    what: `The Merchant ID and the ${SECRET} do not belong together.`,
    advice: `Check the Environment, Base URL, Merchant ID and ${SECRET} in the credential. Test and production need credentials of their own.`,
  },
  {
    codes: ['102'],
    what: 'The gateway knows no transaction with this ID.',
    advice:
      'Pick the transaction from the list, or check its ID: it is the pg_id of the original transaction, from the same environment.',
  },
  {
    codes: ['103'],
    what: 'The request names no card or bank account that can be charged.',
    advice:
      'Give a card number with its expiration date, a saved card ID, a customer ID, or a bank routing and account number.',
  },
  {
    codes: ['104'],
    what: 'The amount is missing or cannot be used.',
    advice: 'Give an amount above zero. Only checking a card takes no amount.',
  },
  {
    codes: ['105'],
    what: 'A forced transaction came without the authorization code of the issuer.',
    advice: 'Enter the code (auth_code) that the issuer gave for this payment.',
  },
  {
    codes: ['106'],
    what: 'There is a billing street without a postal code, so the address cannot be checked.',
    advice: 'Add the billing ZIP or postal code, or leave the street out.',
  },
  {
    codes: ['107'],
    what: 'The expiration date is not written as the gateway expects it.',
    advice: 'Write two digits for the month and two for the year: MMYY.',
  },
  {
    codes: ['108'],
    what: 'This cannot be a card number: a digit is wrong, missing or too many.',
    advice: 'Ask the cardholder for the number, digit by digit.',
  },
  {
    codes: ['109'],
    what: 'The text of a field is too long.',
    advice: 'Shorten the field that is named. Others may be too long as well: only the first one is named.',
    named: true,
  },
  {
    codes: ['110'],
    what: 'The account may not set the name that cardholders see on their statements.',
    advice: 'Leave the dynamic descriptor out, or ask support to enable it.',
  },
  {
    codes: ['111'],
    what: 'The account may not pay out to a card without an earlier payment.',
    advice: 'Refund the original transaction instead, or ask support to enable unlinked credits.',
  },
  {
    codes: ['112'],
    what: 'The customer cannot be saved: the customer ID is in use, or required data are missing.',
    advice: 'Choose another customer ID or use the existing customer, and give first and last name or a company name.',
  },
  {
    codes: ['113'],
    what: "The merchant's own risk settings turned the payment down, for the address or the security code.",
    advice:
      'Check billing address and security code with the cardholder. If they are right, review the risk settings of the account.',
  },
  {
    codes: ['114'],
    what: 'The currency is unknown or written in another form.',
    advice: 'Give the three-digit numeric currency code, such as 840.',
  },
  {
    codes: ['115'],
    what: 'The surcharge is more than 4 percent, or may not be taken at all.',
    advice: 'Lower the surcharge or leave it out.',
  },
  {
    codes: ['116', '117'],
    what: 'An email address is missing or incomplete.',
    advice: 'Enter a complete address, such as name@example.com.',
  },
  {
    codes: ['118'],
    what: 'The address of the logo cannot be used.',
    advice: 'Give the complete web address of the image, or leave it out.',
  },
  {
    codes: ['119'],
    what: 'The bank account payment (ACH) cannot be made with these data.',
    advice: "Check the routing number, the account number, the account type and the account holder's name.",
  },
  {
    codes: ['401'],
    what: 'The transaction can no longer be voided: it is settled, or was voided before.',
    advice: 'Look its status up. If it is settled and the money shall go back, refund it.',
  },
  {
    codes: ['402'],
    what: 'This refund is not possible: the transaction is not a captured sale, or too little of it is left to refund.',
    advice:
      'Look up its status and what was refunded already. After batch close, wait until the status is "Deposit Sent".',
  },
  {
    codes: ['403'],
    what: 'The payment cannot be captured: it was captured or voided before, or the amount is above the authorized one.',
    advice: 'Look its status up. Capture at most the authorized amount, and only once.',
  },
  {
    codes: ['404'],
    what: 'The batch was not closed.',
    advice: 'Look in the merchant portal which transactions are still open. Ask support if it stays so.',
  },
  {
    codes: ['405'],
    what: 'The card or bank account was not saved.',
    advice: 'Check the card or account data with the customer. Ask support if they are right.',
  },
  { codes: ['998'], what: 'The gateway got no answer from the card network in time.', advice: LOOK_UP_FIRST },
  { codes: ['999'], what: 'The gateway failed while it worked on the request.', advice: LOOK_UP_FIRST },
];
