import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { CREDENTIAL_NAME, readAccount } from '../service/account';
import { WebhookService, isUnknownPath } from './service';
import { TriggerState, accountKey, type Registration } from './state';
import { own } from './target';
import { log, type HookContext } from './hook-context';

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
export async function endDraining(context: IExecuteFunctions): Promise<void> {
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
