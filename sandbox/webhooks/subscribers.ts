import { noSuchResource } from '../core/refusals';
import type { Environment } from '../state/environment';
import type { Webhook } from '../state/records';

/** The webhook with this ID, or code 7 at HTTP 404. */
export function findWebhook({ webhooks }: Environment, webhookId: number): Webhook {
  const webhook = webhooks.get(webhookId);
  if (!webhook) throw noSuchResource('Webhook');
  return webhook;
}

/** The events a webhook names. One that names none is told nothing: nobody says that it would be told of all. */
export const namedEvents = ({ settings: { events = [] } }: Webhook): string[] => events;

/** Whether a webhook is to be told: it is ACTIVE, of the event's merchant, and subscribed. */
export function wants(webhook: Webhook, event: string, merchantId: string | undefined): boolean {
  const ofMerchant = merchantId === undefined || webhook.merchant_id === merchantId;
  return webhook.status === 'ACTIVE' && ofMerchant && namedEvents(webhook).includes(event);
}

/** Suspends a webhook and writes to those who want to know (service.md#deliveries). */
export function suspend({ notices, clock }: Environment, webhook: Webhook): void {
  webhook.status = 'SUSPENDED';
  const { email_address = [] } = webhook.settings;
  if (email_address.length > 0)
    notices.push({ webhook_id: webhook.webhook_id, sent: clock.now(), email_address, phone_number: [] });
}
