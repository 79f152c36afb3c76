import { EVENT_GROUPS, eventOptions } from '../fields/events';
import { asText } from '../shared/objects';

/** What an event says, in the words in which it is chosen. The service may have events that nobody has words for. */
export function inWords(event: unknown): string {
  const known = EVENT_GROUPS.flatMap(({ events }) => events).find(({ value }) => value === event);
  return known ? (known.description.split('. ')[0] ?? '') : `The service reported the event ${asText(event)}`;
}

/** What the trigger waits for, in words, for the line under its name: an expression, which the editor evaluates. */
export const eventSubtitle = `={{ [$parameter["events"], $parameter["customEvents"] || []].flat().map((event) => (${JSON.stringify(
  Object.fromEntries(eventOptions.map(({ name, value }) => [value, name])),
)})[event] ?? event).join(", ") }}`;
