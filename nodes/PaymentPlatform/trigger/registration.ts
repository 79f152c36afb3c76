import { NodeOperationError, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import { PROBE_EVENT } from '../fields/events';
import { unreadableFailure } from '../messages/describe-answers';
import type { Failure } from '../model/failure';
import { asText, isObject } from '../shared/objects';
import { activating } from './activation';
import { disable, disableUnwanted, nameOtherAccounts } from './disabling';
import { open, openedBefore, seal } from './seal';
import { WebhookService, isUnknownPath, registrationError } from './service';
import { TriggerState, type Registration } from './state';
import { checkAddress, webhookDiffers, elsewhere, eventsOf, own, readTarget, webhookBody, type Target } from './target';
import { log, type HookContext } from './hook-context';

/**
 * Number of consecutive wrong signatures after which the trigger assumes that the security key changed. The service
 * doesn't return the new key, so the trigger creates a new webhook.
 */
export const MISMATCHES_OF_A_CHANGED_KEY = 3;
/**
 * Period in milliseconds in which a replaced webhook delivers its remaining events. By default, the service repeats
 * deliveries for the same period (service.md#deliveries).
 */
const DRAIN_MS = 60 * 60 * 1000;

/**
 * Checks that the node's webhook exists at the service, is active and has the desired settings. Repairs differences.
 * @returns false if n8n must create a webhook.
 * @throws NodeApiError if the service can't be reached or refuses a repair.
 * @throws NodeOperationError if a parameter is invalid.
 */
export async function checkWebhook(context: IHookFunctions): Promise<boolean> {
  return await activating(context, async () => {
    const work = await beginUnlessStarting(context);
    if (!work) return true;
    const { state, target, service } = work;
    const known = state.find(target.account, target.notification_url);
    const listed = await service.list();
    if (!Array.isArray(listed)) return withoutManagement(work, known, listed);
    const record = own(listed, target).find(({ webhook_id }) => Number(webhook_id) === known?.webhook_id);
    const kept = known && record && isUsable(known, target) && (await repair(work, known, record));
    if (!kept) return false;
    const wasSwitchedOff = record.status === 'SUSPENDED' || (known.active && record.status !== 'ACTIVE');
    keep(work, known, resealed(known, target));
    await settle(work, listed, known.webhook_id, wasSwitchedOff ? [switchedOff(record)] : []);
    return true;
  });
}

/**
 * Creates a webhook and stores its ID and security key. The previous webhook delivers only its remaining events.
 * @throws NodeApiError with the service's message and advice.
 * @throws NodeOperationError if a parameter is invalid.
 */
export async function registerWebhook(context: IHookFunctions): Promise<boolean> {
  return await activating(context, async () => {
    const work = await begin(context);
    const { state, target, service } = work;
    const replaced = state.find(target.account, target.notification_url);
    const made = await make(work, replaced);
    if ('message' in made) throw registrationError(context.getNode(), 'register the webhook', made);
    if (replaced?.active && isReadable(replaced, target))
      state.keepReplaced(target.account, replaced, Date.now() + DRAIN_MS);
    keep(work, made, made.security_key && seal(made.security_key, target.account, target.mark));
    const listed = await service.list();
    if (Array.isArray(listed)) await settle(work, listed, made.webhook_id);
    else if (replaced) nameReplaced(work, replaced);
    return true;
  });
}

function nameReplaced({ context, state }: HookContext, { webhook_id }: Registration): void {
  const text = `Webhook ${webhook_id} was replaced and may still be active. Disable the webhook in the merchant portal.`;
  log(context, 'warn', text);
  state.notices = [...state.notices, text];
}

const switchedOff = ({ webhook_id, status }: IDataObject) =>
  `Webhook ${asText(webhook_id)} had the status ${asText(status)} until the trigger switched it on again at ${new Date().toISOString()}. Check the service for events that were not delivered.`;

async function settle(work: HookContext, listed: IDataObject[], kept: number, notices: string[] = []): Promise<void> {
  const { context, state, target, service } = work;
  state.managementUnavailable = false;
  const draining = state.listOf(target.account).filter(({ drainsUntil = 0 }) => drainsUntil > Date.now());
  for (const { webhook_id } of draining) {
    const record = own(listed, target).find((one) => Number(one.webhook_id) === webhook_id);
    // Leaves the probe as the only event, because the API doesn't specify which events a webhook without events
    // receives.
    if (record?.status === 'ACTIVE' && JSON.stringify(eventsOf(record)) !== JSON.stringify([PROBE_EVENT]))
      await service.update(webhook_id, { events: [PROBE_EVENT] });
  }
  await disableUnwanted(work, listed, [kept, ...draining.map(({ webhook_id }) => webhook_id)]);
  const said = [...notices];
  for (const { webhook_id, notification_url } of elsewhere(listed, target)) {
    if (target.switchOffElsewhere && (await disable(work, Number(webhook_id))) === undefined) continue;
    const text = `Webhook ${asText(webhook_id)} of this node also exists at another address: ${asText(notification_url)}. The address belongs to a clone of this n8n instance or was used before. If you don't need this webhook, switch it off in the merchant portal or with the option "Disable Webhooks at Other URLs".`;
    log(context, 'warn', text);
    said.push(text);
  }
  state.notices = [...said, ...nameOtherAccounts(work)];
}

/**
 * If the outcome is unknown, disables the webhook that the first attempt may have created, and makes a second attempt.
 */
async function make(work: HookContext, replaced: Registration | undefined) {
  const first = await makeOnce(work);
  if (!('outcome' in first) || first.outcome !== 'unknown') return first;
  const listed = await work.service.list();
  const draining = work.state.listOf(work.target.account).map(({ webhook_id }) => webhook_id);
  if (Array.isArray(listed) && (await disableUnwanted(work, listed, [replaced?.webhook_id, ...draining])))
    return await makeOnce(work);
  const lookUp = `The service may have created a webhook anyway, with the label "${work.target.label}".`;
  return { ...first, advice: `${first.advice} ${lookUp}`.trim() };
}

type Made = Pick<Registration, 'webhook_id'> & { security_key?: string };

async function makeOnce({ service, target }: HookContext): Promise<Failure | Made> {
  const { webhook_node } = target;
  const answer = await service.create({ ...webhookBody(target), ...(webhook_node !== undefined && { webhook_node }) });
  if (!answer.ok) return answer.failure;
  const made = isObject(answer.record) ? answer.record : {};
  const webhookId = Number(made.webhook_id);
  if (!Number.isSafeInteger(webhookId)) return unreadableFailure(200);
  const key = made.security_key ?? made.secret;
  return { webhook_id: webhookId, ...(typeof key === 'string' && key !== '' && { security_key: key }) };
}

/**
 * If the credential is invalid when n8n starts, keeps the webhook unchanged. After an error, n8n would respond to
 * deliveries with 404, and the trigger could not report the reason.
 */
async function beginUnlessStarting(context: IHookFunctions): Promise<HookContext | undefined> {
  const url = context.getNodeWebhookUrl('default') ?? '';
  const isRegistered = ({ active, notification_url }: Registration) => active && notification_url === url;
  const isStarting = context.getActivationMode() === 'init';
  if (!isStarting || !TriggerState.open(context, url).list().some(isRegistered)) return await begin(context);
  return await begin(context).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : "n8n can't read the credential";
    log(context, 'error', `The trigger could not check the webhook when n8n started: ${reason}`);
    return undefined;
  });
}

async function begin(context: IHookFunctions): Promise<HookContext> {
  const url = context.getNodeWebhookUrl('default');
  if (url === undefined) throw new NodeOperationError(context.getNode(), 'n8n has no webhook URL for this node');
  const state = TriggerState.open(context, url);
  state.noteUrl(url);
  const target = await readTarget(context, url, state.kind);
  checkAddress(target, context.getNode());
  return { context, state, target, service: new WebhookService(context, target.account) };
}

/** Handles an account that can't manage webhooks. The node then knows only its stored webhooks. */
function withoutManagement(work: HookContext, known: Registration | undefined, failure: Failure) {
  const { context, state, target } = work;
  if (!isUnknownPath(failure)) throw registrationError(context.getNode(), 'list its webhooks', failure);
  if (known && wasSwitchedOff(known))
    throw registrationError(context.getNode(), 'list its webhooks', { ...failure, advice: switchedOffAdvice(known) });
  state.managementUnavailable = true;
  log(
    context,
    'warn',
    "This account can't list, change or disable webhooks. The trigger works without this access. Switch off webhooks that you no longer need in the merchant portal.",
  );
  state.notices = nameOtherAccounts(work);
  if (
    !known ||
    !isReadable(known, target) ||
    known.credentialDigest !== target.credentialDigest ||
    !sameStored(known, target)
  )
    return false;
  keep(work, known, resealed(known, target));
  return true;
}

/** Only an account that can manage webhooks can disable a webhook. */
const wasSwitchedOff = ({ active, leftActive }: Registration) => !active && leftActive === undefined;

const switchedOffAdvice = ({ webhook_id }: Registration) =>
  `The trigger switched off webhook ${webhook_id} and can't switch it on again, so no events would arrive. Activate the workflow again. If your account can no longer manage webhooks, replace this trigger with a new one, which creates its own webhook`;

const sameStored = (known: Registration, target: Target) =>
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

/**
 * Changes and enables a webhook that differs from the desired settings.
 * @returns false if the webhook no longer exists or the account can't change it.
 */
async function repair(
  { context, service, target }: HookContext,
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
  { state, target }: HookContext,
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
