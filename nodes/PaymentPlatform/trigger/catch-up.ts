import { randomInt } from 'node:crypto';

import {
  type CronExpression,
  type IExecuteFunctions,
  type IRun,
  type ITriggerFunctions,
  type ITriggerResponse,
  ManualExecutionCancelledError,
  NodeOperationError,
  sleep,
} from 'n8n-workflow';

import { otherRecordFailure, unreadableFailure, withoutLookUp } from '../messages/describe-answers';
import { maskRecord } from '../messages/scrubber';
import type { Answer, Failure } from '../model/failure';
import type { Account } from '../model/types';
import { asText, isObject, objectIn } from '../shared/objects';
import {
  canCatchUp,
  CAUGHT_EVENTS,
  digestOf,
  identitiesOf,
  LISTED,
  type MissedChange,
  nameChange,
} from './catch-up-sources';
import { recordsOf, withRecords } from './delivery';
import { DeliveryClaims, type Standing } from './delivery-claims';
import { onChangesEnd, PROCESS_ID } from './delivery-dedup';
import { readCatchUpOptions, type CatchUp } from './description';
import type { Handover } from './receive';
import {
  caughtKey,
  currentDay,
  currentHour,
  hourKey,
  lateKeys,
  LONGEST_LIST_DAYS,
  type Position,
  vagueKey,
} from './marks';
import { isUnknownPath } from './service';
import { accountKey, nodeKeyOf } from './state';

/** After an activation, n8n needs a moment, and the service repeats deliveries. */
const SOON_MS = 10_000;
const SECOND_MS = 1000;
/** Pauses before the trigger repeats a catch-up that failed. */
const PAUSES_MS = [1, 5, 15, 60, 360].map((minutes) => minutes * 60 * SECOND_MS);
const minute = () => randomInt(60);
/** A random minute spreads the load of the service. */
const SCHEDULES: Record<Exclude<CatchUp, 'never' | 'onActivation'>, () => CronExpression> = {
  everyHour: () => `${minute()} ${minute()} * * * *`,
  every6Hours: () => `${minute()} ${minute()} */6 * * *`,
  everyDay: () => `${minute()} ${minute()} ${randomInt(24)} * * *`,
};

/**
 * Starts executions that catch up, and repeats them if the trigger fails in them. n8n calls this function only in its
 * leading process.
 */
export async function scheduleCatchUp(context: ITriggerFunctions): Promise<ITriggerResponse> {
  const { catchUp } = readCatchUpOptions(context);
  if (catchUp === 'never') return await Promise.resolve({});
  // Each start replaces the earlier ones.
  let starts = 0;
  const start = async (firstPauseMs: number) => {
    const own = ++starts;
    let pauses = [firstPauseMs, ...PAUSES_MS];
    for (let pauseMs = pauses.shift(); pauseMs !== undefined; pauseMs = pauses.shift()) {
      for (let waitedMs = 0; waitedMs < pauseMs && own === starts; waitedMs += SECOND_MS) await sleep(SECOND_MS);
      const end = own === starts ? await run(context).catch(() => 'failed' as const) : 'done';
      if (end === 'done') return;
      if (end === 'cut') pauses = [...PAUSES_MS];
    }
  };
  void start(SOON_MS);
  if (catchUp !== 'onActivation')
    context.helpers.registerCron({ expression: SCHEDULES[catchUp]() }, () => void start(0));
  const closeFunction = async () => await Promise.resolve(void (starts += 1));
  return { closeFunction };
}

/** Limits the memory and the duration of an execution. */
export const MOST_CHANGES = 2_000;
const CUT = `Catch-up stopped after ${MOST_CHANGES} changes. The next catch-up emits the others.`;
/** Custom data of an execution. In queue mode, n8n 2 doesn't pass its items to the trigger (n8n.md#queue-mode). */
const STOPPED = 'payment_platform_catch_up_stopped';
type Marked = { customData: Pick<Map<string, string>, 'set'> };
const isMarkable = (value: unknown): value is Marked => isObject(value) && isObject(value.customData);

/** Tells `run` that the execution stopped before it read all changes. */
export function markCut(context: IExecuteFunctions): void {
  const { $execution: execution }: Record<string, unknown> = context.getWorkflowDataProxy(0);
  if (isMarkable(execution)) execution.customData.set(STOPPED, 'true');
}

/**
 * Starts an execution that catches up.
 * @returns `failed` if the execution could not start, the trigger failed in it, or a later node failed before all
 * changes were emitted.
 */
async function run(context: ITriggerFunctions): Promise<'done' | 'cut' | 'failed'> {
  const { name } = context.getNode();
  const delivery = { isCatchUp: true, receivedBy: PROCESS_ID, receivedAt: new Date().toISOString(), notices: [] };
  const done = context.helpers.createDeferredPromise<IRun>();
  context.emit([[{ json: { delivery } }]], undefined, done);
  const outcomeOf = (error: unknown) => (error instanceof ManualExecutionCancelledError ? 'done' : 'failed');
  const ended = await done.promise.catch(outcomeOf);
  if (typeof ended === 'string') return ended;
  const { error, lastNodeExecuted = name, metadata } = ended.data.resultData;
  const isCut = metadata?.[STOPPED] !== undefined;
  // Without items, the execution fails to name the problems, but has recorded its changes.
  if (error === undefined || error.message.includes(CUT)) return isCut ? 'cut' : 'done';
  return (isCut || lastNodeExecuted === name) && ended.status !== 'canceled' ? 'failed' : 'done';
}

export function selectedEvents(context: IExecuteFunctions): string[] {
  const { events = CAUGHT_EVENTS } = readCatchUpOptions(context);
  return CAUGHT_EVENTS.filter((event) => events.includes(event));
}

const PERIOD_HOURS = 10 * 24;
const ANY_SELECTION = 'any';

/** Recorded for each event that a catch-up includes. */
export const selectedKeys = (context: IExecuteFunctions, account: string) =>
  [ANY_SELECTION, ...selectedEvents(context).map((event) => digestOf(account, event))].map((name) =>
    selectedKey(name, 0),
  );

const selectedKey = (name: string, periodsAgo: number) =>
  `selected ${Math.floor(currentHour() / PERIOD_HOURS) - periodsAgo} ${name}`;

/** Recorded for the first date that the first catch-up of an event read, as a number of days. */
export const firstDayKey = (event: string, account: string, day: number) => `since ${day} ${digestOf(account, event)}`;

export interface Selection {
  /** No earlier catch-up of the account included these events. Their changes can be older than the selection. */
  newEvents: ReadonlySet<string>;
  /** First date that the first catch-up of an event read, as a number of days. */
  firstDays: ReadonlyMap<string, number>;
}

export async function readSelection(
  context: IExecuteFunctions,
  account: string,
  { completeFromMs }: Position,
): Promise<Selection> {
  const events = selectedEvents(context);
  const { marks } = DeliveryClaims.of(nodeKeyOf(context));
  const keysOf = (name: string) => [0, 1, 2, 3].map((periodsAgo) => selectedKey(name, periodsAgo));
  const keys = new Map(events.map((event) => [event, keysOf(digestOf(account, event))]));
  const days = Array.from({ length: LONGEST_LIST_DAYS }, (_, index) => currentDay() - index);
  const firstKeys = events.flatMap((event) => days.map((day) => firstDayKey(event, account, day)));
  // n8n's database may have lost the keys.
  const isKnown = completeFromMs === undefined || (await marks.proofs(context.helpers, keysOf(ANY_SELECTION))).size > 0;
  const found = await marks.found(context.helpers, [...keys.values()].flat());
  const proofs = await marks.proofs(context.helpers, firstKeys);
  return {
    newEvents: new Set(events.filter((event) => isKnown && !keys.get(event)?.some((key) => found.has(key)))),
    firstDays: new Map(
      events.map((event) => [event, days.find((day) => proofs.has(firstDayKey(event, account, day))) ?? 0]),
    ),
  };
}

/**
 * Removes the records of a delivery that catch-up has emitted, and records the others, so that catch-up doesn't emit
 * them again.
 * @returns the delivery, or `undefined` if no record remains.
 */
export async function withoutCaught(context: IExecuteFunctions, handover: Handover): Promise<Handover | undefined> {
  const { payload = {}, account, isTest } = handover;
  const event = asText(payload.event);
  const isOff = readCatchUpOptions(context).catchUp === 'never';
  if (isTest || context.getMode() === 'manual' || !canCatchUp(event)) return handover;
  const ledger = DeliveryClaims.of(nodeKeyOf(context));
  const { helpers } = context;
  const records = recordsOf(payload) ?? [objectIn(payload.data)];
  const identities = records.map((record) => identitiesOf(event, record, account));
  const begun = new Map<string, Standing | 'refused'>();
  const executionId = context.getExecutionId();
  let endedAs: boolean | undefined;
  const end = (identity: string, isDone: boolean) =>
    isOwn(begun.get(identity) ?? 'open') && ledger.end(helpers, identity, executionId, isDone);
  const begin = async (identity: string) => {
    const standing = ledger.beginChange(helpers, identity, executionId, isShared(handover));
    begun.set(identity, await standing.catch(() => 'refused'));
    // The trigger emits the delivery.
    if (begun.get(identity) === 'refused') ledger.hold(helpers, identity, executionId);
    // n8n doesn't stop a canceled execution.
    if (endedAs !== undefined) end(identity, endedAs);
    await standing;
  };
  let left = records;
  onChangesEnd(context, (outcome, isDone) => {
    endedAs = isDone;
    for (const identity of begun.keys()) end(identity, isDone);
    const received = records.flatMap((record, index) => (left.includes(record) ? (identities[index] ?? []) : []));
    if (isDone && (outcome === 'succeeded' || isOff)) void ledger.settle(helpers, received);
    else ledger.fail(helpers, received, isDone);
    if (outcome === 'failed' && isDone && !isOff)
      warnFailed(
        context,
        left.map((data) => nameChange({ event, data })),
      );
  });
  // Without catch-up, the trigger records the changes for the time after the user turns it on.
  await Promise.all([
    ledger.marks.addInAnyCase(helpers, [
      ...(isOff ? [] : [hourKey(currentHour())]),
      ...(identities.some((own) => own.length === 0) ? [vagueKey(event, currentDay())] : []),
      ...lateKeys(event, records, Date.parse(handover.receivedAt)),
    ]),
    ...[...new Set(identities.flat())].map(begin),
  ]);
  const others = [...begun].filter(([, standing]) => standing === 'done' || standing === 'open').map(([one]) => one);
  const caught = others.length === 0 ? others : await ledger.marks.proofs(helpers, others.map(caughtKey));
  const isCaught = (own: string[]) => own.some((identity) => new Set(caught).has(caughtKey(identity)));
  // A person who retries an execution wants the event again.
  const isRetry = context.getMode() === 'retry';
  left = records.filter((_, index) => isRetry || !isCaught(identities[index] ?? []));
  if (left.length === records.length) return handover;
  return left.length === 0 ? undefined : { ...handover, payload: withRecords(payload, records, left) };
}

export const isOwn = (standing: Standing | 'refused') => standing !== 'done' && standing !== 'open';
export const isShared = ({ receivedBy }: Handover) => receivedBy !== PROCESS_ID;

/** Returns the handover of an event that contains the changes. */
export function handoverOf(changes: [MissedChange, ...MissedChange[]], handover: Handover, account: Account): Handover {
  const { receivedBy, receivedAt, notices } = handover;
  const [{ event, data, at }] = changes;
  const key = accountKey(account);
  return {
    source: 'catch_up',
    id: identitiesOf(event, data, key)[0],
    receivedBy,
    receivedAt,
    payload: {
      event,
      is_test: account.environment === 'test',
      ...(changes.length === 1 && at !== undefined && { db_timestamp: asText(at) }),
      data: event === LISTED ? { transactions: changes.map((change) => change.data) } : data,
    },
    environment: account.environment,
    account: key,
    notices: [...new Set([...notices, ...changes.flatMap(({ notice }) => notice ?? [])])],
  };
}

export const warn = (context: IExecuteFunctions, text: string) =>
  context.logger.warn(`Payment Platform Trigger: ${text}`, {
    workflowId: context.getWorkflow().id,
    node: context.getNode().name,
  });

/** The next catch-up also names the changes. */
export const warnFailed = (context: IExecuteFunctions, names: string[]) =>
  warn(context, unsuccessfulText(names, context.getExecutionId()));

const unsuccessfulText = (names: string[], executionId?: string) =>
  `${executionId === undefined ? 'An execution' : `Execution ${executionId}`} of these events did not succeed: ${list(names)}. To process them, retry the execution. To let catch-up emit such events again, turn on "Emit Failed Events Again".`;

const MOST_NAMES = 100;
const list = (names: string[]) =>
  [...names.slice(0, MOST_NAMES), ...(names.length > MOST_NAMES ? [`${names.length - MOST_NAMES} more`] : [])].join(
    ', ',
  );

const goneText = (names: string[]) =>
  `The service no longer has the records of these changes, so the trigger did not emit them: ${list(names)}.`;

const uncertainText = (names: string[]) =>
  `The trigger does not know whether the workflow received these changes, so it did not emit them: ${list(names)}.`;

export interface Unemitted {
  /** Their executions failed or were killed. */
  unsuccessful: MissedChange[];
  uncertain: MissedChange[];
  /** The service no longer has their records. */
  gone: MissedChange[];
}

/** @param isCut whether catch-up stopped before it read all changes. */
export const problemsOf = ({ unsuccessful, uncertain, gone }: Unemitted, isCut: boolean): string[] => [
  ...(unsuccessful.length > 0 ? [unsuccessfulText(unsuccessful.map(nameChange))] : []),
  ...(uncertain.length > 0 ? [uncertainText(uncertain.map(nameChange))] : []),
  ...(gone.length > 0 ? [goneText(gone.map(nameChange))] : []),
  ...(isCut ? [CUT] : []),
];

export const unlistedText = ({ path, failure }: { path: string; failure: Failure }) =>
  `Catch-up omits changes that the account can't list (GET ${path}): ${failure.message}.`;

/** A change that the service shows. */
export interface Found {
  place: number;
  change: MissedChange;
  identities: string[];
  /** Digest of the payments that may have caused the change. */
  checked: string[];
}

export interface Result {
  /** One for each event. */
  handovers: Handover[];
  /** For the first item. */
  notices: string[];
}

export const failureOf = (context: IExecuteFunctions, path: string, { message, advice }: Failure) =>
  new NodeOperationError(context.getNode(), `The trigger could not catch up: ${message}`, {
    description: `${withoutLookUp(advice)} The trigger emitted nothing. The next catch-up begins at the same place. (GET ${path})`,
  });

/** Returns `undefined` if the service no longer has the record. */
export function recordIn(context: IExecuteFunctions, answer: Answer, path: string, name: string, id: string) {
  if (!answer.ok && isUnknownPath(answer.failure)) return undefined;
  if (!answer.ok) throw failureOf(context, path, answer.failure);
  const record = objectIn(answer.record);
  if (asText(record[name]) !== id) throw failureOf(context, path, otherRecordFailure(name));
  if (asText(record.status) === '') throw failureOf(context, path, unreadableFailure(200));
  return maskRecord(record);
}
