import type { IHookFunctions } from 'n8n-workflow';

import { tookBack } from './activation';
import { disable, disableUnwanted, nameOtherAccounts } from './disabling';
import { WebhookService, isUnknownPath } from './service';
import { TriggerState, type Registration } from './state';
import { own, readTarget } from './target';
import { log, type HookContext } from './hook-context';

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
