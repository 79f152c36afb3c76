import type { IDataObject } from 'n8n-workflow';
import { EVENT_GROUPS, eventOptions } from '../fields/events';
import { WHAT_HAPPENED } from '../messages/what-happened';
import { asText } from '../shared/objects';
import type { Held } from '../shared/versions';
import { envelopeOf, recordsOf } from './delivery';
import type { Handover } from './receive';

/** What an event says, in the words in which it is chosen. The service may have events that nobody has words for. */
export function inWords(event: unknown): string {
  const known = EVENT_GROUPS.flatMap(({ events }) => events).find(({ value }) => value === event);
  return known ? (known.description.split('. ')[0] ?? '') : `The service reported the event ${asText(event)}`;
}

/** What the trigger waits for, in words, for the line under its name: an expression, which the editor evaluates. */
export const eventSubtitle = `={{ [$parameter["events"], $parameter["customEvents"] || []].flat().map((event) => (${JSON.stringify(
  Object.fromEntries(eventOptions.map(({ name, value }) => [value, name])),
)})[event] ?? event).join(", ") }}`;

/** What an event becomes besides what the call said. */
interface Wanted {
  /** Whether each record that it tells of becomes an item. */
  split: boolean;
  /** `record`, or why there is none; nothing where nobody asked. */
  record: IDataObject;
}

/** What the items of an event look like in some versions of the trigger. */
interface EventShape extends Held {
  itemsOf: (handover: Handover, wanted: Wanted) => IDataObject[];
}

/** What a workflow gets, what happened first: everything of the service's is in `payload` and `record`, the rest is ours. */
export const NEWEST_SHAPE: EventShape = {
  itemsOf: ({ id, payload = {}, webhookId, environment, receivedAt, notices }, { split, record }) => {
    const begin: IDataObject = { [WHAT_HAPPENED]: inWords(payload.event), event: payload.event };
    const about: IDataObject = {
      environment: environment ?? (payload.is_test === true ? 'test' : 'production'),
      webhook_id: payload.webhook_id ?? webhookId ?? null,
      db_timestamp: payload.db_timestamp ?? null,
      received_at: receivedAt,
      delivery_id: id,
      ...(notices.length > 0 && { notice: notices.join('\n') }),
    };
    const records = split ? recordsOf(payload) : undefined;
    if (!records) return [{ ...begin, payload, ...record, ...about }];
    const envelope = envelopeOf(payload, records);
    return records.map((entry, index) => ({
      ...begin,
      entry,
      entry_index: index,
      entry_count: records.length,
      payload: envelope,
      ...record,
      ...about,
    }));
  },
};

export type EventShapes = readonly EventShape[];

/** The shape of each version of the trigger. */
export const EVENT_SHAPES: EventShapes = [NEWEST_SHAPE];
