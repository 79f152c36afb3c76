import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { FEWER_AT_ONCE, withoutLookUp } from '../messages/describe-answers';
import { maskAnswer } from '../messages/scrubber';
import { CREDENTIAL_NAME, readAccount } from '../service/account';
import type { Patience } from '../service/retry-rules';
import { asText, isObject } from '../shared/objects';
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
}

const LOOK_UPS: LookUp[] = [
  // Sources: openapi.yaml#getAccountUpdaterSummary, openapi.yaml#getCheckout and openapi.yaml#getInvoiceDetail.
  { event: 'account_updater_', id: 'request_id', path: (id) => `/platform/aus/request/summary/${id}` },
  { event: 'checkout_', id: 'checkout_id', path: (id) => `/platform/checkout/${id}` },
  { event: 'invoice_', id: 'invoice_id', path: (id) => `/platform/invoice/${id}/detail` },
];

/**
 * The event may be outdated. Never throws, so that no event is lost.
 * @returns `record`, or `record: null` with the reason in `record_error`, or nothing for other events.
 */
export async function lookUpRecord(context: IExecuteFunctions, handover: Handover): Promise<IDataObject> {
  const { payload = {}, account } = handover;
  const lookUp = LOOK_UPS.find(({ event }) => asText(payload.event).startsWith(event));
  if (!lookUp) return {};
  const id = isObject(payload.data) ? asText(payload.data[lookUp.id]) : '';
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
    const { record } = answer;
    if (!isObject(record) || Object.keys(record).length === 0) return without('The response contains no record');
    if (!['', id].includes(asText(record[lookUp.id]))) return without('The response contains another record');
    return { record: maskAnswer(record) };
  }
  const { message, advice } = answer.failure;
  return without([message, withoutLookUp(advice).replace(FEWER_AT_ONCE, '')].filter(Boolean).join('. '));
}
