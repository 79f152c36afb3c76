import type { Entry } from '../../model/refusal';

/**
 * Issuer answers by which money was, or may have been, promised. Only "000" is a plain success to the interface
 * (service.md#codes): the others arrive as failures, and whoever takes them for a decline charges twice.
 */
export const issuerApprovals: readonly Entry[] = [
  {
    codes: ['000'],
    what: 'The gateway reports success.',
    advice: 'Nothing to do. Where a failure is reported all the same, look the transaction up first.',
  },
  {
    codes: ['008'],
    what: 'The issuer approved the payment if the cardholder proves who they are.',
    advice: 'It counts as approved: do not charge again. Check the identity, or void it.',
  },
  {
    codes: ['010'],
    what: 'The issuer approved only part of the amount.',
    advice:
      'That part is taken: look the transaction up for its amount. Collect only the rest in another way, or void it. Do not charge the full amount again.',
  },
  {
    codes: ['011', '0Y1', '0Y3'],
    what: 'The payment was approved, in an unusual way.',
    advice: 'It counts as approved: do not charge again. Look the transaction up to see its status.',
  },
  {
    codes: ['085'],
    what: 'The issuer has nothing against the card, which is how it approves a mere check of it.',
    advice:
      'Where money was to move, this does not tell whether it did: do not charge again, look the transaction up first.',
  },
  {
    codes: ['004'],
    what: 'The answer has two meanings: an approval, or an issuer that wants the card back.',
    advice:
      'Do not charge again: look the transaction up first. If it was not approved, ask for another payment method.',
  },
];
