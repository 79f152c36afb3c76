import type { CatalogueEntry } from '../../model/failure';

const ANOTHER_METHOD = 'Ask the customer for another payment method.';
const CALL_ISSUER = 'Ask the cardholder to call the card issuer or use another payment method.';
/** The advice for suspected fraud hides the reason, because the customer may have stolen the card. */
const DISCREET =
  'Do not charge this card again. Ask for another payment method without giving a reason, and check the order before delivery.';
const OTHER_ACCOUNT = 'Check the card or account number with the customer, or ask for another payment method.';
const SECURITY_CODE = 'Ask the cardholder for the security code printed on the card, or for another card.';
const PIN = 'The cardholder must contact the bank. Ask for another payment method.';
const LATER =
  'Ask for another payment method. Before you charge the same card or account later, check whether this payment was made.';
const SUPPORT =
  'Ask support whether your account accepts this type of payment. Ask the customer for another payment method.';
const LOOK_UP = 'Look up this transaction and the earlier transaction before you charge or refund anything.';
const STOP = 'Do not charge this card again. Pause or cancel the subscription, and contact the customer.';

/** Issuer codes that mean no approval: "0", then the issuer's two characters (service.md#codes). */
export const issuerDeclines: readonly CatalogueEntry[] = [
  {
    codes: ['001', '002', '0XA', '0XD'],
    what: 'The issuer must approve this payment manually.',
    advice: CALL_ISSUER,
  },
  {
    codes: ['003', '058'],
    what: 'The issuer does not accept this type of payment from your merchant account.',
    advice: SUPPORT,
  },
  {
    codes: ['005', '021', '0Z1'],
    what: 'The issuer declined the payment without giving a reason.',
    advice: CALL_ISSUER,
  },
  { codes: ['007', '059'], what: 'The issuer suspects fraud.', advice: DISCREET },
  { codes: ['034'], what: 'The payment was reversed because of suspected fraud.', advice: DISCREET },
  { codes: ['041'], what: 'The card was reported lost.', advice: DISCREET },
  { codes: ['043'], what: 'The card was reported stolen.', advice: DISCREET },
  { codes: ['063'], what: 'The issuer detected a security violation.', advice: DISCREET },
  {
    codes: ['006', '028', '091', '092', '096', '0N0', '0Z3'],
    what: 'The issuer is temporarily unavailable or reported an error.',
    advice: LATER,
  },
  {
    codes: ['012', '019', '030'],
    what: 'The issuer could not process the payment request.',
    advice: 'Check the values. If they are correct, ask for another payment method and contact support.',
  },
  { codes: ['013'], what: 'The issuer does not accept this amount.', advice: 'Check the amount and the currency.' },
  { codes: ['014', '078'], what: 'The issuer has no account with this number.', advice: OTHER_ACCOUNT },
  { codes: ['015'], what: 'No card issuer uses this card number.', advice: OTHER_ACCOUNT },
  {
    codes: ['039', '052', '053'],
    what: 'The card has no account of the requested type.',
    advice: OTHER_ACCOUNT,
  },
  {
    codes: ['0T2'],
    what: 'No bank has this routing number.',
    advice: 'Check the bank routing number with the customer.',
  },
  {
    codes: ['025', '076', '077'],
    what: 'The issuer could not find the original transaction.',
    advice: 'Compare the transaction ID and amount with the transaction report.',
  },
  { codes: ['032', '068', '079'], what: 'The payment was partially or fully reversed.', advice: LOOK_UP },
  {
    codes: ['080'],
    what: 'The issuer reports that no money was moved.',
    advice: 'Look up the transaction in the report to confirm the result.',
  },
  { codes: ['084', '094'], what: 'The issuer considers this payment invalid or a duplicate.', advice: LOOK_UP },
  {
    codes: ['051'],
    what: 'The account has insufficient funds.',
    advice: 'Ask the customer for another payment method, or agree on a later date for the payment.',
  },
  {
    codes: ['061', '0T3'],
    what: 'The amount exceeds the limit of the card or account.',
    advice: 'Ask for another payment method, or ask the cardholder to have the bank raise the limit.',
  },
  {
    codes: ['065', '0T7'],
    what: 'The card or account was used too often.',
    advice: 'Ask for another payment method, or agree on a later date for the payment.',
  },
  {
    codes: ['0N8'],
    what: 'The amount exceeds the authorized amount.',
    advice: 'Capture at most the authorized amount, and collect the remaining amount separately.',
  },
  {
    codes: ['0N3', '0N4'],
    what: 'Cash back is not available for this payment, or the cash amount is too high.',
    advice: 'Charge the purchase without cash back.',
  },
  {
    codes: ['054'],
    what: 'The card has expired, or its expiration date is missing or wrong.',
    advice: 'Ask the cardholder for the current expiration date or a new card.',
  },
  { codes: ['055'], what: 'The PIN was wrong or was not entered.', advice: PIN },
  { codes: ['075'], what: 'The PIN was entered incorrectly too many times.', advice: PIN },
  { codes: ['081', '083', '086', '0R2'], what: 'The issuer could not verify the PIN.', advice: PIN },
  { codes: ['057', '062', '089'], what: 'The card does not allow this type of payment.', advice: CALL_ISSUER },
  {
    codes: ['064', '093'],
    what: "The issuer can't accept this payment for legal reasons.",
    advice: 'Do not charge this card again. Ask the customer for another payment method.',
  },
  { codes: ['082', '0N7'], what: 'The security code of the card (CVV) was wrong.', advice: SECURITY_CODE },
  { codes: ['0Q1'], what: 'The card could not be authenticated.', advice: ANOTHER_METHOD },
  {
    codes: ['0B1', '0B2'],
    what: 'This card does not allow surcharges.',
    advice: 'Remove the surcharge.',
  },
  {
    codes: ['0N5'],
    what: 'The issuer will never accept this payment.',
    advice: 'Do not retry this payment with this card. Ask the customer for another payment method.',
  },
  { codes: ['0R0'], what: 'The cardholder asked the bank to stop this recurring payment.', advice: STOP },
  {
    codes: ['0R1'],
    what: 'The cardholder asked the bank to stop all recurring payments to you.',
    advice: STOP,
  },
  {
    codes: ['0R3'],
    what: 'The cardholder revoked all authorizations for this card.',
    advice: STOP,
  },
  {
    codes: ['0T0', '0T1', '0T6'],
    what: "The check can't be processed electronically.",
    advice:
      'Verify the routing and account numbers. If both are correct, deposit the paper check or ask for another payment method.',
  },
  { codes: ['0T4'], what: 'The customer has unpaid checks.', advice: ANOTHER_METHOD },
  {
    codes: ['0T5'],
    what: 'A check with this number was already processed.',
    advice: 'Find out whether this payment is already recorded. If not, verify the check number.',
  },
];
