import type { Entry } from '../../model/refusal';

const ANOTHER_METHOD = 'Ask the customer for another payment method.';
const CALL_ISSUER = 'Ask the cardholder to call the bank that issued the card, or to pay with another payment method.';
/** Whoever hears the reason may be the thief, so the reason stays with the merchant. */
const DISCREET =
  'Do not charge this card again. Ask for another payment method without giving the reason, and check the order before you deliver.';
const OTHER_ACCOUNT = 'Check the card or account number with the customer, or ask for another payment method.';
const SECURITY_CODE = 'Ask the cardholder for the security code printed on the card, or for another card.';
const PIN = 'The cardholder has to settle this with the bank. Ask for another payment method.';
const LATER = 'Ask for another payment method. Before you charge this one later, look up that no payment went through.';
const SUPPORT =
  'Ask support whether the account may take this kind of payment. Ask the customer for another payment method.';
const LOOK_UP = 'Look up both this and the earlier transaction before you charge or refund anything.';
const STOP =
  'Do not charge this card again. Pause or cancel the subscription, and agree with the customer how to go on.';

/** Issuer answers by which nothing was charged: "0" and the issuer's two characters (service.md#codes). */
export const issuerDeclines: readonly Entry[] = [
  {
    codes: ['001', '002', '0XA', '0XD'],
    what: 'The issuer wants to decide on this payment itself.',
    advice: CALL_ISSUER,
  },
  { codes: ['003', '058'], what: 'The issuer takes no such payment from this merchant account.', advice: SUPPORT },
  {
    codes: ['005', '021', '0Z1'],
    what: 'The issuer declined and gave no reason.',
    advice: CALL_ISSUER,
  },
  { codes: ['007', '059'], what: 'The issuer suspects fraud.', advice: DISCREET },
  { codes: ['034'], what: 'The payment was reversed because fraud is suspected.', advice: DISCREET },
  { codes: ['041'], what: 'The card was reported lost.', advice: DISCREET },
  { codes: ['043'], what: 'The card was reported stolen.', advice: DISCREET },
  { codes: ['063'], what: 'The issuer saw a breach of its security rules.', advice: DISCREET },
  {
    codes: ['006', '028', '091', '092', '096', '0N0', '0Z3'],
    what: 'The issuer or the way to it is out of order for the moment.',
    advice: LATER,
  },
  {
    codes: ['012', '019', '030'],
    what: 'The issuer could not make sense of the payment.',
    advice:
      'Check the values that were sent. If they are right, ask for another payment method, and support for the cause.',
  },
  { codes: ['013'], what: 'The issuer does not accept this amount.', advice: 'Check the amount and the currency.' },
  { codes: ['014', '078'], what: 'The issuer has no account with this number.', advice: OTHER_ACCOUNT },
  { codes: ['015'], what: 'No issuer has cards with this number.', advice: OTHER_ACCOUNT },
  {
    codes: ['039', '052', '053'],
    what: 'The card has no account of the kind that was to be charged.',
    advice: OTHER_ACCOUNT,
  },
  {
    codes: ['0T2'],
    what: 'There is no bank with this routing number.',
    advice: 'Check the bank routing number with the customer.',
  },
  {
    codes: ['025', '076', '077'],
    what: 'The issuer could not find the earlier transaction that this one refers to.',
    advice: 'Check the transaction ID and the amount against the transaction report.',
  },
  { codes: ['032', '068', '079'], what: 'The payment was reversed, in part or as a whole.', advice: LOOK_UP },
  {
    codes: ['080'],
    what: 'The issuer answered that this booked no money.',
    advice: 'Look the transaction up in the report before you do anything else.',
  },
  { codes: ['084', '094'], what: 'The issuer takes this for a payment that it has already.', advice: LOOK_UP },
  {
    codes: ['051'],
    what: 'There is not enough money on the account.',
    advice: 'Ask the customer for another payment method, or agree on a later date.',
  },
  {
    codes: ['061', '0T3'],
    what: 'The amount is above what may be taken at once.',
    advice: 'Ask for another payment method, or for a call to the bank to raise the limit.',
  },
  {
    codes: ['065', '0T7'],
    what: 'This card or account was used too often lately.',
    advice: 'Ask for another payment method, or agree on a later date.',
  },
  {
    codes: ['0N8'],
    what: 'The amount is above the one that was authorized.',
    advice: 'Capture at most the authorized amount, and collect the rest in another way.',
  },
  {
    codes: ['0N3', '0N4'],
    what: 'Cash cannot be paid out with this payment, or not as much.',
    advice: 'Charge the purchase without cash.',
  },
  {
    codes: ['054'],
    what: 'The card has expired, or its expiration date is missing or wrong.',
    advice: 'Ask the cardholder for the expiration date, or for the new card.',
  },
  { codes: ['055'], what: 'The PIN was wrong or was not entered.', advice: PIN },
  { codes: ['075'], what: 'The PIN was entered wrongly too often.', advice: PIN },
  { codes: ['081', '083', '086', '0R2'], what: 'The PIN could not be used to check the card.', advice: PIN },
  { codes: ['057', '062', '089'], what: 'The card may not be used for this kind of payment.', advice: CALL_ISSUER },
  {
    codes: ['064', '093'],
    what: 'The issuer would break a legal duty by accepting the payment.',
    advice: 'Do not charge this card again. Ask the customer for another payment method.',
  },
  { codes: ['082', '0N7'], what: 'The security code of the card (CVV) was wrong.', advice: SECURITY_CODE },
  { codes: ['0Q1'], what: 'The card could not be shown to be genuine.', advice: ANOTHER_METHOD },
  {
    codes: ['0B1', '0B2'],
    what: 'No surcharge may be added to a payment with this card.',
    advice: 'Leave the surcharge out.',
  },
  {
    codes: ['0N5'],
    what: 'The issuer will not take this payment, however often it is sent.',
    advice: 'Do not charge this card again for it. Ask the customer for another payment method.',
  },
  { codes: ['0R0'], what: 'The cardholder told the bank to stop this recurring payment.', advice: STOP },
  {
    codes: ['0R1'],
    what: 'The cardholder told the bank to stop every recurring payment to this merchant.',
    advice: STOP,
  },
  {
    codes: ['0R3'],
    what: 'The cardholder withdrew every permission to charge this card.',
    advice: STOP,
  },
  {
    codes: ['0T0', '0T1', '0T6'],
    what: 'The check cannot be taken as an electronic payment.',
    advice:
      'Check its routing and account number. If they are right, deposit the check itself or ask for another payment method.',
  },
  { codes: ['0T4'], what: 'The customer has unpaid checks.', advice: ANOTHER_METHOD },
  {
    codes: ['0T5'],
    what: 'A check with this number was taken before.',
    advice: 'Look up whether this payment is recorded already. If not, check the check number.',
  },
];
