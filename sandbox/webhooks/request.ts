import type { Body } from '../contract/types';
import { invalidFields } from '../core/refusals';
import { isEventName } from './events';

const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];
const LONGEST = { notification_url: 256, label: 64 } as const;

/**
 * Checks what a webhook would be after its creation or a change (facts.md section 1).
 * @throws PlatformRefusal code 2 that names the field.
 */
export function checkWebhook(request: Partial<Body<'addWebhook'>>): void {
  const { notification_url = '', label = '', events = [], auth_type, auth_settings } = request;
  for (const [name, longest] of Object.entries(LONGEST))
    if (String(request[name as keyof typeof LONGEST] ?? '').length > longest)
      throw invalidFields({ [name]: `must have at most ${longest} characters` });
  if (!isNotificationUrl(notification_url))
    throw invalidFields({ notification_url: 'must be an https URL (http is taken for this machine only)' });
  if (label === '') throw invalidFields({ label: 'is required' });
  const unknown = events.find((event) => !isEventName(event));
  if (unknown !== undefined) throw invalidFields({ events: `${unknown} is not an event` });
  if (auth_type === 'BASIC' && !(auth_settings?.user_name && auth_settings.user_password))
    throw invalidFields({ auth_settings: 'needs user_name and user_password' });
}

function isNotificationUrl(text: string): boolean {
  return URL.canParse(text) && (new URL(text).protocol === 'https:' || isLoopback(text));
}

/** Whether a URL is one of this machine. */
export function isLoopback(url: string): boolean {
  return URL.canParse(url) && LOOPBACK_HOSTS.includes(new URL(url).hostname);
}
