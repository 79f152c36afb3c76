import { DateTime } from 'luxon';
import {
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  type IRunExecutionData,
  NodeOperationError,
  sleep,
} from 'n8n-workflow';
import { FEWER_AT_ONCE, withoutLookUp } from '../messages/describe-answers';
import { maskAnswer } from '../messages/scrubber';
import { typeRecord } from '../output/format-record';
import { CREDENTIAL_NAME, readAccount } from '../service/account';
import type { Patience } from '../service/retry-rules';
import { sendHttpRequest, sendWithRetries } from '../service/send';
import { asText, isObject } from '../shared/objects';
import { holdsIn } from '../shared/versions';
import { type Payload, recordedAt } from './delivery';
import { DeliveryClaims } from './delivery-claims';
import { DeliveryDedup, type Outcome, PROCESS_ID } from './delivery-dedup';
import { readEmitOptions } from './description';
import { retireReplaced } from './disabling';
import { EVENT_SHAPES, type EventShapes, NEWEST_SHAPE } from './events';
import { type Handover, acknowledge } from './receive';
import { accountKey, nodeKeyOf, runKeyOf } from './state';

type End = Exclude<Outcome, 'running'>;

const SECOND = 1000;
/** Delays between checks of an execution. n8n 1 doesn't tell nodes that an execution has ended. */
const LOOKS = [1, 2, 4, 8, 15, 30, 60, 120, 300, 900, 3600, 3600, 3600].map((seconds) => seconds * SECOND);
/**
 * n8n 2 reports the end of an execution unless the execution waited (n8n.md#end-of-an-execution), so the node checks
 * less often.
 */
const RARE_LOOKS = LOOKS.slice(6);

/** May call `told` again, because with "Save Execution Progress" a running execution looks successful. */
export function onEnd(context: IExecuteFunctions, told: (outcome: End) => void): void {
  const executionId = context.getExecutionId();
  let ended = false;
  let canceled = false;
  const look = async () => {
    const data = await context.getExecutionDataById(executionId);
    if (canceled) return true;
    const outcome = data ? outcomeOf(data) : outcomeOfUnsaved(context);
    if (outcome !== 'running') told(outcome);
    return outcome !== 'running';
  };
  const cancel = () => {
    if (canceled) return;
    canceled = true;
    ended = true;
    told('failed');
  };
  // n8n doesn't report an earlier cancellation to handlers, so the function first checks for a cancellation.
  if (context.getExecutionCancelSignal()?.aborted) return cancel();
  context.onExecutionCancellation(cancel);
  context.onExecutionFinish?.(async () => {
    ended = true;
    if (!canceled) await look();
  });
  const watch = async () => {
    for (const delayMs of context.onExecutionFinish ? RARE_LOOKS : LOOKS) {
      for (let waitedMs = 0; waitedMs < delayMs && !ended; waitedMs += SECOND) await sleep(SECOND);
      if (ended || (await look())) return;
    }
  };
  void watch().catch(() => undefined);
}

function outcomeOf(data: IRunExecutionData): Outcome {
  if (data.resultData.error) return 'failed';
  // A waiting execution can still fail or be canceled, so it hasn't ended.
  const hasEnded = !data.waitTill && Object.keys(data.resultData.runData).length > 0;
  return hasEnded ? 'succeeded' : 'running';
}

/** Contains the execution's data until it waits (n8n.md#end-of-an-execution). n8n's types omit the data. */
interface ExecutionContext extends IExecuteFunctions {
  runExecutionData?: IRunExecutionData;
}

/**
 * n8n deleted the execution when it ended. A node can't read the environment variables that decide about the deletion.
 */
function outcomeOfUnsaved(context: ExecutionContext): End {
  const { runExecutionData } = context;
  if (runExecutionData && !runExecutionData.waitTill) return runExecutionData.resultData.error ? 'failed' : 'succeeded';
  const { saveDataErrorExecution, saveDataSuccessExecution } = context.getWorkflowSettings();
  return saveDataErrorExecution === 'none' && saveDataSuccessExecution !== 'none' ? 'failed' : 'succeeded';
}

/** The workflow waits for this look-up. */
const TIMEOUT_MS = 10_000;
const PATIENCE: Patience = { maxTries: 2, retryTimeMs: 2_000 };

interface LookUp {
  /** Prefix of the events' names. */
  event: string;
  /** ID field of the event and the record. */
  id: string;
  path: (id: string) => string;
}

const LOOK_UPS: LookUp[] = [
  // Sources: openapi.yaml#getAccountUpdaterSummary, openapi.yaml#getCheckout and openapi.yaml#getInvoiceDetail.
  { event: 'account_updater_', id: 'request_id', path: (id) => `/platform/aus/request/summary/${id}` },
  { event: 'checkout_', id: 'checkout_id', path: (id) => `/platform/checkout/${id}` },
  { event: 'invoice_', id: 'invoice_id', path: (id) => `/platform/invoice/${id}/detail` },
];

/**
 * The event may be outdated. Never throws, so that no event is lost.
 * @returns `record`, or `record: null` with the reason in `record_error`, or nothing for other events.
 */
export async function lookUpRecord(context: IExecuteFunctions, handover: Handover): Promise<IDataObject> {
  const { payload = {}, account } = handover;
  const lookUp = LOOK_UPS.find(({ event }) => asText(payload.event).startsWith(event));
  if (!lookUp) return {};
  const id = isObject(payload.data) ? asText(payload.data[lookUp.id]) : '';
  if (!/^[\w-]{1,64}$/.test(id)) return { record: null, record_error: `The event does not contain ${lookUp.id}` };
  try {
    return await fetchRecord(context, lookUp, id, account);
  } catch (error) {
    return {
      record: null,
      record_error: error instanceof Error ? error.message : 'The node could not look up the record',
    };
  }
}

/** The credential must belong to the account of the event. Other accounts use the same IDs for different records. */
async function fetchRecord(
  context: IExecuteFunctions,
  lookUp: LookUp,
  id: string,
  of: string | undefined,
): Promise<IDataObject> {
  const account = readAccount(await context.getCredentials(CREDENTIAL_NAME), context.getNode());
  const without = (record_error: string) => ({ record: null, record_error });
  if (of !== undefined && of !== accountKey(account))
    return without('The event belongs to the previous account of the credential');
  const request = {
    method: 'GET',
    path: lookUp.path(id),
    family: 'platform',
    query: {},
    timeoutMs: TIMEOUT_MS,
  } as const;
  const answer = await sendWithRetries(
    { effect: 'reads', patience: PATIENCE },
    async () => await sendHttpRequest(context, account, request),
  );
  if (answer.ok) {
    const { record } = answer;
    if (!isObject(record) || Object.keys(record).length === 0) return without('The response contains no record');
    if (!['', id].includes(asText(record[lookUp.id]))) return without('The response contains another record');
    return { record: maskAnswer(record) };
  }
  const { message, advice } = answer.failure;
  return without([message, withoutLookUp(advice).replace(FEWER_AT_ONCE, '')].filter(Boolean).join('. '));
}

/** By default, the service repeats a delivery for this period (service.md#deliveries). */
const REPEATED_MINUTES = 60;
const CLOCKS_APART_MINUTES = 5;
const HAS_OFFSET = /(?:z|[+-]\d\d:?\d\d)$/i;

/**
 * Runs in the execution that a call started.
 * @param shapes item formats by version of the trigger.
 * @returns no items if another execution processes the delivery.
 * @throws NodeOperationError if the webhook has a problem that the user must solve.
 */
export async function emit(context: IExecuteFunctions, shapes = EVENT_SHAPES): Promise<INodeExecutionData[][]> {
  const items = context.getInputData();
  const handover = items[0]?.json.delivery as Handover | undefined;
  if (!isObject(handover)) return [items];
  if (handover.problem !== undefined) throw new NodeOperationError(context.getNode(), handover.problem);
  acknowledge(handover.answerId);
  if (!(await isOwn(context, handover))) return [[]];
  if (context.getMode() !== 'manual') await retireReplaced(context).catch(() => undefined);
  return [await itemsOf(context, handover, shapes)];
}

/** If n8n's database fails, the trigger emits the event, because a duplicate is better than a lost event. */
async function isOwn(context: IExecuteFunctions, { id, receivedBy, isTest }: Handover): Promise<boolean> {
  const mode = context.getMode();
  if (id === undefined || isTest || mode === 'manual') return true;
  const deliveries = DeliveryDedup.of(runKeyOf(context, 'production'));
  const ledger = DeliveryClaims.of(nodeKeyOf(context));
  const { helpers } = context;
  const executionId = context.getExecutionId();
  // If workers run the executions, several processes may handle copies of a delivery. Otherwise, another process's open
  // delivery means an interrupted execution.
  const isShared = receivedBy !== PROCESS_ID;
  const begun = await ledger.begin(helpers, id, executionId, isShared).catch(() => 'new' as const);
  const isElsewhere = begun === 'open' && mode !== 'retry';
  const standing = isElsewhere ? await ledger.awaitEnd(helpers, id, executionId).catch(() => 'new' as const) : begun;
  if (standing === 'done' && mode !== 'retry') {
    deliveries.note(id, 'succeeded');
    return false;
  }
  deliveries.note(id, 'running');
  onEnd(context, (outcome) => {
    deliveries.note(id, outcome);
    ledger.end(helpers, id, executionId, outcome === 'succeeded');
  });
  return true;
}

async function itemsOf(
  context: IExecuteFunctions,
  handover: Handover,
  shapes: EventShapes,
): Promise<INodeExecutionData[]> {
  const { split, enrich } = readEmitOptions(context);
  const record = enrich ? await lookUpRecord(context, handover) : {};
  const version = context.getNode().typeVersion;
  const shape = shapes.find((one) => holdsIn(one, version)) ?? NEWEST_SHAPE;
  const items = shape.itemsOf({ ...handover, payload: withMoment(handover) }, { split, record });
  return items.map((json) => ({ json: typeRecord(json), pairedItem: { item: 0 } }));
}

/**
 * Formats the event's time as ISO text. If the time, read as UTC, contradicts the time of receipt, keeps the original
 * text.
 */
function withMoment({ payload = {}, receivedAt }: Handover): Payload {
  const moment = recordedAt(payload.db_timestamp);
  const age = moment && DateTime.fromISO(receivedAt, { zone: 'utc' }).diff(moment, 'minutes').minutes;
  const fits = age !== undefined && age >= -CLOCKS_APART_MINUTES && age <= REPEATED_MINUTES + CLOCKS_APART_MINUTES;
  const isExact = HAS_OFFSET.test(asText(payload.db_timestamp));
  return moment && (isExact || fits) ? { ...payload, db_timestamp: moment.toISO() } : payload;
}
