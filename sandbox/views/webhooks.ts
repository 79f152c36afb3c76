import { toDatabaseTimestamp } from '../core/clock';
import type { Webhook } from '../state/records';

/** Builds a webhook without secrets (openapi.yaml#Webhook). */
export function webhookView(webhook: Webhook) {
  const { notification_url, events, label, auth_type, auth_settings, email_address } = webhook.settings;
  return {
    webhook_id: webhook.webhook_id,
    notification_url,
    events,
    webhook_node: Number(webhook.merchant_id),
    label,
    status: webhook.status,
    auth_type: auth_type ?? 'NONE',
    auth_settings: auth_settings && { user_name: auth_settings.user_name },
    email_address: JSON.stringify(email_address ?? []),
    db_timestamp: toDatabaseTimestamp(webhook.created),
  };
}
