import { isEventName } from '../core/event-names';
import { invalidFields } from '../core/refusals';
import type { Webhook } from '../state/records';
import { namedEvents } from './subscribers';

/**
 * Adds an event to those a webhook names, or removes it. A webhook that names none wants all of them: nothing can be
 * added to that or taken from it, and the last named one stays, for without it the webhook would want all.
 * @throws PlatformRefusal code 2 for an event that does not exist or can not be removed.
 */
export function changeEvents(webhook: Webhook, change: 'add' | 'remove', event: string): object {
  if (!isEventName(event)) throw invalidFields({ event: 'does not exist' });
  const events = namedEvents(webhook);
  if (change === 'add') {
    if (events && !events.includes(event)) webhook.settings = { ...webhook.settings, events: [...events, event] };
    return {};
  }
  if (!events) throw invalidFields({ event: 'can not be removed: the webhook names no events and wants all' });
  const rest = events.filter((one) => one !== event);
  if (rest.length === 0) throw invalidFields({ event: 'is the last one: without any the webhook would want all' });
  webhook.settings = { ...webhook.settings, events: rest };
  return {};
}
