import type { CatalogueEntry } from '../../model/failure';

/**
 * The issuer approved or may have approved these payments. Except for 000, the service reports the codes as failures
 * (service.md#codes). If the node did too, users would charge the customer twice.
 */
export const issuerApprovals: readonly CatalogueEntry[] = [
  {
    codes: ['000'],
    what: 'The gateway reports success.',
    advice:
      'No action is needed. If the node reports a failure anyway, look up the transaction before you do anything else.',
  },
  {
    codes: ['008'],
    what: 'The issuer approved the payment on condition that the cardholder shows identification.',
    advice: "The payment is approved, so do not charge again. Verify the cardholder's identity, or void the payment.",
  },
  {
    codes: ['010'],
    what: 'The issuer approved only part of the amount.',
    advice:
      'Look up the charged amount of the transaction. Collect only the remaining amount separately, or void the transaction. Do not charge the full amount again.',
  },
  {
    codes: ['011', '0Y1', '0Y3'],
    what: 'The payment was approved.',
    advice: 'The payment is approved, so do not charge again. Check the status of the transaction.',
  },
  {
    codes: ['085'],
    what: 'The issuer approved the card verification.',
    advice:
      'For a payment, this response does not show whether the customer was charged. Do not charge again before you look up the transaction.',
  },
  {
    codes: ['004'],
    what: 'The response means either an approval or a request by the issuer to retain the card.',
    advice:
      'Do not charge again before you check the transaction. If the payment was not approved, ask for another payment method.',
  },
];
