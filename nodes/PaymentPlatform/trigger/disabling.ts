import type { IDataObject, IExecuteFunctions, IHookFunctions } from 'n8n-workflow';
import { CREDENTIAL_NAME, readAccount } from '../service/account';
import { tookBack } from './activation';
import { type HookContext, log } from './hook-context';
import { WebhookService, isUnknownPath } from './service';
import { type Registration, TriggerState, accountKey } from './state';
import { own, readTarget } from './target';

/**
 * Disables what this node made and no longer wants. Webhooks that a person made are not touched, even at this address.
 * @param kept are left as they are.
 * @returns whether all of it is done; what is not is logged, and the next activation tries again.
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

/** @returns why the webhook is still active; `undefined` when it is not. */
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
    ? ['the service offers no way to disable it', 'If it is still there, disable it in the merchant portal.']
    : [answer.failure.message, 'The next activation of the workflow cleans up.'];
  log(context, 'warn', `Webhook ${webhookId} may still be active at the service: ${reason}. ${advice}`);
  return reason;
}

/** Names the webhooks that only a credential which was used before could disable. @returns what was said. */
export function nameOtherAccounts({
  context,
  state,
  target,
}: Pick<HookContext, 'context' | 'state' | 'target'>): string[] {
  const said = state
    .ofOtherAccounts(target.account)
    .map(
      ({ webhook_id, environment }) =>
        `Webhook ${webhook_id} of the account used before (${environment}) may still be active: disable it in the merchant portal of that account.`,
    );
  for (const text of said) log(context, 'warn', text);
  return said;
}

/**
 * Replaced webhooks that this process has switched off or is switching off. An execution can't write that down without
 * undoing what others wrote.
 */
const ended = new Set<string>();

/**
 * Switches off webhooks that were replaced, once they have delivered what they held. Each event and each activation tries
 * again until it succeeds. Never throws: an event is not lost because an old webhook could not be switched off.
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
 * Disables the webhook, so that the service stops calling; the next activation enables it again. Deactivation in n8n
 * never fails for it: what could not be done is logged, kept in the state, and done by the next activation.
 * @returns whether nothing is left active.
 */
export async function removeWebhook(context: IHookFunctions): Promise<boolean> {
  const url = context.getNodeWebhookUrl('default') ?? '';
  const state = TriggerState.open(context, url);
  const target = await readTarget(context, url, state.kind).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : 'the credential can not be read';
    log(context, 'error', `The webhook stays active at the service: ${reason}`);
    return undefined;
  });
  if (!target) return false;
  const work: HookContext = { context, state, target, service: new WebhookService(context, target.account) };
  const known = state.find(target.account, url);
  if (state.kind === 'production' && tookBack(context)) return await undo(work, known);
  const listed = await work.service.list();
  const isListed = Array.isArray(listed);
  // The service's list says whose a webhook is; without it, what the node itself noted has to do.
  const wasOwn = !isListed || own(listed, target).some((record) => Number(record.webhook_id) === known?.webhook_id);
  const leftActive = known && wasOwn ? await disable(work, known.webhook_id) : undefined;
  if (known) state.keep(target.account, { ...known, active: false, leftActive });
  const othersDone = nameOtherAccounts(work).length === 0;
  if (isListed)
    return (await disableUnwanted(work, listed, [known?.webhook_id])) && leftActive === undefined && othersDone;
  state.managementUnavailable = isUnknownPath(listed);
  log(context, 'warn', `Webhooks that may have been left behind could not be looked for: ${listed.message}`);
  return known !== undefined && leftActive === undefined && othersDone;
}

/**
 * n8n takes an activation back that failed. What delivered before it is not disabled for that: its events would be lost.
 */
async function undo(work: HookContext, known: Registration | undefined): Promise<boolean> {
  const wanted = work.state.list().filter(({ active, drainsUntil }) => active || drainsUntil !== undefined);
  if (known?.active)
    log(work.context, 'warn', `Webhook ${known.webhook_id} stays active at the service though the activation failed.`);
  const listed = await work.service.list();
  if (!Array.isArray(listed)) return known?.active === true;
  const kept = wanted.map(({ webhook_id }) => webhook_id);
  return await disableUnwanted(work, listed, kept);
}
