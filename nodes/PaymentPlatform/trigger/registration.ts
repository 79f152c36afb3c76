import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { PROBE_EVENT } from '../fields/events';
import { now, timeText } from '../fields/kinds/date';
import { unreadableFailure } from '../messages/describe-answers';
import type { Failure } from '../model/failure';
import { timeZoneOf } from '../n8n/read-parameter';
import { asText, isObject } from '../shared/objects';
import { disable, disableUnwanted, nameOtherAccounts } from './disabling';
import { activating, type ActivationContext, beginActivation, beginUnlessStarting, inTurn, log } from './hooks';
import { open, openedBefore, seal } from './seal';
import { ACTIVATE_AGAIN, isUnknownPath, isUnreadable, registrationError } from './service';
import { readWebhookId, type Registration } from './stored-data';
import { elsewhere, eventsOf, isOthers, own, listedAs, type Target, webhookBody, webhookDiffers } from './target';

/**
 * After this number of consecutive wrong signatures, the trigger assumes that the security key changed. The service
 * doesn't return the new key, so the trigger creates a new webhook.
 */
export const MISMATCHES_OF_A_CHANGED_KEY = 3;
/** A replaced webhook delivers its remaining events while the service repeats deliveries (service.md#deliveries). */
const DRAIN_MS = 60 * 60 * 1000;

/**
 * Ensures one active webhook with the desired settings. Checks and creates in one turn, so that no other hook of the
 * node runs in between.
 * @throws NodeApiError with the service's message and advice.
 * @throws NodeOperationError if a parameter is invalid.
 */
export async function activateWebhook(context: IHookFunctions): Promise<boolean> {
  return await inTurn(
    context,
    async () =>
      await activating(context, async () => (await checkWebhook(context)) || (await registerWebhook(context))),
  );
}

/**
 * Repairs differences from the desired settings.
 * @returns false if the node must create a webhook.
 */
export async function checkWebhook(context: IHookFunctions): Promise<boolean> {
  const work = await beginUnlessStarting(context);
  if (!work) return true;
  const { state, target, service } = work;
  const known = state.find(target.account, target.notification_url);
  const listed = await service.list();
  if (!Array.isArray(listed)) return withoutList(work, known, listed);
  const record = known && findOwn(listed, target, known.webhook_id);
  const kept = known && record && isUsable(known, target) && (await repair(work, known, record));
  if (!kept) return false;
  const wasSwitchedOff = record.status === 'SUSPENDED' || (known.active && record.status !== 'ACTIVE');
  keep(work, known, resealed(known, target));
  await settle(work, listed, [known.webhook_id], wasSwitchedOff ? [switchedOff(record, timeZoneOf(context))] : []);
  return true;
}

/** Excludes a webhook of another client. */
const findOwn = (listed: IDataObject[], target: Target, webhookId: string): IDataObject | undefined =>
  listedAs(listed, webhookId).find((record) => !isOthers(record, target));

/** Stores the new webhook's ID and security key. The previous webhook delivers only its remaining events. */
export async function registerWebhook(context: IHookFunctions): Promise<boolean> {
  timeZoneOf(context);
  const work = await beginActivation(context);
  const { state, target, service } = work;
  const replaced = state.find(target.account, target.notification_url);
  const made = await createWebhook(work);
  if ('message' in made) throw registrationError(context.getNode(), 'register the webhook', made);
  if (replaced?.active && isReadable(replaced, target))
    state.keepReplaced(target.account, replaced, Date.now() + DRAIN_MS);
  keep(work, made, made.security_key && seal(made.security_key, target.account, target.mark));
  const listed = await service.list();
  if (Array.isArray(listed)) {
    const newer = newerThan(listed, target, made.webhook_id);
    const notices = newer.map(madeByAnother);
    for (const text of notices) log(context, 'warn', text);
    await settle(work, listed, [made.webhook_id, ...newer], notices);
  } else if (replaced) nameReplaced(work, replaced);
  return true;
}

/**
 * Another n8n process created the newer webhooks at the same time. Only the process with the newer webhook disables the
 * other webhook, so that one remains.
 */
const newerThan = (listed: IDataObject[], target: Target, webhookId: string): string[] =>
  own(listed, target)
    .filter(({ status }) => status !== 'DISABLED')
    .map(({ webhook_id }) => asText(webhook_id))
    .filter((other) => BigInt(other) > BigInt(webhookId));

const madeByAnother = (webhookId: string) =>
  `Another n8n process created webhook ${webhookId} of this node at the same time. To keep only one webhook, ${ACTIVATE_AGAIN}.`;

function nameReplaced({ context, state }: ActivationContext, { webhook_id }: Registration): void {
  const text = `Webhook ${webhook_id} was replaced and may still be active. Disable the webhook in the merchant portal.`;
  log(context, 'warn', text);
  state.notices = [...state.notices, text];
}

const switchedOff = ({ webhook_id, status }: IDataObject, zone: string) =>
  `Webhook ${asText(webhook_id)} had the status ${asText(status)} until the trigger switched it on again at ${timeText(now(), zone)}. Check the service for events that were not delivered.`;

async function settle(
  work: ActivationContext,
  listed: IDataObject[],
  kept: string[],
  notices: string[],
): Promise<void> {
  const { context, state, target, service } = work;
  state.managementUnavailable = false;
  const draining = state.listOf(target.account).filter(({ drainsUntil = 0 }) => drainsUntil > Date.now());
  for (const { webhook_id } of draining) {
    const record = findOwn(listed, target, webhook_id);
    // Leaves the probe as the only event, because the API doesn't specify which events a webhook without events
    // receives.
    if (record?.status === 'ACTIVE' && JSON.stringify(eventsOf(record)) !== JSON.stringify([PROBE_EVENT]))
      await service.update(webhook_id, { events: [PROBE_EVENT] });
  }
  await disableUnwanted(work, listed, [...kept, ...draining.map(({ webhook_id }) => webhook_id)]);
  const said = [...notices];
  for (const record of elsewhere(listed, target)) {
    const [webhookId, notification_url] = [asText(record.webhook_id), asText(record.notification_url)];
    const one = { webhook_id: webhookId, mark: target.mark, notification_url };
    if (target.switchOffElsewhere && (await disable(work, listed, one)) === undefined) continue;
    const text = `Webhook ${webhookId} of this node also exists at another address: ${notification_url}. The address belongs to a clone of this n8n instance or was used before. If you don't need this webhook, switch it off in the merchant portal or with the option "Disable Webhooks at Other URLs".`;
    log(context, 'warn', text);
    said.push(text);
  }
  state.notices = [...said, ...nameOtherAccounts(work)];
}

interface CreatedWebhook {
  webhook_id: string;
  security_key?: string;
}

/**
 * If the outcome is unknown, disables the webhook that the first attempt may have created, and makes a second attempt.
 */
async function createWebhook(work: ActivationContext): Promise<Failure | CreatedWebhook> {
  const first = await createOnce(work);
  if (!('outcome' in first) || first.outcome !== 'unknown') return first;
  const listed = await work.service.list();
  const stored = work.state.listOf(work.target.account).map(({ webhook_id }) => webhook_id);
  if (Array.isArray(listed) && (await disableUnwanted(work, listed, stored))) return await createOnce(work);
  const lookUp = `The service may have created a webhook anyway, with the label "${work.target.label}".`;
  return { ...first, advice: `${first.advice} ${lookUp}`.trim() };
}

async function createOnce({ service, target }: ActivationContext): Promise<Failure | CreatedWebhook> {
  const { webhook_node } = target;
  const answer = await service.create({ ...webhookBody(target), ...(webhook_node !== undefined && { webhook_node }) });
  if (!answer.ok) return answer.failure;
  const made = isObject(answer.record) ? answer.record : {};
  const webhookId = readWebhookId(made.webhook_id);
  if (webhookId === undefined) return unreadableFailure(200);
  const key = made.security_key ?? made.secret;
  return { webhook_id: webhookId, ...(typeof key === 'string' && key !== '' && { security_key: key }) };
}

/**
 * Decides from the stored webhooks.
 * @returns false if the node must create a webhook.
 * @throws NodeApiError unless the account can't manage webhooks, or the list is unreadable and this process has
 * activated the webhook with the desired settings.
 */
function withoutList(work: ActivationContext, known: Registration | undefined, failure: Failure): boolean {
  const { context, state, target } = work;
  const isCurrent = known !== undefined && isReadable(known, target) && sameStored(known, target);
  const isUnavailable = isUnknownPath(failure);
  if (!isUnavailable && !(isUnreadable(failure) && isCurrent && state.isActiveHere(known)))
    throw registrationError(context.getNode(), 'list its webhooks', failure);
  if (isUnavailable && known && wasSwitchedOff(known))
    throw registrationError(context.getNode(), 'list its webhooks', { ...failure, advice: switchedOffAdvice(known) });
  state.managementUnavailable = isUnavailable;
  const text = isUnavailable ? NO_MANAGEMENT : uncheckedText(failure);
  log(context, 'warn', text);
  // The output already names an account that can't manage webhooks.
  state.notices = [...(isUnavailable ? [] : [text]), ...nameOtherAccounts(work)];
  if (isCurrent) keep(work, known, resealed(known, target));
  return isCurrent;
}

const NO_MANAGEMENT =
  "This account can't list, change or disable webhooks. The trigger works without this access. Switch off webhooks that you no longer need in the merchant portal.";

const uncheckedText = ({ message }: Failure) =>
  `The trigger kept its webhook without a check, because it could not list its webhooks: ${message}.`;

/** Only an account that can manage webhooks can disable a webhook. */
const wasSwitchedOff = ({ active, leftActive }: Registration) => !active && leftActive === undefined;

const switchedOffAdvice = ({ webhook_id }: Registration) =>
  `The trigger switched off webhook ${webhook_id} and can't switch it on again, so no events would arrive. Activate the workflow again. If your account can no longer manage webhooks, replace this trigger with a new one, which creates its own webhook`;

const sameStored = (known: Registration, target: Target) =>
  known.credentialDigest === target.credentialDigest &&
  known.notification_url === target.notification_url &&
  known.webhook_node === target.webhook_node &&
  JSON.stringify(known.events) === JSON.stringify(target.events);

/** The service can't change the merchant of a webhook. */
const isUsable = (known: Registration, target: Target): boolean =>
  isReadable(known, target) && known.webhook_node === target.webhook_node;

/** The security key must be current, and the credential must be able to decrypt it. */
function isReadable({ sealedKey, mismatches = 0 }: Registration, target: Target): boolean {
  const isOpen = sealedKey === undefined || keyOf(sealedKey, target) !== undefined;
  return isOpen && mismatches < MISMATCHES_OF_A_CHANGED_KEY;
}

const keyOf = (sealed: string, { account, mark }: Target) => openedBefore(sealed) ?? open(sealed, account, mark);

function resealed({ sealedKey }: Registration, target: Target): string | undefined {
  if (sealedKey === undefined || open(sealedKey, target.account, target.mark) !== undefined) return sealedKey;
  const key = keyOf(sealedKey, target);
  return key && seal(key, target.account, target.mark);
}

/** @returns false if the webhook no longer exists or the account can't change it. */
async function repair(
  { context, service, target }: ActivationContext,
  known: Registration,
  record: IDataObject,
): Promise<boolean> {
  const steps = [
    ...(webhookDiffers(record, target) || known.credentialDigest !== target.credentialDigest
      ? [async () => await service.update(known.webhook_id, webhookBody(target))]
      : []),
    ...(record.status === 'ACTIVE' ? [] : [async () => await service.enable(known.webhook_id)]),
  ];
  for (const step of steps) {
    const answer = await step();
    if (!answer.ok && isUnknownPath(answer.failure)) return false;
    if (!answer.ok) throw registrationError(context.getNode(), 'change the webhook', answer.failure);
  }
  return true;
}

function keep(
  { state, target }: ActivationContext,
  { webhook_id }: Pick<Registration, 'webhook_id'>,
  sealedKey?: string,
): void {
  const { notification_url, mark, events, webhook_node, account, credentialDigest } = target;
  state.keep(account, {
    webhook_id,
    ...(sealedKey !== undefined && { sealedKey }),
    notification_url,
    mark,
    events,
    ...(webhook_node !== undefined && { webhook_node }),
    environment: account.environment,
    credentialDigest,
    active: true,
  });
}
