import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { CREDENTIAL_NAME, readAccount } from '../service/account';
import { FEWER_AT_ONCE, withoutLookUp } from '../messages/describe-answers';
import { maskAnswer } from '../messages/mask-records';
import type { Patience } from '../service/retry-rules';
import { sendHttpRequest } from '../service/send';
import { sendWithRetries } from '../service/send-with-retries';
import { asText, isObject } from '../shared/objects';
import type { Handover } from './receive';
import { accountKey } from './state';

/** The delivery has been answered by then; the workflow waits. In milliseconds. */
const TIMEOUT_MS = 10_000;
const PATIENCE: Patience = { maxTries: 2, retryTimeMs: 2_000 };

/** Where the record of an event can be looked up, by how the event's name begins. */
const LOOK_UPS: Array<{ event: string; id: string; path: (id: string) => string }> = [
  // openapi.yaml#getAccountUpdaterSummary and openapi.yaml#getCheckout; the invoice's path: service.md#invoices.
  { event: 'account_updater_', id: 'request_id', path: (id) => `/platform/aus/request/summary/${id}` },
  { event: 'checkout_', id: 'checkout_id', path: (id) => `/platform/checkout/${id}` },
  { event: 'invoice_', id: 'invoice_id', path: (id) => `/platform/invoice/${id}/detail` },
];

/**
 * Looks up the record that an event is about: an event is a hint, the record is the truth. Never throws: an event is
 * not lost because its record could not be read.
 * @returns `record`, or `record: null` and why in `record_error`; nothing for events that name no such record.
 */
export async function lookUpRecord(context: IExecuteFunctions, handover: Handover): Promise<IDataObject> {
  const { payload = {}, account } = handover;
  const lookUp = LOOK_UPS.find(({ event }) => asText(payload.event).startsWith(event));
  if (!lookUp) return {};
  const id = isObject(payload.data) ? asText(payload.data[lookUp.id]) : '';
  if (!/^[\w-]{1,64}$/.test(id)) return { record: null, record_error: `The event names no ${lookUp.id}` };
  try {
    return await fetchRecord(context, lookUp.path(id), account);
  } catch (error) {
    return { record: null, record_error: error instanceof Error ? error.message : 'The look-up failed' };
  }
}

/** @param of the account that the event is from: the same number is another record in another environment. */
async function fetchRecord(context: IExecuteFunctions, path: string, of: string | undefined): Promise<IDataObject> {
  const account = readAccount(await context.getCredentials(CREDENTIAL_NAME), context.getNode());
  if (of !== undefined && of !== accountKey(account))
    return { record: null, record_error: 'The event is of the account that the credential named before' };
  const request = { method: 'GET', path, family: 'platform', query: {}, timeoutMs: TIMEOUT_MS } as const;
  const answer = await sendWithRetries(
    { effect: 'reads', patience: PATIENCE },
    async () => await sendHttpRequest(context, account, request),
  );
  if (answer.ok) return { record: maskAnswer(answer.record) };
  const { message, advice } = answer.failure;
  return {
    record: null,
    record_error: [message, withoutLookUp(advice).replace(FEWER_AT_ONCE, '')].filter(Boolean).join('. '),
  };
}
