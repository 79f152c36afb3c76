import type { IDataObject } from 'n8n-workflow';
import { EVENT_GROUPS, eventOptions } from '../fields/events';
import { WHAT_HAPPENED } from '../messages/what-happened';
import { asText } from '../shared/objects';
import type { Held } from '../shared/versions';
import { envelopeOf, recordsOf } from './delivery';
import type { Handover } from './receive';

/**
 * Describes an event. Uses the description from the editor if available. The service may send events that have no
 * description.
 */
export function inWords(event: unknown): string {
  const known = EVENT_GROUPS.flatMap(({ events }) => events).find(({ value }) => value === event);
  // Keeps only the first sentence of the description, without examples.
  return known
    ? (known.description.split(/, e\.g\. |\. /)[0] ?? '')
    : `The service reported the event ${asText(event)}`;
}

/**
 * Expression for the line below the trigger's name. The editor evaluates the expression to the names of the selected
 * events.
 */
export const eventSubtitle = `={{ [$parameter["events"], $parameter["customEvents"] || []].flat().map((event) => (${JSON.stringify(
  Object.fromEntries(eventOptions.map(({ name, value }) => [value, name])),
)})[event] ?? event).join(", ") }}`;

/** Settings for the items of an event. */
interface Wanted {
  /** Whether to output each record of the event as an item. */
  split: boolean;
  /** Fields `record` and `record_error`. Empty if the user doesn't want the record. */
  record: IDataObject;
}

/** Item format for a range of trigger versions. */
interface EventShape extends Held {
  itemsOf: (handover: Handover, wanted: Wanted) => IDataObject[];
}

/**
 * Newest item format. Each item begins with a sentence that describes the event. The fields `payload` and `record`
 * contain the service's data. The trigger adds all other fields.
 */
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

/** Item formats for all versions of the trigger. */
export const EVENT_SHAPES: EventShapes = [NEWEST_SHAPE];
