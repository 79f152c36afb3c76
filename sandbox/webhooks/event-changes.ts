import { isEventName } from '../core/event-names';
import { invalidFields } from '../core/refusals';
import type { Webhook } from '../state/records';
import { namedEvents } from './subscribers';

/**
 * Adds an event to those a webhook names, or removes it; twice is the same as once. Without the last one it is told nothing.
 * @throws PlatformRefusal code 2 for an event that does not exist.
 */
export function changeEvents(webhook: Webhook, change: 'add' | 'remove', event: string): object {
  if (!isEventName(event)) throw invalidFields({ event: 'does not exist' });
  const others = namedEvents(webhook).filter((one) => one !== event);
  webhook.settings = { ...webhook.settings, events: change === 'add' ? [...others, event] : others };
  return {};
}
