import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { asText } from '../pipeline/objects';
import { WebhookService, isNotFound } from './service';
import { TriggerState } from './state';
import { readTarget, type Target } from './target';

interface Work {
  context: IHookFunctions;
  target: Target;
  service: WebhookService;
}

/**
 * Disables the webhook, so that the service stops calling; the next activation enables it again. Deactivation in n8n
 * never fails for it: what could not be done is logged, kept in the state, and done by the next activation.
 * @returns whether nothing is left active.
 */
export async function remove(context: IHookFunctions): Promise<boolean> {
  const url = context.getNodeWebhookUrl('default') ?? '';
  const state = TriggerState.open(context, url);
  const target = await readTarget(context, url, state.kind).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : 'the credential can not be read';
    log(context, 'error', `The webhook stays active at the service: ${reason}`);
    return undefined;
  });
  if (!target) return false;
  const work: Work = { context, target, service: new WebhookService(context, target.account) };
  const known = state.find(target.account, url);
  const leftActive = known && (await disable(work, known.webhook_id));
  if (known) state.keep(target.account, { ...known, active: false, leftActive });
  const listed = await work.service.list();
  if (Array.isArray(listed)) return (await cleanUp(work, listed, known?.webhook_id)) && leftActive === undefined;
  state.managementUnavailable = isNotFound(listed);
  log(context, 'warn', `Webhooks that may have been left behind could not be looked for: ${listed.message}`);
  return known !== undefined && leftActive === undefined;
}

/** The webhooks of a list that this node made for this kind of run, at this address. */
export function own(listed: IDataObject[], { mark, notification_url }: Target): IDataObject[] {
  return listed.filter((record) => record.notification_url === notification_url && asText(record.label).endsWith(mark));
}

/**
 * Disables what this node made and no longer wants. Webhooks that a person made are not touched, even at this address.
 * @param kept is left as it is.
 * @param certain whether the list holds nothing but the node's own webhooks.
 * @returns whether all of it is done; what is not is logged, and the next activation tries again.
 */
export async function cleanUp(work: Work, listed: IDataObject[], kept?: number, certain = false): Promise<boolean> {
  let done = true;
  for (const { webhook_id, status } of certain ? listed : own(listed, work.target))
    if (Number(webhook_id) !== kept && status !== 'DISABLED')
      done = (await disable(work, Number(webhook_id))) === undefined && done;
  return done;
}

/** @returns why the webhook is still active; `undefined` when it is not. */
async function disable({ context, service }: Work, webhookId: number): Promise<string | undefined> {
  const answer = await service.disable(webhookId);
  if (answer.ok) return undefined;
  const [reason, advice] = isNotFound(answer.failure)
    ? ['the service offers no way to disable it', 'If it is still there, disable it in the merchant portal.']
    : [answer.failure.message, 'The next activation of the workflow cleans up.'];
  log(context, 'warn', `Webhook ${webhookId} may still be active at the service: ${reason}. ${advice}`);
  return reason;
}

export function log(context: IHookFunctions, level: 'warn' | 'error', message: string): void {
  const { id: workflowId } = context.getWorkflow();
  context.logger[level](`Payment Platform Trigger: ${message}`, { workflowId, node: context.getNode().name });
}
