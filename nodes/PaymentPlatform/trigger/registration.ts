import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { unreadableFailure } from '../pipeline/failures';
import { isObject } from '../pipeline/objects';
import type { Failure } from '../pipeline/types';
import { cleanUp, log } from './clean-up';
import { registrationError } from './failure';
import { WebhookService, isNotFound } from './service';
import { TriggerState, type Registration } from './state';
import { checkAddress, differs, eventsOf, readTarget, webhookBody, type Target } from './target';

/** So many signatures in a row that don't match mean that the security key was changed: it can't be fetched again. */
const MISMATCHES_OF_A_CHANGED_KEY = 3;

/** What one call of a webhook method works with. */
interface Work {
  context: IHookFunctions;
  state: TriggerState;
  target: Target;
  service: WebhookService;
}

/**
 * Whether the node's webhook is at the service, ACTIVE, and as the node wants it. What differs is repaired; webhooks that
 * this node left behind (a killed n8n, an answer that got lost) are disabled.
 * @returns false when a webhook has to be made: there is none, its security key is lost, or it differs in what the
 * service can't change.
 * @throws NodeApiError when the service can't be asked or refuses a repair; NodeOperationError for parameters.
 */
export async function checkExists(context: IHookFunctions): Promise<boolean> {
  const work = await begin(context);
  const { state, target, service } = work;
  const known = state.find(target.account, target.notification_url);
  const listed = await service.list();
  if (!Array.isArray(listed)) return withoutManagement(work, known, listed);
  state.managementUnavailable = false;
  const record = listed.find(({ webhook_id }) => known !== undefined && Number(webhook_id) === known.webhook_id);
  const kept = known && record && isUsable(known, record, target) && (await repair(work, known, record));
  if (kept) keep(work, known);
  if (kept) await cleanUp(work, listed, known.webhook_id);
  return kept === true;
}

/**
 * Makes a webhook and keeps its ID and security key; then disables the ones that it replaces, so that no event falls
 * between them.
 * @throws NodeApiError with the service's own words and what to set; NodeOperationError for parameters.
 */
export async function create(context: IHookFunctions): Promise<boolean> {
  const work = await begin(context);
  const { state, target, service } = work;
  const replaced = state.find(target.account, target.notification_url);
  const made = await make(work, replaced);
  if ('message' in made) throw registrationError(context.getNode(), 'register the webhook', made);
  keep(work, made);
  const listed = await service.list();
  if (Array.isArray(listed)) await cleanUp(work, listed, made.webhook_id);
  else if (replaced) await cleanUp(work, [{ webhook_id: replaced.webhook_id }], made.webhook_id, true);
  return true;
}

/** Tries once more when the outcome of the first try is unknown, after whatever came of it has been disabled. */
async function make(work: Work, replaced: Registration | undefined) {
  const first = await makeOnce(work);
  if (!('outcome' in first) || first.outcome !== 'unknown') return first;
  const listed = await work.service.list();
  if (Array.isArray(listed) && (await cleanUp(work, listed, replaced?.webhook_id))) return await makeOnce(work);
  const lookUp = `A webhook may have been made all the same; its label would be "${work.target.label}".`;
  return { ...first, advice: `${first.advice} ${lookUp}`.trim() };
}

type Made = Pick<Registration, 'webhook_id'> & Partial<Pick<Registration, 'security_key'>>;

async function makeOnce({ service, target }: Work): Promise<Failure | Made> {
  const { webhook_node } = target;
  const answer = await service.create({ ...webhookBody(target), ...(webhook_node !== undefined && { webhook_node }) });
  if (!answer.ok) return answer.failure;
  const made = isObject(answer.record) ? answer.record : {};
  const webhookId = Number(made.webhook_id);
  if (!Number.isSafeInteger(webhookId)) return unreadableFailure(200);
  const key = made.security_key ?? made.secret;
  return { webhook_id: webhookId, ...(typeof key === 'string' && key !== '' && { security_key: key }) };
}

async function begin(context: IHookFunctions): Promise<Work> {
  const url = context.getNodeWebhookUrl('default');
  if (url === undefined) throw new NodeOperationError(context.getNode(), 'n8n has no address for this node');
  const state = TriggerState.open(context, url);
  state.noteUrl(url);
  const target = await readTarget(context, url, state.kind);
  checkAddress(target, context.getNode());
  return { context, state, target, service: new WebhookService(context, target.account) };
}

/** An account that was not given the paths to manage webhooks: what is stored is all there is to go by. */
function withoutManagement(work: Work, known: Registration | undefined, failure: Failure) {
  const { context, state, target } = work;
  if (!isNotFound(failure)) throw registrationError(context.getNode(), 'list its webhooks', failure);
  state.managementUnavailable = true;
  log(
    context,
    'warn',
    'This account can make webhooks, but not list, change or disable them. The trigger works all the same; switch off webhooks that are no longer needed in the merchant portal.',
  );
  if (!known || known.credentialDigest !== target.credentialDigest || !sameStored(known, target)) return false;
  keep(work, known);
  return true;
}

const sameStored = (known: Registration, target: Target) =>
  known.notification_url === target.notification_url &&
  known.webhook_node === target.webhook_node &&
  JSON.stringify(known.events) === JSON.stringify(target.events);

/** Whether the webhook can become what is wanted: the service can change neither its node nor "some events" into "all". */
function isUsable(known: Registration, record: IDataObject, target: Target): boolean {
  const keyIsLost = (known.mismatches ?? 0) >= MISMATCHES_OF_A_CHANGED_KEY;
  const toAllEvents = target.events === undefined && eventsOf(record) !== undefined;
  return !keyIsLost && !toAllEvents && known.webhook_node === target.webhook_node;
}

/** @returns false when the service no longer knows the webhook, or offers no way to change it. */
async function repair({ context, service, target }: Work, known: Registration, record: IDataObject): Promise<boolean> {
  const steps = [
    ...(differs(record, target) || known.credentialDigest !== target.credentialDigest
      ? [async () => await service.update(known.webhook_id, webhookBody(target))]
      : []),
    ...(record.status === 'ACTIVE' ? [] : [async () => await service.enable(known.webhook_id)]),
  ];
  for (const step of steps) {
    const answer = await step();
    if (!answer.ok && isNotFound(answer.failure)) return false;
    if (!answer.ok) throw registrationError(context.getNode(), 'change the webhook', answer.failure);
  }
  return true;
}

/** Keeps the webhook as the one whose deliveries are wanted. */
function keep({ context, state, target }: Work, { webhook_id, security_key }: Made): void {
  const { notification_url, events, webhook_node, account, credentialDigest } = target;
  const others = state.keep(account, {
    webhook_id,
    ...(security_key !== undefined && { security_key }),
    notification_url,
    ...(events && { events }),
    ...(webhook_node !== undefined && { webhook_node }),
    environment: account.environment,
    credentialDigest,
    active: true,
  });
  for (const other of others)
    log(
      context,
      'warn',
      `Webhook ${other.webhook_id} of the credential used before (${other.environment}) may still be active: disable it in the merchant portal.`,
    );
}
