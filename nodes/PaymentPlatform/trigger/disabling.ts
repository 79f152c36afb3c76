import type { IDataObject, IExecuteFunctions, IHookFunctions } from 'n8n-workflow';
import { CREDENTIAL_NAME, readAccount } from '../service/account';
import { tookBack } from './activation';
import { type HookContext, log } from './hook-context';
import { WebhookService, isUnknownPath } from './service';
import { type Registration, TriggerState, accountKey } from './state';
import { own, readTarget } from './target';

/**
 * Disables webhooks that this node created and no longer needs. Webhooks that users created stay enabled, even at the
 * same address.
 * @param kept IDs of webhooks that must stay enabled.
 * @returns whether the service disabled all unneeded webhooks. The function logs failures, and the next activation
 * tries again.
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
 * @returns the reason why the webhook may still be active, or `undefined` if the service disabled the webhook.
 */
export async function disable(
  { context, service, state }: HookContext,
  webhookId: number,
): Promise<string | undefined> {
  const answer = await service.disable(webhookId);
  if (answer.ok) {
    state.forget(webhookId);
    return undefined;
  }
  const [reason, advice] = isUnknownPath(answer.failure)
    ? ["this account can't disable webhooks", 'Disable the webhook in the merchant portal.']
    : [answer.failure.message, 'The trigger tries again when you next activate the workflow.'];
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
 * Replaced webhooks that this process has disabled or is disabling. The set exists only in memory, because an execution
 * that stores data in n8n would overwrite other changes.
 */
const ended = new Set<string>();

/**
 * Disables replaced webhooks that have delivered their remaining events. After a failure, the next event or activation
 * makes another attempt. Never throws, because an error must not lose an event.
 */
export async function retireReplaced(context: IExecuteFunctions): Promise<void> {
  const state = TriggerState.open(context, '');
  const keyOf = ({ account, webhook_id }: Registration) => `${state.runKey} ${account} ${webhook_id}`;
  const due = state.list().filter((registration) => {
    const { drainsUntil } = registration;
    return drainsUntil !== undefined && drainsUntil <= Date.now() && !ended.has(keyOf(registration));
  });
  if (due.length === 0) return;
  const account = readAccount(await context.getCredentials(CREDENTIAL_NAME), context.getNode());
  for (const registration of due) {
    if (registration.account !== accountKey(account)) continue;
    ended.add(keyOf(registration));
    const answer = await new WebhookService(context, account).disable(registration.webhook_id);
    if (!answer.ok && !isUnknownPath(answer.failure)) ended.delete(keyOf(registration));
  }
}

/**
 * Disables the webhook so that the service stops calling n8n. The next activation enables the webhook again. Logs and
 * stores failures instead of throwing, so that the user can always deactivate the workflow.
 * @returns whether the node has no active webhook left.
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
  const isListed = Array.isArray(listed);
  // The service's list shows which webhooks belong to the node. Without the list, the node knows only its stored
  // webhook.
  const wasOwn = !isListed || own(listed, target).some((record) => Number(record.webhook_id) === known?.webhook_id);
  const leftActive = known && wasOwn ? await disable(work, known.webhook_id) : undefined;
  if (known) state.keep(target.account, { ...known, active: false, leftActive });
  const othersDone = nameOtherAccounts(work).length === 0;
  if (isListed)
    return (await disableUnwanted(work, listed, [known?.webhook_id])) && leftActive === undefined && othersDone;
  state.managementUnavailable = isUnknownPath(listed);
  log(context, 'warn', `The trigger could not look for leftover webhooks: ${listed.message}`);
  return known !== undefined && leftActive === undefined && othersDone;
}

/**
 * Undoes a failed activation. Webhooks that were active before the activation stay active, so that the workflow loses
 * no events.
 */
async function undo(work: HookContext, known: Registration | undefined): Promise<boolean> {
  const wanted = work.state.list().filter(({ active, drainsUntil }) => active || drainsUntil !== undefined);
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
