import { randomInt } from 'node:crypto';

import {
  type CronExpression,
  type IExecuteFunctions,
  type ITriggerFunctions,
  type ITriggerResponse,
  sleep,
} from 'n8n-workflow';

import { asText, objectIn } from '../shared/objects';
import { canCatchUp, identitiesOf, nameChange } from './catch-up-sources';
import { recordsOf, withRecords } from './delivery';
import { DeliveryClaims, type Standing } from './delivery-claims';
import { onEnd, PROCESS_ID } from './delivery-dedup';
import { readCatchUpOptions, type CatchUp } from './description';
import type { Handover } from './receive';
import { nodeKeyOf } from './state';

export const HOUR_MS = 60 * 60 * 1000;
/** After an activation, n8n needs a moment, and the service repeats deliveries. */
const SOON_MS = 10_000;
/** Catch-up doesn't remember a longer break. */
const LONGEST_BREAK_HOURS = 30 * 24;
/** Covers late entries, and dates without a time or zone (service.md#values). */
const OVERLAP_MS = 48 * HOUR_MS;

const minute = () => randomInt(60);
/** A random minute spreads the load of the service. */
const SCHEDULES: Record<Exclude<CatchUp, 'never' | 'onActivation'>, () => CronExpression> = {
  everyHour: () => `${minute()} ${minute()} * * * *`,
  every6Hours: () => `${minute()} ${minute()} */6 * * *`,
  everyDay: () => `${minute()} ${minute()} ${randomInt(24)} * * *`,
};

/** Starts an execution that catches up. n8n calls this function only in its leading process. */
export async function scheduleCatchUp(context: ITriggerFunctions): Promise<ITriggerResponse> {
  const { catchUp } = readCatchUpOptions(context);
  if (catchUp === 'never') return await Promise.resolve({});
  const start = () => {
    const delivery = { isCatchUp: true, receivedBy: PROCESS_ID, receivedAt: new Date().toISOString(), notices: [] };
    context.emit([[{ json: { delivery } }]]);
  };
  let isClosed = false;
  void sleep(SOON_MS).then(() => isClosed || start());
  if (catchUp !== 'onActivation') context.helpers.registerCron({ expression: SCHEDULES[catchUp]() }, start);
  const closeFunction = async () => await Promise.resolve(void (isClosed = true));
  return { closeFunction };
}

/** Recorded when a catch-up of the hour ended. */
export const passKey = (hour: number) => `pass ${hour}`;
/** Recorded when a delivery or a catch-up of the hour began. */
export const hourKey = (hour: number) => `hour ${hour}`;
/** Recorded for a change that catch-up emitted. */
export const caughtKey = (identity: string) => `caught ${identity}`;

/** Recorded for an event that arrived without the fields that identify its change. */
export const vagueKey = (event: string) => `vague ${event}`;

/**
 * Removes the records of a delivery that catch-up has emitted, and records the others, so that catch-up doesn't emit
 * them again.
 * @returns the delivery, or `undefined` if no record remains.
 */
export async function withoutCaught(context: IExecuteFunctions, handover: Handover): Promise<Handover | undefined> {
  const { payload = {}, account, isTest } = handover;
  const event = asText(payload.event);
  const { catchUp, emitsFailed } = readCatchUpOptions(context);
  if (catchUp === 'never' || isTest || context.getMode() === 'manual' || !canCatchUp(event)) return handover;
  const ledger = DeliveryClaims.of(nodeKeyOf(context));
  const { helpers } = context;
  const records = recordsOf(payload) ?? [objectIn(payload.data)];
  const identities = records.map((record) => identitiesOf(event, record, account));
  const begun = new Map<string, Standing>();
  const begin = async (identity: string) =>
    void begun.set(identity, await ledger.beginChange(helpers, identity, context.getExecutionId(), isShared(handover)));
  await Promise.all([
    ledger.marks.add(helpers, [
      hourKey(currentHour()),
      ...(identities.some((own) => own.length === 0) ? [vagueKey(event)] : []),
    ]),
    ...[...new Set(identities.flat())].map(begin),
  ]);
  const others = [...begun].filter(([, standing]) => standing === 'done' || standing === 'open').map(([one]) => one);
  const caught = others.length === 0 ? others : await ledger.marks.proofs(helpers, others.map(caughtKey));
  const isCaught = (own: string[]) => own.some((identity) => new Set(caught).has(caughtKey(identity)));
  onEnd(context, (outcome) => {
    const isDone = outcome === 'succeeded' || !emitsFailed;
    const own = [...begun].flatMap(([identity, standing]) => (isOwn(standing) ? [identity] : []));
    for (const identity of own) ledger.end(helpers, identity, context.getExecutionId(), isDone);
    if (isDone) void ledger.settle(helpers, own).catch(() => undefined);
    if (outcome === 'failed' && !emitsFailed)
      tellFailed(
        context,
        records.map((data) => nameChange({ event, data })),
      );
  });
  // A person who retries an execution wants the event again.
  const isRetry = context.getMode() === 'retry';
  const left = records.filter((_, index) => isRetry || !isCaught(identities[index] ?? []));
  if (left.length === records.length) return handover;
  return left.length === 0 ? undefined : { ...handover, payload: withRecords(payload, records, left) };
}

const isOwn = (standing: Standing) => standing === 'new' || standing === 'interrupted';
export const isShared = ({ receivedBy }: Handover) => receivedBy !== PROCESS_ID;
export const currentHour = () => Math.floor(Date.now() / HOUR_MS);

export const warn = (context: IExecuteFunctions, text: string) =>
  context.logger.warn(`Payment Platform Trigger: ${text}`, {
    workflowId: context.getWorkflow().id,
    node: context.getNode().name,
  });

/** Notices for the next item of a node. */
const untold = new Map<string, Set<string>>();
const MOST_UNTOLD = 10;

/** Names changes whose execution failed, in the log and in the next item. n8n may report the failure again. */
export function tellFailed(context: IExecuteFunctions, names: string[]): void {
  const text = unsuccessful(names, context.getExecutionId());
  const texts = untold.get(nodeKeyOf(context)) ?? new Set();
  untold.set(nodeKeyOf(context), texts);
  if (texts.has(text)) return;
  if (texts.size < MOST_UNTOLD) texts.add(text);
  warn(context, text);
}

export function takeNotices(context: IExecuteFunctions): string[] {
  const texts = untold.get(nodeKeyOf(context)) ?? [];
  untold.delete(nodeKeyOf(context));
  return [...texts];
}

export const unsuccessful = (names: string[], executionId?: string) =>
  `${executionId === undefined ? 'An execution' : `Execution ${executionId}`} of these events did not succeed: ${list(names)}. To process them, retry the execution. To let catch-up emit such events again, turn on "Emit Failed Events Again".`;

const MOST_NAMES = 100;
export const list = (names: string[]) =>
  [...names.slice(0, MOST_NAMES), ...(names.length > MOST_NAMES ? [`${names.length - MOST_NAMES} more`] : [])].join(
    ', ',
  );

export interface Position {
  /** Earliest time of the changes to read. */
  fromMs: number;
  isFirst: boolean;
  /** Missing if n8n's database has all keys. */
  completeFromMs?: number;
}

/**
 * Each catch-up records its hour when it ends. Each delivery and catch-up records its hour when it begins: n8n's database
 * drops the oldest keys first, so all keys after a recorded hour still exist.
 */
export async function findPosition(context: IExecuteFunctions): Promise<Position> {
  const { marks } = DeliveryClaims.of(nodeKeyOf(context));
  const now = currentHour();
  const hours = Array.from({ length: LONGEST_BREAK_HOURS }, (_, index) => now - index);
  const keys = hours.flatMap((hour) => [passKey(hour), hourKey(hour)]);
  const proofs = await marks.proofs(context.helpers, keys);
  const isWhole = await marks.isWhole(context.helpers);
  const recorded = hours.filter((hour) => proofs.has(passKey(hour)) || proofs.has(hourKey(hour)));
  const oldest = recorded.at(-1) ?? now;
  const completeFromMs = (oldest + 1) * HOUR_MS;
  const lastPass = hours.find((hour) => proofs.has(passKey(hour)));
  const rest = !isWhole && { completeFromMs };
  if (lastPass !== undefined) return { fromMs: lastPass * HOUR_MS - OVERLAP_MS, isFirst: false, ...rest };
  // After an interrupted search, existing keys prove nothing.
  const isFirst =
    (isWhole || recorded.length === 0) && (await marks.found(context.helpers, hours.map(passKey))).size === 0;
  return { fromMs: (isFirst ? now : oldest) * HOUR_MS - OVERLAP_MS, isFirst, ...rest };
}
