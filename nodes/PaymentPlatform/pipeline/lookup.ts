import type { IDataObject } from 'n8n-workflow';

import { asText } from './objects';
import { maskCardNumbers } from './privacy';
import type { Failure, PlannedRequest } from './types';

/** Fields by which a person finds a record again, none of them secret. */
const REFERENCES = [
  'pgIdOrig',
  'purchase_id',
  'invoice_number',
  'invoice_id',
  'customer_id',
  'payee_id',
  'merch_ref_num',
  'amt_tran',
  'amt_paid',
  'label',
];

/** Adds to a failure which request it was and, when its outcome is unknown, which record to look up, and where. */
export function explained(given: Failure, request: PlannedRequest): Failure {
  const { operation, values, method, effect } = request;
  const path = operation.shape ? maskCardNumbers(request.path) : operation.request.path;
  const failure: Failure = { ...given, request: `${method} ${path}`, reads: effect === 'reads' };
  if (failure.outcome !== 'unknown' || effect === 'reads') return failure;
  const all: IDataObject = { ...values.body, ...values.path };
  const references = Object.fromEntries(
    REFERENCES.filter((name) => all[name] !== undefined && typeof all[name] !== 'object').map((name) => [
      name,
      maskCardNumbers(asText(all[name])),
    ]),
  );
  const lookUp = operation.lookUp?.replace(/\{(\w+)\}/g, (_, name: string) => references[name] ?? `its ${name}`);
  return { ...failure, references: { ...references, ...given.references }, ...(lookUp !== undefined && { lookUp }) };
}

/** The failure of an item that an earlier try of the node left unknown: it is not sent again by itself. */
export function rememberedFailure(outcome: 'unknown' | 'unrecognisable', request: PlannedRequest): Failure {
  const message =
    outcome === 'unknown'
      ? 'An earlier try sent this item and got no answer, so it was not sent again'
      : 'An earlier try sent this item with another credential, so nobody can tell whether it is the same request; it was not sent again';
  return explained(
    {
      outcome: 'unknown',
      message,
      advice:
        'When you know that it was not applied, set the option "If the Outcome Is Unknown" to "Send Again" and run the item again.',
    },
    request,
  );
}
