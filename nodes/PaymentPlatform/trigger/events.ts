import type { IDataObject } from 'n8n-workflow';
import { eventOptions } from '../fields/events';
import { WHAT_HAPPENED } from '../messages/what-happened';
import type { Held } from '../shared/versions';
import { envelopeOf, recordsOf } from './delivery';
import { describeEvent } from './describe-event';
import type { Enriched } from './enrich';
import type { Handover } from './receive';

/** Evaluates to the names of the selected events. */
export const eventSubtitle = `={{ [$parameter["events"], $parameter["customEvents"] || []].flat().map((event) => (${JSON.stringify(
  Object.fromEntries(eventOptions.map(({ name, value }) => [value, name])),
)})[event] ?? event).join(", ") }}`;

interface Wanted extends Enriched {
  /** Whether to output each record of the event as an item. */
  split: boolean;
}

interface EventShape extends Held {
  itemsOf: (handover: Handover, wanted: Wanted) => IDataObject[];
}

/** Each item begins with a sentence about the event. */
export const NEWEST_SHAPE: EventShape = {
  itemsOf: (
    { id, source = 'webhook', payload = {}, webhookId, environment, receivedAt, notices },
    { split, record, entries },
  ) => {
    const begin = (entry?: IDataObject): IDataObject => ({
      [WHAT_HAPPENED]: describeEvent(payload, entry),
      event: payload.event,
    });
    const about: IDataObject = {
      source,
      environment: environment ?? (payload.is_test === true ? 'test' : 'production'),
      webhook_id: payload.webhook_id ?? webhookId ?? null,
      db_timestamp: payload.db_timestamp ?? null,
      received_at: receivedAt,
      delivery_id: id,
      ...(notices.length > 0 && { notice: notices.join('\n') }),
    };
    const records = recordsOf(payload);
    const parts = split ? (entries ?? records?.map((entry) => ({ entry, record }))) : undefined;
    if (!parts) return [{ ...begin(), payload, ...record, ...about }];
    const envelope = records ? envelopeOf(payload, records) : payload;
    return parts.map((part, index) => ({
      ...begin(part.entry),
      entry: part.entry,
      entry_index: index,
      entry_count: parts.length,
      payload: envelope,
      ...part.record,
      ...about,
    }));
  },
};

export type EventShapes = readonly EventShape[];

export const EVENT_SHAPES: EventShapes = [NEWEST_SHAPE];
