import { sleep, type ICredentialDataDecryptedObject, type IDataObject, type IWebhookFunctions } from 'n8n-workflow';

import { PROBE_EVENT } from '../fields/events';
import { accountProblem, CREDENTIAL_NAME, readAccount } from '../service/account';
import type { Account } from '../model/types';
import { asText } from '../shared/objects';
import { deliveryCredentials } from './credentials';
import { ageProblem, readPayload, type Payload, type DeliveryRefusal } from './delivery';
import type { ReceiveOptions } from './description';
import { MISMATCHES_OF_A_CHANGED_KEY } from './registration';
import { open, openedBefore } from './seal';
import { ACTIVATE_AGAIN } from './service';
import { identityOf, type TriggerState } from './state';
import { type Registration, readWebhookId } from './stored-data';
import { checkSignature, credentialDigest, isKnownCaller, signatureRefusal } from './signature';

/** Maximum wait until an activation in this process has stored its registration. */
const LONGEST_WAIT_MS = 1_500;
const STEP_MS = 50;

export interface Call {
  context: IWebhookFunctions;
  options: ReceiveOptions;
  state: TriggerState;
  /** Missing if n8n parsed the call as a form. */
  rawBody: Buffer | undefined;
}

interface Verified {
  payload: Payload;
  /** Missing for a probe that arrives before the node has stored a registration. */
  registration?: Registration;
}

const refused = (status: DeliveryRefusal['status'], reason: string, problem?: string) => ({
  refusal: { status, reason, ...(problem !== undefined && { problem }) },
});

/** Verifies that the service sent the call and that the registered webhook may deliver its content. */
export async function verify(call: Call): Promise<{ refusal: DeliveryRefusal } | Verified> {
  const { context, options, rawBody } = call;
  const headers: IDataObject = context.getHeaderData();
  const { isKnown, unusable } = await checkCaller(call, headers.authorization);
  if (options.verifyCredentials && !isKnown && unusable !== undefined)
    return refused(503, "the trigger can't check the user name and password", unusableCredential(unusable));
  if (options.verifyCredentials && !isKnown) return refused(401, 'the user name and password do not match the webhook');
  if (rawBody && rawBody.length > options.mostBytes)
    return refused(413, `the body is larger than ${options.mostBytes} bytes`);
  const read = readPayload(rawBody);
  if ('refusal' in read) return read;
  const { payload } = read;
  const isProbe = payload.event === PROBE_EVENT;
  const registration = await findRegistration(call, payload, isKnown && !isProbe);
  const isRegistered = call.state.accepted().length > 0;
  // The service may send a probe before returning the security key. A probe starts no execution.
  if (!registration && isProbe && (isKnown || !isRegistered)) return { payload };
  if (!registration) return isKnown || !isRegistered ? unregistered(payload, isKnown) : OTHER_WEBHOOK;
  if (typeof payload.is_test === 'boolean' && payload.is_test !== (registration.environment === 'test'))
    // The stored data is outdated if the password is that of the credential and not that of the registration.
    return isKnown && !isKnownCaller(headers.authorization, [registration.credentialDigest])
      ? unregistered(payload, isKnown)
      : refused(401, 'the body is from another environment');
  return (await checkContent(call, { payload, registration, headers, isKnown })) ?? { payload, registration };
}

const OTHER_WEBHOOK = refused(401, 'the body contains the ID of another webhook');

/** Refuses a delivery of a webhook that isn't in the stored data, which n8n can overwrite (n8n.md#static-data). */
const unregistered = ({ webhook_id }: Payload, isKnown: boolean) =>
  refused(503, 'the webhook is not registered', isKnown ? notRegistered(readWebhookId(webhook_id)) : undefined);

function notRegistered(webhookId: string | undefined): string {
  const webhook = webhookId === undefined ? 'a webhook without a valid ID' : `webhook ${webhookId}`;
  return `The trigger rejects the deliveries of ${webhook} with status 503, because the last activation didn't register this webhook or n8n lost the data of the activation. To register a webhook, ${ACTIVATE_AGAIN}. Then check the service for events that were not delivered. If the activation ended only a moment ago, the service delivers the event again.`;
}

const isNamed = ({ webhook_id }: Payload, registration: Registration) =>
  webhook_id === undefined || webhook_id === null || readWebhookId(webhook_id) === registration.webhook_id;

/** `isKnown` is true if the call contained the right password. */
interface Content {
  payload: Payload;
  registration: Registration;
  headers: IDataObject;
  isKnown: boolean;
}

/**
 * Rejects content that lacks the required signature or is too old. Callers without the right password receive only
 * status 401.
 */
async function checkContent(call: Call, content: Content): Promise<{ refusal: DeliveryRefusal } | undefined> {
  const { options, rawBody = Buffer.alloc(0) } = call;
  const { payload, registration, headers, isKnown } = content;
  const { keys, lacksOwn, unusable } = await securityKeys(call, registration, rawBody, headers);
  const result = checkSignature(rawBody, headers, keys, options.signatureHeader);
  const mismatches = lacksOwn ? 0 : countMismatch(call, content, result);
  // The service may send a probe before returning the security key, so an unsigned probe is valid.
  const mayBeUnsigned = payload.event === PROBE_EVENT && keys.length === 0;
  const reason = mayBeUnsigned ? undefined : signatureRefusal(options.signature, result);
  if (reason !== undefined && !isKnown) return refused(401, reason);
  if (reason !== undefined && (keys.length === 0 || lacksOwn))
    return refused(503, reason, noKey(registration, unusable));
  if (reason !== undefined && mismatches >= MISMATCHES_OF_A_CHANGED_KEY)
    return refused(401, reason, keyProblem(registration, 'does not match the signatures of the service'));
  if (reason !== undefined) return refused(401, reason);
  // A probe starts no execution, and the API doesn't specify its time, so the trigger accepts any time.
  const limits = { mostMinutes: options.mostMinutes, isTest: registration.environment === 'test' };
  const age = payload.event === PROBE_EVENT ? undefined : ageProblem(payload.db_timestamp, limits);
  if (age === undefined) return undefined;
  return refused(401, `the event ${age}`, isKnown || result === 'valid' ? notRecent(age) : undefined);
}

const ENTER_KEY = `Enter the key in the "Webhook Security Keys" field of the credential. The key takes effect immediately`;

const keyProblem = ({ webhook_id }: Registration, what: string) =>
  `The security key of webhook ${webhook_id} ${what}, so the trigger rejects the deliveries of this webhook. ${ENTER_KEY}. Alternatively, ${ACTIVATE_AGAIN}, which creates a new webhook.`;

const unusableCredential = (reason: string) =>
  `The trigger rejects deliveries with status 503, because it can't use its credential: ${reason}. Correct the credential. The service retries the deliveries, by default for one hour.`;

/** @param unusable problem that prevents decryption of the security key. */
function noKey(registration: Registration, unusable: string | undefined): string {
  if (unusable !== undefined) return unusableCredential(unusable);
  if (registration.sealedKey !== undefined)
    return keyProblem(registration, "can't be read, because the credential has changed or the stored key is damaged");
  return `The service returned no security key for webhook ${registration.webhook_id}, so the trigger can't verify the deliveries and rejects them. ${ENTER_KEY}. Alternatively, set the option "Signature" to "When Present", which accepts all deliveries until the trigger has a key.`;
}

const notRecent = (age: string) =>
  `The trigger rejected a delivery, because its event ${age} (the trigger interprets event times as UTC). If the service sent the delivery, set the option "Max Age (Minutes)" to a larger number to accept older events, or to 0 to accept any event time, and resend the event from the service. Otherwise, someone may have replayed a recorded delivery.`;

/** Waits if the service delivers before the activation has stored the registration. */
async function findRegistration(
  { state }: Call,
  payload: Payload,
  mayWait: boolean,
): Promise<Registration | undefined> {
  const limitMs = mayWait ? LONGEST_WAIT_MS : 0;
  for (let waitedMs = 0; ; waitedMs += STEP_MS) {
    const found = state.accepted().find((one) => isNamed(payload, one));
    if (found || waitedMs >= limitMs) return found;
    await sleep(STEP_MS);
  }
}

/** `unusable` is the reason why the trigger can't check any password. */
interface Caller {
  isKnown: boolean;
  unusable?: string;
}

/** Also accepts a webhook that n8n did not store because it was killed. */
async function checkCaller(call: Call, header: unknown): Promise<Caller> {
  const { context, state } = call;
  const registered = state.accepted().map((one) => one.credentialDigest);
  if (isKnownCaller(header, registered)) return { isKnown: true };
  if (typeof header !== 'string') return { isKnown: false };
  const { account, unusable } = await readCredential(call);
  if (!account) return { isKnown: false, ...(registered.length === 0 && { unusable }) };
  const { user_name, user_password } = deliveryCredentials(account, identityOf(context), state.kind);
  return { isKnown: isKnownCaller(header, [credentialDigest(user_name, user_password)]) };
}

interface CredentialRead {
  credential: ICredentialDataDecryptedObject;
  account?: Account;
  unusable?: string;
}

/** Never throws, because n8n would respond with status 500 and hide the reason from the user. */
async function readCredential({ context }: Call): Promise<CredentialRead> {
  try {
    const credential = await context.getCredentials(CREDENTIAL_NAME);
    const unusable = accountProblem(credential);
    if (unusable !== undefined) return { credential, unusable };
    return { credential, account: readAccount(credential, context.getNode()) };
  } catch {
    return { credential: {}, unusable: "n8n can't read it" };
  }
}

/**
 * If the registered key didn't create the signature, adds the keys that the user entered. `lacksOwn`: the trigger can't
 * decrypt the registered key, so a wrong signature proves nothing.
 */
async function securityKeys(
  call: Call,
  { sealedKey }: Registration,
  rawBody: Buffer,
  headers: IDataObject,
): Promise<{ keys: string[]; lacksOwn: boolean; unusable?: string }> {
  const { state, options } = call;
  const known = sealedKey === undefined ? undefined : openedBefore(sealedKey);
  const own = known === undefined ? [] : [known];
  const result = checkSignature(rawBody, headers, own, options.signatureHeader);
  if (result === 'valid' || (result === 'absent' && known !== undefined)) return { keys: own, lacksOwn: false };
  const { credential, account, unusable } = await readCredential(call);
  const opened = known ?? (sealedKey !== undefined && account && open(sealedKey, account, state.mark));
  const entered = asText(credential.webhookSecretKeys).split(/[\s,]+/);
  const keys = [...(opened ? [opened] : []), ...entered].filter((key) => key !== '');
  return {
    keys,
    lacksOwn: !opened && (sealedKey !== undefined || unusable !== undefined),
    ...(!opened && { unusable }),
  };
}

/** Requires the right password, so that other callers can't make the trigger replace its webhook. */
function countMismatch({ state }: Call, { payload, registration, isKnown }: Content, result: string): number {
  if (!isKnown || payload.event === PROBE_EVENT) return 0;
  if (result !== 'valid' && result !== 'invalid') return 0;
  return state.countMismatch(registration, result === 'valid');
}
