import type { IExecuteFunctions } from 'n8n-workflow';

import { CREDENTIAL_NAME, readAccount } from '../pipeline/account';
import { WebhookService } from './service';
import { TriggerState, accountKey } from './state';

/** What this process has switched off already: an execution can't write it down without undoing what others wrote. */
const done = new Set<string>();

/**
 * Switches off webhooks that were replaced, once they have delivered what they held. Looked at whenever an event arrives,
 * and by each activation. Never throws: an event is not lost because an old webhook could not be switched off.
 */
export async function endDraining(context: IExecuteFunctions): Promise<void> {
  const due = TriggerState.open(context, '')
    .list()
    .filter(({ drainsUntil, account, webhook_id }) => {
      const isOver = drainsUntil !== undefined && drainsUntil <= Date.now();
      return isOver && !done.has(`${account} ${webhook_id}`);
    });
  if (due.length === 0) return;
  const account = readAccount(await context.getCredentials(CREDENTIAL_NAME), context.getNode());
  for (const { webhook_id, account: of } of due) {
    if (of !== accountKey(account)) continue;
    done.add(`${of} ${webhook_id}`);
    await new WebhookService(context, account).disable(webhook_id);
  }
}
