import { isEventName } from '../core/event-names';
import { invalidFields } from '../core/refusals';
import type { Webhook } from '../state/records';
import { namedEvents } from './subscribers';

/**
 * Adds an event to a webhook or removes the event. A repeated change has no effect. A webhook without events receives
 * no deliveries.
 * @throws PlatformRefusal with code 2 for an unknown event.
 */
export function changeEvents(webhook: Webhook, change: 'add' | 'remove', event: string): object {
  if (!isEventName(event)) throw invalidFields({ event: 'does not exist' });
  const others = namedEvents(webhook).filter((one) => one !== event);
  webhook.settings = { ...webhook.settings, events: change === 'add' ? [...others, event] : others };
  return {};
}
