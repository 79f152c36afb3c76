import type { IDataObject, IExecuteFunctions, IHookFunctions } from 'n8n-workflow';
import type { Failure } from '../model/failure';
import { CREDENTIAL_NAME, readAccount } from '../service/account';
import { asText } from '../shared/objects';
import { type FailedActivation, type HookContext, inTurn, log, recentFailures, takeBack } from './hooks';
import { WebhookService, isUnknownPath } from './service';
import { TriggerState } from './state';
import type { Registration } from './stored-data';
import { isOthers, own, readPlace, listedAs } from './target';

/**
 * Disables this node's unneeded webhooks.
 * @param kept IDs of webhooks that must stay enabled.
 * @returns whether the service disabled all of them.
 */
export async function disableUnwanted(work: HookContext, listed: IDataObject[], kept: string[]): Promise<boolean> {
  let done = true;
  for (const { webhook_id, status } of own(listed, work.target)) {
    const webhookId = asText(webhook_id);
    if (kept.includes(webhookId) || status === 'DISABLED') continue;
    done = (await disable(work, listed, { ...work.target, webhook_id: webhookId })) === undefined && done;
  }
  return done;
}

type ToDisable = Pick<Registration, 'webhook_id' | 'mark' | 'notification_url'>;

/** @returns the reason why the webhook may still be active, or `undefined` if it isn't or belongs to another client. */
export async function disable(work: HookContext, listed: IDataObject[], one: ToDisable): Promise<string | undefined> {
  const failure = await disableUnlessOthers(work.service, listed, one);
  if (failure) return reportActive(work, one.webhook_id, failure);
  work.state.forget(work.target.account, one.webhook_id);
  return undefined;
}

/** Disables a webhook unless the list proves that it belongs to another client. The list can lack new webhooks. */
async function disableUnlessOthers(
  service: WebhookService,
  listed: IDataObject[],
  one: ToDisable,
): Promise<Failure | undefined> {
  const records = listedAs(listed, one.webhook_id);
  if (records.some((record) => isOthers(record, one))) return undefined;
  const answer = await service.disable(one.webhook_id);
  if (answer.ok) return undefined;
  const isGone = records.length === 0 && isUnknownPath(answer.failure);
  return isGone ? undefined : answer.failure;
}

/** Logs the reason and returns it. */
function reportActive({ context }: HookContext, webhookId: string, failure: Failure): string {
  const [reason, advice] = isUnknownPath(failure)
    ? ["this account can't disable webhooks", 'Disable the webhook in the merchant portal.']
    : [failure.message, 'The trigger tries again when you next activate the workflow.'];
  log(context, 'warn', `Webhook ${webhookId} may still be active at the service: ${reason}. ${advice}`);
  return reason;
}

/** Only an earlier credential can disable these webhooks. */
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
 * Replaced webhooks that this process has disabled or is disabling. In memory, because an execution that stores data in
 * n8n would overwrite other changes.
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

async function retire(service: WebhookService, registration: Registration): Promise<Failure | undefined> {
  const listed = await service.list();
  return Array.isArray(listed) ? await disableUnlessOthers(service, listed, registration) : listed;
}

/**
 * Never throws, so that the user can always deactivate the workflow.
 * @returns whether the node has no unwanted webhook left.
 */
export async function removeWebhook(context: IHookFunctions): Promise<boolean> {
  const failures = recentFailures(context);
  return await inTurn(context, async () => await remove(context, failures));
}

async function remove(context: IHookFunctions, failures: FailedActivation[]): Promise<boolean> {
  const url = context.getNodeWebhookUrl('default') ?? '';
  const state = TriggerState.open(context, url);
  const target = await readPlace(context, url, state.kind).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : "n8n can't read the credential";
    log(context, 'error', `The webhook remains active at the service: ${reason}`);
    return undefined;
  });
  if (!target) return false;
  const work: HookContext = { context, state, target, service: new WebhookService(context, target.account) };
  const known = state.find(target.account, url);
  const listed = await work.service.list();
  if (!Array.isArray(listed))
    log(context, 'warn', `The trigger could not look for leftover webhooks: ${listed.message}`);
  const undoFailed = async () => await undo(work, known, listed);
  const undone = state.kind === 'production' ? await takeBack(context, failures, undoFailed) : undefined;
  if (undone !== undefined) return undone;
  state.managementUnavailable = !Array.isArray(listed) && isUnknownPath(listed);
  const stored = state.listOf(target.account).filter(({ notification_url }) => notification_url === url);
  let done = true;
  for (const one of stored) {
    // Without a list, the webhook could belong to another client.
    const leftActive = Array.isArray(listed)
      ? await disable(work, listed, one)
      : reportActive(work, one.webhook_id, listed);
    if (one === known) state.keep(target.account, { ...known, active: false, leftActive });
    done &&= leftActive === undefined;
  }
  const othersDone = nameOtherAccounts(work).length === 0;
  return Array.isArray(listed) && (await disableUnwanted(work, listed, idsOf(stored))) && done && othersDone;
}

const idsOf = (registrations: Registration[]) => registrations.map(({ webhook_id }) => webhook_id);

/** After a failed activation, earlier webhooks stay active, so that the workflow loses no events. */
async function undo(
  work: HookContext,
  known: Registration | undefined,
  listed: IDataObject[] | Failure,
): Promise<boolean> {
  const wanted = work.state
    .listOf(work.target.account)
    .filter(({ active, drainsUntil }) => active || drainsUntil !== undefined);
  if (known?.active)
    log(
      work.context,
      'warn',
      `Webhook ${known.webhook_id} remains active at the service, although the activation failed.`,
    );
  return Array.isArray(listed) ? await disableUnwanted(work, listed, idsOf(wanted)) : known?.active === true;
}
