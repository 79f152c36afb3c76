import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { FEWER_AT_ONCE, withoutLookUp } from '../messages/describe-answers';
import { maskAnswer, maskRecord } from '../messages/scrubber';
import { CREDENTIAL_NAME, readAccount } from '../service/account';
import { fetchList } from '../service/fetch-list';
import type { Patience } from '../service/retry-rules';
import { asText, isList, isObject, objectsIn } from '../shared/objects';
import { recordsOf } from './delivery';
import type { Handover } from './receive';
import { read } from './service';
import { accountKey } from './state';

/** The workflow waits for this look-up. */
const PATIENCE: Patience = { maxTries: 2, retryTimeMs: 2_000 };

interface LookUp {
  /** Prefix of the events' names. */
  event: string;
  /** ID field of the event and the record. */
  id: string;
  path: (id: string) => string;
  /** Whether the service returns a list that contains only the record. */
  isList?: true;
}

const LOOK_UPS: LookUp[] = [
  // Sources: openapi.yaml#getAccountUpdaterSummary, openapi.yaml#getCheckout and openapi.yaml#getInvoiceDetail.
  { event: 'account_updater_', id: 'request_id', path: (id) => `/platform/aus/request/summary/${id}` },
  { event: 'checkout_', id: 'checkout_id', path: (id) => `/platform/checkout/${id}` },
  { event: 'invoice_', id: 'invoice_id', path: (id) => `/platform/invoice/${id}/detail` },
  // Sources: openapi.yaml#getCustomer, openapi.yaml#getSubscription and openapi.yaml#getTransactionByPgId.
  { event: 'customer_', id: 'customer_id', path: (id) => `/platform/vault/customer/${id}` },
  { event: 'subscription_', id: 'subscription_id', path: (id) => `/platform/subscription/${id}` },
  { event: 'qp_manager_', id: 'pg_id', path: (id) => `/platform/reporting/transactions/bypgid/${id}` },
  { event: 'transaction_', id: 'pg_id', path: (id) => `/platform/reporting/transactions/bypgid/${id}` },
  // Source: openapi.yaml#getDisputes.
  { event: 'dispute_', id: 'rec_id', path: (id) => `/platform/dispute/browse?filter=rec_id,IS,${id}`, isList: true },
];

const lookUpOf = (payload: IDataObject) => LOOK_UPS.find(({ event }) => asText(payload.event).startsWith(event));

/**
 * The event may be outdated. Never throws, so that no event is lost.
 * @returns `record`, or `record: null` with the reason in `record_error`, or nothing for other events.
 */
export async function lookUpRecord(
  context: IExecuteFunctions,
  { payload = {}, account }: Handover,
  data: unknown = payload.data,
): Promise<IDataObject> {
  const lookUp = lookUpOf(payload);
  if (!lookUp) return {};
  const id = isObject(data) ? asText(data[lookUp.id]) : '';
  if (!/^[\w-]{1,64}$/.test(id)) return { record: null, record_error: `The event does not contain ${lookUp.id}` };
  try {
    return await fetchRecord(context, lookUp, id, account);
  } catch (error) {
    return {
      record: null,
      record_error: error instanceof Error ? error.message : 'The node could not look up the record',
    };
  }
}

/** The credential must belong to the account of the event. Other accounts use the same IDs for different records. */
async function fetchRecord(
  context: IExecuteFunctions,
  lookUp: LookUp,
  id: string,
  of: string | undefined,
): Promise<IDataObject> {
  const account = readAccount(await context.getCredentials(CREDENTIAL_NAME), context.getNode());
  const without = (record_error: string) => ({ record: null, record_error });
  if (of !== undefined && of !== accountKey(account))
    return without('The event belongs to the previous account of the credential');
  const answer = await read(context, account, lookUp.path(id), { patience: PATIENCE });
  if (answer.ok) {
    const found = answer.record;
    const record = lookUp.isList && isList(found) && found.length === 1 ? found[0] : found;
    if (!isObject(record) || Object.keys(record).length === 0) return without('The response contains no record');
    if (!['', id].includes(asText(record[lookUp.id]))) return without('The response contains another record');
    return { record: maskAnswer(record) };
  }
  const { message, advice } = answer.failure;
  return without([message, withoutLookUp(advice).replace(FEWER_AT_ONCE, '')].filter(Boolean).join('. '));
}

const COMPLETED = 'account_updater_request_completed';

export interface Enriched {
  record: IDataObject;
  /** Records of the event with their look-ups. Missing if the event contains one record. */
  entries?: Array<{ entry: IDataObject; record: IDataObject }>;
}

/** Never throws, so that no event is lost. */
export async function enrichEvent(context: IExecuteFunctions, handover: Handover, split: boolean): Promise<Enriched> {
  const { payload = {} } = handover;
  const records = recordsOf(payload);
  if (!records) {
    const looked = await lookUpRecord(context, handover);
    return payload.event === COMPLETED ? await withResults(context, looked, split) : { record: looked };
  }
  if (!lookUpOf(payload)) return { record: {} };
  if (records.length === 1 || split) {
    const entries: NonNullable<Enriched['entries']> = [];
    for (const entry of records) entries.push({ entry, record: await lookUpRecord(context, handover, entry) });
    return { record: entries[0]?.record ?? {}, entries };
  }
  return { record: { record: null, record_error: 'The event contains several records. Turn on "Split Into Items".' } };
}

/** Adds the responses of the card issuers and the rejected cards, with the references that were submitted. */
async function withResults(context: IExecuteFunctions, looked: IDataObject, split: boolean): Promise<Enriched> {
  const { record } = looked;
  if (!isObject(record)) return { record: looked };
  const id = asText(record.request_id);
  try {
    const account = readAccount(await context.getCredentials(CREDENTIAL_NAME), context.getNode());
    const detail = `/platform/aus/request/detail/${id}`;
    // The service has separate results for requests with card numbers (openapi.yaml#getAusResponse).
    const found =
      record.method === 'harvest_api'
        ? await read(context, account, `/platform/aus/${id}`)
        : await fetchList({}, undefined, async (page, count) =>
            read(context, account, detail, { query: { page, count } }),
          );
    if ('failure' in found) return { record: { ...looked, results: null, results_error: found.failure.message } };
    const results = objectsIn('records' in found ? found.records : found.record).map(maskRecord);
    const known = new Set(results.map(({ card_id }) => asText(card_id)));
    const rejected = objectsIn(record.rejected_cards).filter(({ card_id }) => !known.has(asText(card_id)));
    const all = [...results, ...rejected];
    if (!split || all.length === 0) return { record: { ...looked, results: all } };
    return { record: looked, entries: all.map((entry) => ({ entry, record: looked })) };
  } catch (error) {
    const results_error = error instanceof Error ? error.message : 'The node could not read the results';
    return { record: { ...looked, results: null, results_error } };
  }
}
