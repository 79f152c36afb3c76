import { isEventName } from '../core/event-names';
import { invalidFields } from '../core/refusals';
import type { WebhookSettings } from '../state/records';

const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Validates a webhook's URL, events and authentication (service.md#webhooks).
 * @throws PlatformRefusal with code 2.
 */
export function checkWebhook(settings: WebhookSettings): void {
  const { notification_url, label, events = [], auth_type, auth_settings } = settings;
  if (!isNotificationUrl(notification_url))
    throw invalidFields({ notification_url: 'must be an https URL (http is taken for this machine only)' });
  if (label.trim() === '') throw invalidFields({ label: 'is required' });
  const unknown = events.find((event) => !isEventName(event));
  if (unknown !== undefined) throw invalidFields({ events: 'names an event that does not exist' });
  if (auth_type === 'BASIC' && !auth_settings?.user_password)
    throw invalidFields({ 'auth_settings.user_password': 'is required when auth_type is BASIC' });
}

/** Refuses URLs with a password, because webhook records show the URL. */
function isNotificationUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || (protocol === 'http:' && isLoopback(text))) && username === '' && password === '';
}

export function isLoopback(url: string): boolean {
  return URL.canParse(url) && LOOPBACK_HOSTS.includes(new URL(url).hostname);
}
