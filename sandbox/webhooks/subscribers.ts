import { noSuchResource } from '../core/refusals';
import type { Environment } from '../state/environment';
import type { Webhook } from '../state/records';

/**
 * Returns a webhook by its ID.
 * @throws PlatformRefusal with code 7 (HTTP 404) if the webhook doesn't exist.
 */
export function findWebhook({ webhooks }: Environment, webhookId: number): Webhook {
  const webhook = webhooks.get(webhookId);
  if (!webhook) throw noSuchResource('Webhook');
  return webhook;
}

/**
 * Returns the events of a webhook. A webhook without events receives no deliveries, because the service doesn't
 * document another behavior.
 */
export const namedEvents = ({ settings: { events = [] } }: Webhook): string[] => events;

/**
 * Returns whether a webhook receives an event. The webhook must be ACTIVE, belong to the event's merchant and subscribe
 * to the event.
 */
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
