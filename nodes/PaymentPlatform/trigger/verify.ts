import { sleep, type ICredentialDataDecryptedObject, type IDataObject, type IWebhookFunctions } from 'n8n-workflow';

import { PROBE_EVENT } from '../fields/events';
import { accountProblem, CREDENTIAL_NAME, readAccount } from '../service/account';
import type { Account } from '../model/types';
import { asText } from '../shared/objects';
import { deliveryCredentials } from './credentials';
import { isRecent, readPayload, recordedAt, type Payload, type DeliveryRefusal } from './delivery';
import type { ReceiveOptions } from './description';
import { MISMATCHES_OF_A_CHANGED_KEY } from './registration';
import { open, openedBefore } from './seal';
import { identityOf, type Registration, type TriggerState } from './state';
import { checkSignature, credentialDigest, isKnownCaller, signatureRefusal } from './signature';

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

const refused = (status: DeliveryRefusal['status'], reason: string, problem?: string) => ({
  refusal: { status, reason, ...(problem !== undefined && { problem }) },
});

/** Checks that a call comes from the service, and that its content is what the registered webhook may deliver. */
export async function verify(call: Call): Promise<{ refusal: DeliveryRefusal } | Verified> {
  const { context, options, rawBody } = call;
  const headers: IDataObject = context.getHeaderData();
  const isKnown = await isCaller(call, headers.authorization);
  if (options.verifyCredentials && !isKnown)
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
  if (typeof payload.is_test === 'boolean' && payload.is_test !== (registration.environment === 'test'))
    return refused(401, 'the body names another environment');
  return (await checkContent(call, { payload, registration, headers, isKnown })) ?? { payload, registration };
}

const isNamed = ({ webhook_id }: Payload, registration: Registration) =>
  webhook_id === undefined || Number(webhook_id) === registration.webhook_id;

/** A call whose webhook is known, and whether its caller knew the password. */
interface Content {
  payload: Payload;
  registration: Registration;
  headers: IDataObject;
  isKnown: boolean;
}

/** Refuses content that is not signed as the options require, or is too old. A stranger is only told 401. */
async function checkContent(call: Call, content: Content): Promise<{ refusal: DeliveryRefusal } | undefined> {
  const { options, rawBody = Buffer.alloc(0) } = call;
  const { payload, registration, headers, isKnown } = content;
  const { keys, unusable } = await securityKeys(call, registration, rawBody, headers);
  const result = checkSignature(rawBody, headers, keys, options.signatureHeader);
  const mismatches = unusable === undefined ? countMismatch(call, content, result) : 0;
  // The service may probe the address before it tells the key.
  const mayBeUnsigned = payload.event === PROBE_EVENT && keys.length === 0;
  const reason = mayBeUnsigned ? undefined : signatureRefusal(options.signature, result);
  if (reason !== undefined && !isKnown) return refused(401, reason);
  if (reason !== undefined && (keys.length === 0 || unusable !== undefined))
    return refused(503, reason, noKey(registration, unusable));
  if (reason !== undefined && mismatches >= MISMATCHES_OF_A_CHANGED_KEY)
    return refused(401, reason, keyProblem(registration, 'does not match what the service signs with'));
  if (reason !== undefined) return refused(401, reason);
  // A probe starts no execution, and no document says that a probe has a time.
  if (payload.event === PROBE_EVENT || isRecent(payload.db_timestamp, options.mostMinutes)) return undefined;
  const isRead = recordedAt(payload.db_timestamp) !== undefined;
  const age = isRead ? `is older than ${options.mostMinutes} minutes` : 'has no time that can be read';
  return refused(401, `the event ${age}`, isKnown || result === 'valid' ? tooOld(age) : undefined);
}

const ENTER_KEY = `Enter the key in the credential's field "Webhook Security Keys", which takes effect at once`;

const keyProblem = ({ webhook_id }: Registration, what: string) =>
  `The security key of webhook ${webhook_id} ${what}, so its deliveries are refused. ${ENTER_KEY}. Or deactivate the workflow and activate it again (in n8n 2: unpublish and publish it), which makes a new webhook.`;

/** @param unusable what is wrong with the credential, which alone can open the key. */
function noKey(registration: Registration, unusable: string | undefined): string {
  if (unusable !== undefined)
    return `The deliveries of webhook ${registration.webhook_id} are answered with 503, because the trigger can't use its credential: ${unusable}. Correct the credential. The service sends the deliveries again, for an hour unless your portal says otherwise.`;
  if (registration.sealedKey !== undefined)
    return keyProblem(registration, 'can not be read, because the credential was changed');
  return `The service gave no security key for webhook ${registration.webhook_id}, so its deliveries can't be verified and are refused. ${ENTER_KEY}. Or set the trigger's option "Signature" to "When Present", which also lets in deliveries without a signature.`;
}

const tooOld = (age: string) =>
  `A delivery was refused because its event ${age} (the trigger reads the time as UTC). If the service sent the delivery, raise the option "Max Age" and have the service send the event again. If it did not, someone sent a recorded delivery again.`;

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
  const { account } = await readCredential(call);
  if (!account) return false;
  const { user_name, user_password } = deliveryCredentials(account, identityOf(context), state.kind);
  return isKnownCaller(header, [credentialDigest(user_name, user_password)]);
}

interface CredentialRead {
  credential: ICredentialDataDecryptedObject;
  /** None while the credential can't be used. */
  account?: Account;
  /** Why it can't be used. */
  unusable?: string;
}

/** Reads the credential. Never throws: n8n would answer 500, and no person would learn why. */
async function readCredential({ context }: Call): Promise<CredentialRead> {
  try {
    const credential = await context.getCredentials(CREDENTIAL_NAME);
    const unusable = accountProblem(credential);
    if (unusable !== undefined) return { credential, unusable };
    return { credential, account: readAccount(credential, context.getNode()) };
  } catch {
    return { credential: {}, unusable: 'n8n can not read it' };
  }
}

/** The key that was registered, and if that one did not sign, those that a person entered. */
async function securityKeys(
  call: Call,
  { sealedKey }: Registration,
  rawBody: Buffer,
  headers: IDataObject,
): Promise<{ keys: string[]; unusable?: string }> {
  const { state, options } = call;
  const known = sealedKey === undefined ? undefined : openedBefore(sealedKey);
  const own = known === undefined ? [] : [known];
  const result = checkSignature(rawBody, headers, own, options.signatureHeader);
  if (result === 'valid' || (result === 'absent' && known !== undefined)) return { keys: own };
  const { credential, account, unusable } = await readCredential(call);
  const opened = known ?? (sealedKey !== undefined && account && open(sealedKey, account, state.mark));
  const entered = asText(credential.webhookSecretKeys).split(/[\s,]+/);
  const keys = [...(opened ? [opened] : []), ...entered].filter((key) => key !== '');
  return { keys, ...(!opened && { unusable }) };
}

/** Counts only what comes from a caller who knew the password, so that a stranger can't have the webhook replaced. */
function countMismatch({ state }: Call, { payload, registration, isKnown }: Content, result: string): number {
  if (!isKnown || payload.event === PROBE_EVENT) return 0;
  if (result !== 'valid' && result !== 'invalid') return 0;
  return state.countMismatch(registration.webhook_id, result === 'valid');
}
