import { noSuchResource } from '../core/refusals';
import type { Environment } from '../state/environment';
import type { Webhook } from '../state/records';

/**
 * Returns a webhook by its ID.
 * @throws PlatformRefusal with code 7 for an unknown webhook.
 */
export function findWebhook({ webhooks }: Environment, webhookId: number): Webhook {
  const webhook = webhooks.get(webhookId);
  if (!webhook) throw noSuchResource('Webhook');
  return webhook;
}

/** Returns a webhook's events. A webhook without events receives no deliveries. */
export const namedEvents = ({ settings: { events = [] } }: Webhook): string[] => events;

/** Returns whether a webhook is ACTIVE, belongs to the event's merchant and subscribes to the event. */
export function wants(webhook: Webhook, event: string, merchantId: string | undefined): boolean {
  const ofMerchant = merchantId === undefined || webhook.merchant_id === merchantId;
  return webhook.status === 'ACTIVE' && ofMerchant && namedEvents(webhook).includes(event);
}

/** Suspends a webhook and notifies its recipients (service.md#deliveries). */
export function suspend({ notices, clock }: Environment, webhook: Webhook): void {
  webhook.status = 'SUSPENDED';
  const { email_address = [] } = webhook.settings;
  if (email_address.length > 0)
    notices.push({ webhook_id: webhook.webhook_id, sent: clock.now(), email_address, phone_number: [] });
}
