import { DateTime } from 'luxon';
import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { typeRecord } from '../output/type-record';
import { asText, isObject } from '../shared/objects';
import { holdsIn } from '../shared/versions';
import { acknowledge } from './answer';
import { recordedAt, type Payload } from './delivery';
import { endDraining } from './disabling';
import { lookUpRecord } from './enrich';
import { EVENT_SHAPES, NEWEST_SHAPE, type EventShapes } from './event-shapes';
import { DeliveryClaims } from './delivery-claims';
import { DeliveryDedup, PROCESS_ID } from './delivery-dedup';
import { readEmitOptions } from './options';
import { onEnd } from './outcome';
import type { Handover } from './receive';
import { nodeKeyOf, runKeyOf } from './state';

/** The service repeats a delivery for so long (service.md#deliveries). */
const REPEATED_MINUTES = 60;
/** The clocks of n8n and of the service may differ by so much. */
const CLOCKS_APART_MINUTES = 5;
const HAS_OFFSET = /(?:z|[+-]\d\d:?\d\d)$/i;

/**
 * The trigger's part of an execution that a call started: looks whether another execution has done or is doing the same
 * delivery, and hands the event on, with its record if that is wanted.
 * @param shapes what the items look like, by the version of the trigger.
 * @returns no items for a delivery that is another execution's.
 * @throws NodeOperationError for a problem of the webhook that a person has to solve.
 */
export async function emit(context: IExecuteFunctions, shapes = EVENT_SHAPES): Promise<INodeExecutionData[][]> {
  const items = context.getInputData();
  const handover = items[0]?.json.delivery as Handover | undefined;
  if (!isObject(handover)) return [items];
  if (handover.problem !== undefined) throw new NodeOperationError(context.getNode(), handover.problem);
  acknowledge(handover.answerId);
  if (!(await isOwn(context, handover))) return [[]];
  if (context.getMode() !== 'manual') await endDraining(context).catch(() => undefined);
  return [await itemsOf(context, handover, shapes)];
}

/**
 * Whether the delivery is this execution's. A person's retry is a person's word. When n8n's database can't tell, the
 * event is emitted: twice rather than never.
 */
async function isOwn(context: IExecuteFunctions, { id, receivedBy, isTest }: Handover): Promise<boolean> {
  const mode = context.getMode();
  if (id === undefined || isTest || mode === 'manual') return true;
  const deliveries = DeliveryDedup.of(runKeyOf(context, 'production'));
  const ledger = DeliveryClaims.of(nodeKeyOf(context));
  const { helpers } = context;
  const executionId = context.getExecutionId();
  // With a process of its own for executions, another one may work on a copy at this moment. Without, what another one left open was cut off.
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
 * Returns the payload with the moment of its event as ISO text. A time without an offset stays as the service wrote it if
 * the time read as UTC does not fit the delivery, because the time is in another zone then.
 */
function withMoment({ payload = {}, receivedAt }: Handover): Payload {
  const moment = recordedAt(payload.db_timestamp);
  const age = moment && DateTime.fromISO(receivedAt).diff(moment, 'minutes').minutes;
  const fits = age !== undefined && age >= -CLOCKS_APART_MINUTES && age <= REPEATED_MINUTES + CLOCKS_APART_MINUTES;
  const isExact = HAS_OFFSET.test(asText(payload.db_timestamp));
  return moment && (isExact || fits) ? { ...payload, db_timestamp: moment.toISO() } : payload;
}
