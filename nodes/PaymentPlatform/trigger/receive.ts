import type { IDataObject, INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { CREDENTIAL_NAME, readAccount } from '../pipeline/account';
import { asText } from '../pipeline/objects';
import { deliveryCredentials } from './credentials';
import { deliveryIdentity, readPayload, recordsOf, type Payload, type Refusal } from './delivery';
import { lookUpRecord } from './enrich';
import { PROBE_EVENT } from './events';
import { Deliveries, type CallResponse } from './once';
import { readReceiveOptions, type ReceiveOptions } from './options';
import { TriggerState, identityOf, type Registration } from './state';
import { checkSignature, credentialDigest, isKnownCaller, signatureRefusal } from './verification';

/** How often, in milliseconds, and for how long a delivery is put where n8n saves it. */
const LAP_MS = 1;
const MOST_LAPS = 10_000;

/** One call of the service, on its way through the checks. */
interface Call {
  context: IWebhookFunctions;
  options: ReceiveOptions;
  state: TriggerState;
  registration: Registration | undefined;
  /** The bytes as they were received; none when n8n took the call for a form. */
  rawBody: Buffer | undefined;
}

/**
 * Takes a call: refuses what is not from the service (401), too large (413) or no event (400), answers probes and
 * repetitions without emitting, and emits the rest. n8n answers 200 once it has taken the items over, before the
 * workflow's work, and an error otherwise.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
  const state = TriggerState.open(context, context.getNodeWebhookUrl('default') ?? '');
  const request = context.getRequestObject() as { rawBody?: Buffer };
  const options = readReceiveOptions(context);
  const call: Call = { context, options, state, registration: state.active(), rawBody: request.rawBody };
  const verified = await verify(call);
  if ('refusal' in verified) return refuse(call, verified.refusal);
  const { payload } = verified;
  if (payload.event === PROBE_EVENT) return answer();
  if (options.events && !options.events.includes(asText(payload.event))) return answer({ ignored: true });
  const response = context.getResponseObject() as CallResponse;
  const identity = deliveryIdentity(request.rawBody ?? Buffer.alloc(0));
  const first = await Deliveries.of(state.nodeKey).claim(identity, state.delivered, response);
  if (!first) return answer({ duplicate: true });
  const record = options.enrich ? await lookUpRecord(context, payload) : {};
  void keepSaved(state, response);
  return { ...answer(), workflowData: [items(call, payload, record)] };
}

/**
 * Puts the deliveries where n8n saves them, again and again until n8n has answered: n8n 2 saves after it has started the
 * workflow, and by then has forgotten that anything changed before.
 */
async function keepSaved(state: TriggerState, response: CallResponse): Promise<void> {
  for (let lap = 0; lap < MOST_LAPS && !response.writableEnded && !response.closed; lap += 1) {
    state.saveDelivered(Deliveries.of(state.nodeKey).stored);
    await sleep(LAP_MS);
  }
}

async function verify(call: Call): Promise<{ refusal: Refusal } | { payload: Payload }> {
  const { context, options, registration, rawBody } = call;
  const headers = context.getHeaderData() as IDataObject;
  if (options.verifyCredentials && !isKnownCaller(headers.authorization, await knownCallers(call)))
    return { refusal: { status: 401, reason: 'the user name and password are not those of the webhook' } };
  if (rawBody && rawBody.length > options.mostBytes)
    return { refusal: { status: 413, reason: `the body has more than ${options.mostBytes} bytes` } };
  const read = readPayload(rawBody);
  const key = registration?.security_key;
  // The service may probe the address before it told its key; nothing comes of a probe.
  const isProbe = 'payload' in read && read.payload.event === PROBE_EVENT && key === undefined;
  const result = checkSignature(rawBody ?? Buffer.alloc(0), headers, key, options.signatureHeader);
  if (result === 'valid' || result === 'invalid') call.state.countMismatch(result === 'valid');
  const reason = isProbe ? undefined : signatureRefusal(options.signature, result);
  return reason === undefined ? read : { refusal: { status: 401, reason } };
}

/**
 * Digests of the callers that are let in: the one that was registered and, while a registration is not yet stored, the
 * one that it will have.
 */
async function knownCallers({ context, registration, state }: Call): Promise<string[]> {
  if (registration) return [registration.credentialDigest];
  const account = readAccount(await context.getCredentials(CREDENTIAL_NAME), context.getNode());
  const { user_name, user_password } = deliveryCredentials(account, identityOf(context), state.kind);
  return [credentialDigest(user_name, user_password)];
}

/** What the workflow gets: everything of the service's is in `payload` and `record`, the rest is ours. */
function items({ options, registration, state }: Call, payload: Payload, record: IDataObject): INodeExecutionData[] {
  const about: IDataObject = {
    event: payload.event,
    environment: registration?.environment ?? (payload.is_test === true ? 'test' : 'production'),
    webhook_id: payload.webhook_id ?? registration?.webhook_id ?? null,
    db_timestamp: payload.db_timestamp ?? null,
    received_at: new Date().toISOString(),
    ...(state.managementUnavailable && {
      notice: 'This account can not list, change or disable webhooks; switch them off in the merchant portal.',
    }),
  };
  const records = options.split ? recordsOf(payload) : undefined;
  if (!records) return [{ json: { ...about, payload, ...record } }];
  const envelope: IDataObject = { ...payload };
  delete envelope.data;
  return records.map((entry, index) => ({
    json: { ...about, payload: envelope, entry, entry_index: index, entry_count: records.length, ...record },
  }));
}

function answer(more: IDataObject = {}): IWebhookResponseData {
  return { webhookResponse: { received: true, ...more } };
}

function refuse({ context, rawBody }: Call, { status, reason }: Refusal): IWebhookResponseData {
  context.logger.warn(`Payment Platform Trigger: a call was refused with ${status}: ${reason}`, {
    workflowId: context.getWorkflow().id,
    node: context.getNode().name,
    bytes: rawBody?.length ?? 0,
  });
  const response = context.getResponseObject() as CallResponse;
  if (status === 401) response.setHeader('www-authenticate', 'Basic realm="webhook"');
  response.status(status).json({ received: false, reason });
  return { noWebhookResponse: true };
}
