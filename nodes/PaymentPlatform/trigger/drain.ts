import type { IExecuteFunctions } from 'n8n-workflow';

import { CREDENTIAL_NAME, readAccount } from '../pipeline/account';
import { WebhookService, isUnknownPath } from './service';
import { TriggerState, accountKey, type Registration } from './state';

/**
 * Replaced webhooks that this process has switched off or is switching off. An execution can't write that down without
 * undoing what others wrote.
 */
const done = new Set<string>();

/**
 * Switches off webhooks that were replaced, once they have delivered what they held. Each event and each activation tries
 * again until it succeeds. Never throws: an event is not lost because an old webhook could not be switched off.
 */
export async function endDraining(context: IExecuteFunctions): Promise<void> {
  const state = TriggerState.open(context, '');
  const keyOf = ({ account, webhook_id }: Registration) => `${state.runKey} ${account} ${webhook_id}`;
  const due = state.list().filter((registration) => {
    const { drainsUntil } = registration;
    return drainsUntil !== undefined && drainsUntil <= Date.now() && !done.has(keyOf(registration));
  });
  if (due.length === 0) return;
  const account = readAccount(await context.getCredentials(CREDENTIAL_NAME), context.getNode());
  for (const registration of due) {
    if (registration.account !== accountKey(account)) continue;
    done.add(keyOf(registration));
    const answer = await new WebhookService(context, account).disable(registration.webhook_id);
    if (!answer.ok && !isUnknownPath(answer.failure)) done.delete(keyOf(registration));
  }
}
