import { isEventName } from '../core/event-names';
import { invalidFields } from '../core/refusals';
import type { WebhookSettings } from '../state/records';

const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Checks what the types of a webhook's fields leave open, for what it would be after its creation or a change: its
 * address, its events, and what its deliveries authenticate themselves with (service.md#webhooks).
 * @throws PlatformRefusal code 2 that names the field.
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

/** A password inside the URL would be shown wherever the URL is. */
function isNotificationUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || (protocol === 'http:' && isLoopback(text))) && username === '' && password === '';
}

/** Whether a URL is one of this machine. */
export function isLoopback(url: string): boolean {
  return URL.canParse(url) && LOOPBACK_HOSTS.includes(new URL(url).hostname);
}
