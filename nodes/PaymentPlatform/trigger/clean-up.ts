import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { tookBack } from './activation';
import { WebhookService, isNotFound } from './service';
import { TriggerState, type Registration } from './state';
import { readTarget, type Target } from './target';

interface Work {
  context: IHookFunctions;
  state: TriggerState;
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
  const work: Work = { context, state, target, service: new WebhookService(context, target.account) };
  const known = state.find(target.account, url);
  if (tookBack(context)) return await undo(work, known);
  const listed = await work.service.list();
  const isListed = Array.isArray(listed);
  // The service's list says whose a webhook is; without it, what the node itself noted has to do.
  const wasOwn = !isListed || own(listed, target).some((record) => Number(record.webhook_id) === known?.webhook_id);
  const leftActive = known && wasOwn ? await disable(work, known.webhook_id) : undefined;
  if (known) state.keep(target.account, { ...known, active: false, leftActive });
  const othersDone = nameOtherAccounts(work).length === 0;
  if (isListed) return (await cleanUp(work, listed, [known?.webhook_id])) && leftActive === undefined && othersDone;
  state.managementUnavailable = isNotFound(listed);
  log(context, 'warn', `Webhooks that may have been left behind could not be looked for: ${listed.message}`);
  return known !== undefined && leftActive === undefined && othersDone;
}

/**
 * n8n takes an activation back that failed. What delivered before it is not disabled for that: its events would be lost.
 */
async function undo(work: Work, known: Registration | undefined): Promise<boolean> {
  const wanted = work.state.list().filter(({ active, drainsUntil }) => active || drainsUntil !== undefined);
  if (known?.active)
    log(work.context, 'warn', `Webhook ${known.webhook_id} stays active at the service though the activation failed.`);
  const listed = await work.service.list();
  if (!Array.isArray(listed)) return known?.active === true;
  const kept = wanted.map(({ webhook_id }) => webhook_id);
  return await cleanUp(work, listed, kept);
}

const isMarked = (record: IDataObject, { mark }: Target) => asText(record.label).endsWith(mark);

/**
 * The webhooks of a list that this node made for this kind of run. Those of other addresses count for test runs only: the
 * address of a real one tells which n8n it is for.
 */
export function own(listed: IDataObject[], target: Target): IDataObject[] {
  const isHere = (url: unknown) => target.kind === 'test' || url === target.notification_url;
  return listed.filter((record) => isMarked(record, target) && isHere(record.notification_url));
}

/** Those under the same mark at another address: of a clone of this n8n, or of a time when it had another address. */
export function elsewhere(listed: IDataObject[], target: Target): IDataObject[] {
  const here = own(listed, target);
  return listed.filter((one) => isMarked(one, target) && one.status !== 'DISABLED' && !here.includes(one));
}

/**
 * Disables what this node made and no longer wants. Webhooks that a person made are not touched, even at this address.
 * @param kept are left as they are.
 * @returns whether all of it is done; what is not is logged, and the next activation tries again.
 */
export async function cleanUp(work: Work, listed: IDataObject[], kept: Array<number | undefined>): Promise<boolean> {
  let done = true;
  for (const { webhook_id, status } of own(listed, work.target))
    if (!kept.includes(Number(webhook_id)) && status !== 'DISABLED')
      done = (await disable(work, Number(webhook_id))) === undefined && done;
  return done;
}

/** @returns why the webhook is still active; `undefined` when it is not. */
export async function disable({ context, service, state }: Work, webhookId: number): Promise<string | undefined> {
  const answer = await service.disable(webhookId);
  if (answer.ok) {
    state.forget(webhookId);
    return undefined;
  }
  const [reason, advice] = isNotFound(answer.failure)
    ? ['the service offers no way to disable it', 'If it is still there, disable it in the merchant portal.']
    : [answer.failure.message, 'The next activation of the workflow cleans up.'];
  log(context, 'warn', `Webhook ${webhookId} may still be active at the service: ${reason}. ${advice}`);
  return reason;
}

/** Names the webhooks that only a credential which was used before could disable. @returns what was said. */
export function nameOtherAccounts({ context, state, target }: Pick<Work, 'context' | 'state' | 'target'>): string[] {
  const said = state
    .ofOtherAccounts(target.account)
    .map(
      ({ webhook_id, environment }) =>
        `Webhook ${webhook_id} of the account used before (${environment}) may still be active: disable it in the merchant portal of that account.`,
    );
  for (const text of said) log(context, 'warn', text);
  return said;
}

export function log(context: IHookFunctions, level: 'warn' | 'error', message: string): void {
  const { id: workflowId } = context.getWorkflow();
  context.logger[level](`Payment Platform Trigger: ${message}`, { workflowId, node: context.getNode().name });
}
