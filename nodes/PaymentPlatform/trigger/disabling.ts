import type { IDataObject, IExecuteFunctions, IHookFunctions } from 'n8n-workflow';
import type { Failure } from '../model/failure';
import { CREDENTIAL_NAME, readAccount } from '../service/account';
import { tookBack } from './activation';
import { type HookContext, log } from './hook-context';
import { WebhookService, isUnknownPath } from './service';
import { type Registration, TriggerState } from './state';
import { own, readTarget } from './target';

/**
 * Disables webhooks that this node created and no longer needs. Webhooks that users created stay enabled.
 * @param kept IDs of webhooks that must stay enabled.
 * @returns whether the service disabled all unneeded webhooks.
 */
export async function disableUnwanted(
  work: HookContext,
  listed: IDataObject[],
  kept: Array<number | undefined>,
): Promise<boolean> {
  let done = true;
  for (const { webhook_id, status } of own(listed, work.target))
    if (!kept.includes(Number(webhook_id)) && status !== 'DISABLED')
      done = (await disable(work, Number(webhook_id))) === undefined && done;
  return done;
}

/**
 * Disables a webhook.
 * @returns the reason why the webhook may still be active, or `undefined` if the service disabled it.
 */
export async function disable(work: HookContext, webhookId: number): Promise<string | undefined> {
  const answer = await work.service.disable(webhookId);
  if (!answer.ok) return reportActive(work, webhookId, answer.failure);
  work.state.forget(work.target.account, webhookId);
  return undefined;
}

/** Logs that a webhook may still be active. Returns the reason. */
function reportActive({ context }: HookContext, webhookId: number, failure: Failure): string {
  const [reason, advice] = isUnknownPath(failure)
    ? ["this account can't disable webhooks", 'Disable the webhook in the merchant portal.']
    : [failure.message, 'The trigger tries again when you next activate the workflow.'];
  log(context, 'warn', `Webhook ${webhookId} may still be active at the service: ${reason}. ${advice}`);
  return reason;
}

/** Returns a notice for each webhook that only an earlier credential can disable. */
export function nameOtherAccounts({
  context,
  state,
  target,
}: Pick<HookContext, 'context' | 'state' | 'target'>): string[] {
  const said = state
    .ofOtherAccounts(target.account)
    .map(
      ({ webhook_id, environment }) =>
        `Webhook ${webhook_id} of the previous account (${environment}) may still be active. Disable the webhook in the merchant portal of that account.`,
    );
  for (const text of said) log(context, 'warn', text);
  return said;
}

/**
 * Replaced webhooks that this process has disabled or is disabling. Exists only in memory, because an execution that
 * stores data in n8n would overwrite other changes.
 */
const ended = new Set<string>();

/** Disables replaced webhooks that have delivered their remaining events. Callers ignore errors to lose no event. */
export async function retireReplaced(context: IExecuteFunctions): Promise<void> {
  const state = TriggerState.open(context, '');
  const keyOf = ({ account, webhook_id }: Registration) => `${state.runKey} ${account} ${webhook_id}`;
  const isDue = (registration: Registration) => {
    const { drainsUntil } = registration;
    return drainsUntil !== undefined && drainsUntil <= Date.now() && !ended.has(keyOf(registration));
  };
  if (!state.list().some(isDue)) return;
  const account = readAccount(await context.getCredentials(CREDENTIAL_NAME), context.getNode());
  const service = new WebhookService(context, account);
  for (const registration of state.listOf(account).filter(isDue)) {
    ended.add(keyOf(registration));
    const failure = await retire(service, registration);
    if (failure && !isUnknownPath(failure)) ended.delete(keyOf(registration));
  }
}

/** Disables a replaced webhook, unless a user has changed its label suffix or URL since the replacement. */
async function retire(service: WebhookService, registration: Registration): Promise<Failure | undefined> {
  const listed = await service.list();
  if (!Array.isArray(listed)) return listed;
  if (!owns(listed, registration)) return undefined;
  const answer = await service.disable(registration.webhook_id);
  return answer.ok ? undefined : answer.failure;
}

/** Returns whether a stored webhook still has the label suffix and URL with which the node created it. */
const owns = (listed: IDataObject[], registration: Registration) =>
  own(listed, registration).some(({ webhook_id }) => Number(webhook_id) === registration.webhook_id);

/**
 * Disables the webhook so that the service stops calling n8n. Never throws, so that the user can always deactivate the
 * workflow.
 * @returns whether the node has no unwanted webhook left.
 */
export async function removeWebhook(context: IHookFunctions): Promise<boolean> {
  const url = context.getNodeWebhookUrl('default') ?? '';
  const state = TriggerState.open(context, url);
  const target = await readTarget(context, url, state.kind).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : "n8n can't read the credential";
    log(context, 'error', `The webhook remains active at the service: ${reason}`);
    return undefined;
  });
  if (!target) return false;
  const work: HookContext = { context, state, target, service: new WebhookService(context, target.account) };
  const known = state.find(target.account, url);
  if (state.kind === 'production' && tookBack(context)) return await undo(work, known);
  const listed = await work.service.list();
  if (!Array.isArray(listed)) {
    // Only the service's list shows whether the stored webhook still belongs to the node.
    state.managementUnavailable = isUnknownPath(listed);
    log(context, 'warn', `The trigger could not look for leftover webhooks: ${listed.message}`);
    if (known) keepInactive(work, known, reportActive(work, known.webhook_id, listed));
    nameOtherAccounts(work);
    return false;
  }
  const leftActive = known && owns(listed, known) ? await disable(work, known.webhook_id) : undefined;
  if (known) keepInactive(work, known, leftActive);
  const othersDone = nameOtherAccounts(work).length === 0;
  return (await disableUnwanted(work, listed, [known?.webhook_id])) && leftActive === undefined && othersDone;
}

function keepInactive({ state, target }: HookContext, known: Registration, leftActive: string | undefined): void {
  state.keep(target.account, { ...known, active: false, leftActive });
}

/** Undoes a failed activation. Webhooks that were active before stay active, so that the workflow loses no events. */
async function undo(work: HookContext, known: Registration | undefined): Promise<boolean> {
  const wanted = work.state
    .listOf(work.target.account)
    .filter(({ active, drainsUntil }) => active || drainsUntil !== undefined);
  if (known?.active)
    log(
      work.context,
      'warn',
      `Webhook ${known.webhook_id} remains active at the service, although the activation failed.`,
    );
  const listed = await work.service.list();
  if (!Array.isArray(listed)) return known?.active === true;
  const kept = wanted.map(({ webhook_id }) => webhook_id);
  return await disableUnwanted(work, listed, kept);
}
