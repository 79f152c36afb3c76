import { sleep, type IDataObject, type IWebhookFunctions } from 'n8n-workflow';

import { PROBE_EVENT } from '../fields/events';
import { CREDENTIAL_NAME, readAccount } from '../pipeline/account';
import type { Account } from '../pipeline/types';
import { asText } from '../shared/objects';
import { deliveryCredentials } from './credentials';
import { readPayload, type Payload, type Refusal } from './delivery';
import { isRecent } from './fresh';
import type { ReceiveOptions } from './options';
import { MISMATCHES_OF_A_CHANGED_KEY } from './registration';
import { open, openedBefore } from './seal';
import { identityOf, type Registration, type TriggerState } from './state';
import { checkSignature, credentialDigest, isKnownCaller, signatureRefusal } from './verification';

/** How long a call waits for an activation of this process to note what it registered. */
const LONGEST_WAIT_MS = 1_500;
const STEP_MS = 50;

/** One call of the service, on its way through the checks. */
export interface Call {
  context: IWebhookFunctions;
  options: ReceiveOptions;
  state: TriggerState;
  /** The bytes as they were received; none when n8n took the call for a form. */
  rawBody: Buffer | undefined;
}

export interface Verified {
  payload: Payload;
  /** The webhook that delivered it; none for a probe that comes before anything is registered. */
  registration?: Registration;
}

const refused = (status: Refusal['status'], reason: string, problem?: string) => ({
  refusal: { status, reason, ...(problem !== undefined && { problem }) },
});

/** Whether a call is the service's, and its content what the registered webhook may say. */
export async function verify(call: Call): Promise<{ refusal: Refusal } | Verified> {
  const { context, options, rawBody } = call;
  const headers: IDataObject = context.getHeaderData();
  if (options.verifyCredentials && !(await isCaller(call, headers.authorization)))
    return refused(401, 'the user name and password are not those of the webhook');
  if (rawBody && rawBody.length > options.mostBytes)
    return refused(413, `the body has more than ${options.mostBytes} bytes`);
  const read = readPayload(rawBody);
  if ('refusal' in read) return read;
  const { payload } = read;
  const isProbe = payload.event === PROBE_EVENT;
  const registrations = await awaited(call, isProbe);
  const registration = registrations.find((one) => isNamed(payload, one));
  if (!registration && registrations.length > 0) return refused(401, 'the body names another webhook');
  // The service may probe the address before it told its key; nothing comes of a probe.
  if (!registration && isProbe) return { payload };
  if (!registration) return refused(503, 'the webhook is being set up');
  return await verifyContent(call, payload, registration, headers);
}

const isNamed = ({ webhook_id }: Payload, registration: Registration) =>
  webhook_id === undefined || Number(webhook_id) === registration.webhook_id;

async function verifyContent(call: Call, payload: Payload, registration: Registration, headers: IDataObject) {
  const { options, context, rawBody = Buffer.alloc(0) } = call;
  if (typeof payload.is_test === 'boolean' && payload.is_test !== (registration.environment === 'test'))
    return refused(401, 'the body names another environment');
  const keys = await securityKeys(call, registration, rawBody, headers);
  const result = checkSignature(rawBody, headers, keys, options.signatureHeader);
  const mayBeUnsigned = payload.event === PROBE_EVENT && keys.length === 0;
  const isKeyExpected = registration.sealedKey !== undefined;
  const mismatches = countMismatch(call, payload, registration, result);
  const reason = mayBeUnsigned ? undefined : signatureRefusal(options.signature, result, isKeyExpected);
  if (reason !== undefined && isKeyExpected && keys.length === 0)
    return refused(503, reason, keyProblem(registration, 'can not be read, because the credential was changed'));
  if (reason !== undefined && mismatches >= MISMATCHES_OF_A_CHANGED_KEY)
    return refused(401, reason, keyProblem(registration, 'does not match what the service signs with'));
  if (reason !== undefined) return refused(401, reason);
  if (!isRecent(payload.db_timestamp, options.mostMinutes, context.getTimezone()))
    return refused(401, `the event is older than ${options.mostMinutes} minutes`, tooOld(options));
  return { payload, registration };
}

const keyProblem = ({ webhook_id }: Registration, what: string) =>
  `The security key of webhook ${webhook_id} ${what}, so its deliveries are refused. Enter the key in the credential's field "Webhook Security Keys", which counts at once; or deactivate the workflow and activate it again (in n8n 2: unpublish and publish it), which makes a new webhook.`;

const tooOld = ({ mostMinutes }: ReceiveOptions) =>
  `A signed delivery was refused because its event is older than ${mostMinutes} minutes. If the service sent it, raise the option "Max Age" and let it be sent again; if not, somebody replays what they recorded.`;

/** What this node registered, once it is noted: n8n writes it down after the service may have begun to deliver. */
async function awaited({ state, options }: Call, isProbe: boolean): Promise<Registration[]> {
  const limitMs = isProbe || !options.verifyCredentials ? 0 : LONGEST_WAIT_MS;
  for (let waitedMs = 0; waitedMs < limitMs && state.list().length === 0; waitedMs += STEP_MS) await sleep(STEP_MS);
  return state.list();
}

/**
 * Whether user name and password are those of a webhook that was registered, or those that one is being given at this
 * moment: n8n may have been killed before it noted them.
 */
async function isCaller(call: Call, header: unknown): Promise<boolean> {
  const { context, state } = call;
  const registered = state.list().map((one) => one.credentialDigest);
  if (isKnownCaller(header, registered)) return true;
  if (typeof header !== 'string') return false;
  const { user_name, user_password } = deliveryCredentials(await accountOf(call), identityOf(context), state.kind);
  return isKnownCaller(header, [credentialDigest(user_name, user_password)]);
}

const accountOf = async ({ context }: Call): Promise<Account> =>
  readAccount(await context.getCredentials(CREDENTIAL_NAME), context.getNode());

/** The key that was registered, and if that one did not sign, those that a person entered. */
async function securityKeys(call: Call, { sealedKey }: Registration, rawBody: Buffer, headers: IDataObject) {
  const { context, state, options } = call;
  const known = sealedKey === undefined ? undefined : openedBefore(sealedKey);
  const own = known === undefined ? [] : [known];
  const result = checkSignature(rawBody, headers, own, options.signatureHeader);
  if (result === 'valid' || (result === 'absent' && known !== undefined)) return own;
  const credential = await context.getCredentials(CREDENTIAL_NAME);
  const account = readAccount(credential, context.getNode());
  const opened = sealedKey === undefined ? undefined : (known ?? open(sealedKey, account, state.mark));
  const entered = asText(credential.webhookSecretKeys).split(/[\s,]+/);
  return [...(opened === undefined ? [] : [opened]), ...entered].filter((key) => key !== '');
}

/** Counts only what comes from a caller who knew the password, so that a stranger can't have the webhook replaced. */
function countMismatch(
  { options, state }: Call,
  payload: Payload,
  { webhook_id }: Registration,
  result: string,
): number {
  if (!options.verifyCredentials || payload.event === PROBE_EVENT) return 0;
  if (result !== 'valid' && result !== 'invalid') return 0;
  return state.countMismatch(webhook_id, result === 'valid');
}
