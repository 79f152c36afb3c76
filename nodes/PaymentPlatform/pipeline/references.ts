import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { maskCardsInId } from '../shared/privacy';
import type { PlannedRequest } from './types';

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

/** IDs that tell which record a finished item made, in the order in which they are looked for. */
const RECORD_IDS = [
  'pg_id',
  'invoice_id',
  'payment_id',
  'subscription_id',
  'checkout_id',
  'request_id',
  'webhook_id',
  'card_id',
];

/** What identifies the object of a request for a person, by the interface's names; nothing secret. */
export function referencesOf({ values }: PlannedRequest): IDataObject {
  const all: IDataObject = { ...values.body, ...values.path };
  return Object.fromEntries(
    REFERENCES.filter((name) => all[name] !== undefined && typeof all[name] !== 'object').map((name) => [
      name,
      maskCardsInId(asText(all[name])),
    ]),
  );
}

/** IDs of a record that was made, by which a person finds it. */
export const idsOf = (record: IDataObject): IDataObject =>
  Object.fromEntries(RECORD_IDS.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]));
