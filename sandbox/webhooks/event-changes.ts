import { isEventName } from '../core/event-names';
import { invalidFields } from '../core/refusals';
import type { Webhook } from '../state/records';
import { namedEvents } from './subscribers';

/**
 * Adds or removes a webhook's event.
 * @throws PlatformRefusal with code 2 for an unknown event.
 */
export function changeEvents(webhook: Webhook, change: 'add' | 'remove', event: string): object {
  if (!isEventName(event)) throw invalidFields({ event: 'does not exist' });
  const others = namedEvents(webhook).filter((one) => one !== event);
  webhook.settings = { ...webhook.settings, events: change === 'add' ? [...others, event] : others };
  return {};
}
