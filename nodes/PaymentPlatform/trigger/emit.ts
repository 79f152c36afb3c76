import { DateTime } from 'luxon';
import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError, sleep } from 'n8n-workflow';

import { SubmittedRequests } from '../once/submitted-requests';
import { typeRecord } from '../output/format-record';
import { asText, isObject, objectIn } from '../shared/objects';
import { holdsIn } from '../shared/versions';
import { withoutCaught } from './catch-up/omit-caught';
import { CatchUpPass } from './catch-up/pass';
import { type Payload, recordedAt } from './delivery';
import { DeliveryClaims, isOwn } from './delivery-claims';
import { DeliveryDedup, onEnd, PROCESS_ID } from './delivery-dedup';
import { readEmitOptions } from './description';
import { retireReplaced } from './disabling';
import { enrichEvent } from './enrich';
import { EVENT_SHAPES, type EventShapes, NEWEST_SHAPE } from './events';
import { type Handover, acknowledge } from './receive';
import { merchantOf, runKeyOf } from './state';

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
  const { handovers, notices } = handover.isCatchUp
    ? await CatchUpPass.run(context, handover)
    : { handovers: await ownDelivery(context, handover), notices: [] };
  const given = await onlyOwnRequests(context, handovers);
  const all: INodeExecutionData[] = [];
  const [first] = given;
  if (first) first.notices = [...first.notices, ...notices];
  for (const one of given) all.push(...(await itemsOf(context, one, shapes)));
  return [all];
}

/** Returns the delivery, or nothing if the workflow has processed it. */
async function ownDelivery(context: IExecuteFunctions, handover: Handover): Promise<Handover[]> {
  const standing = await begin(context, handover);
  if (standing === 'done') return [];
  if (context.getMode() !== 'manual') await retireReplaced(context).catch(() => undefined);
  const left = await withoutCaught(context, handover, standing === 'takenOver').catch(() => handover);
  return left ? [left] : [];
}

/** If n8n's database fails, the trigger emits the event, because a duplicate is better than a lost event. */
async function begin(
  context: IExecuteFunctions,
  { id, receivedBy, isTest }: Handover,
): Promise<'new' | 'takenOver' | 'done'> {
  const mode = context.getMode();
  if (id === undefined || isTest || mode === 'manual') return 'new';
  const deliveries = DeliveryDedup.of(runKeyOf(context, 'production'));
  const ledger = DeliveryClaims.of(context);
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
    return 'done';
  }
  deliveries.note(id, 'running');
  onEnd(context, (outcome) => {
    deliveries.note(id, outcome);
    // A failed retry must not remove another execution's claim.
    if (outcome === 'succeeded' || isOwn(standing)) ledger.end(helpers, id, executionId, outcome === 'succeeded');
  });
  return standing === 'interrupted' ? 'takenOver' : 'new';
}

/** Time in which a node receives the response of the request that the event is about. */
const RESPONSE_MS = 5_000;
const UNCERTAIN =
  "n8n's database does not show whether a node of this workflow submitted this account updater request.";

/** Removes events about requests that no node of the workflow submitted. Never throws, so that no event is lost. */
async function onlyOwnRequests(context: IExecuteFunctions, handovers: Handover[]): Promise<Handover[]> {
  const { ownRequests, ignoresWithout } = readEmitOptions(context);
  if (!ownRequests) return handovers;
  const left: Handover[] = [];
  let hasWaited = false;
  for (const handover of handovers) {
    const { payload = {}, environment = 'production', account = '', notices } = handover;
    const id = asText(objectIn(payload.data).request_id).trim();
    const isAboutRequest = asText(payload.event).startsWith('account_updater_');
    if (!isAboutRequest || (id === '' && !ignoresWithout)) left.push(handover);
    if (!isAboutRequest || id === '') continue;
    const requests = new SubmittedRequests(context, { environment, merchantId: merchantOf(account) });
    const ask = async () => await requests.isOwn(id).catch(() => undefined);
    let isOwn = await ask();
    if (isOwn === undefined && !hasWaited) {
      await sleep(RESPONSE_MS);
      hasWaited = true;
      isOwn = await ask();
    }
    if (isOwn !== false) left.push(isOwn ? handover : { ...handover, notices: [...notices, UNCERTAIN] });
  }
  return left;
}

async function itemsOf(
  context: IExecuteFunctions,
  handover: Handover,
  shapes: EventShapes,
): Promise<INodeExecutionData[]> {
  const { split, enrich } = readEmitOptions(context);
  const enriched = enrich ? await enrichEvent(context, handover, split) : { record: {} };
  const version = context.getNode().typeVersion;
  const shape = shapes.find((one) => holdsIn(one, version)) ?? NEWEST_SHAPE;
  const items = shape.itemsOf({ ...handover, payload: withMoment(handover) }, { split, ...enriched });
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
