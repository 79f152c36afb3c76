import type { Handlers } from '../calls/described';
import { success } from '../core/envelopes';
import { isEventName } from '../core/event-names';
import { listAnswer } from '../core/lists';
import { invalidFields } from '../core/refusals';
import { platformMerchant } from '../rules/merchants';
import type { Environment } from '../state/environment';
import type { Webhook } from '../state/records';
import { webhookView } from '../views/webhooks';
import { checkWebhook } from '../webhooks/request';
import { newSecurityKey } from '../webhooks/secret';
import { findWebhook, namedEvents } from '../webhooks/subscribers';

export const webhookHandlers = {
  /** Registers a webhook. Only this response contains its security_key. */
  addWebhook: ({ environment, body: { webhook_node, ...settings } }) => {
    checkWebhook(settings);
    const webhook: Webhook = {
      webhook_id: environment.ids.nextNumber('webhook', 21_001),
      merchant_id: platformMerchant(environment, webhook_node),
      settings,
      status: 'ACTIVE',
      security_key: newSecurityKey(),
      created: environment.clock.now(),
    };
    environment.webhooks.set(webhook.webhook_id, webhook);
    return success({ ...webhookView(webhook), security_key: webhook.security_key });
  },

  /** Lists webhooks, oldest first (openapi.yaml#getWebhooks). */
  getWebhooks: (call) => {
    const { environment } = call;
    const found = [...environment.webhooks.values()].filter(({ created }) => environment.isListed(created));
    return listAnswer(found.map(webhookView), call, 'webhook_id', 'asc');
  },

  /** Returns a webhook without its secrets (openapi.yaml#getWebhook). */
  getWebhook: ({ environment, path }) => success(webhookView(findWebhook(environment, path.webhook_id))),

  /** Replaces a webhook's submitted fields. A submitted list of events replaces all events. */
  updateWebhook: ({ environment, path, body }) => {
    const webhook = findWebhook(environment, path.webhook_id);
    const settings = { ...webhook.settings, ...body };
    checkWebhook(settings);
    webhook.settings = settings;
    return success({});
  },

  enableWebhook: ({ environment, path }) => {
    const webhook = findWebhook(environment, path.webhook_id);
    const held = webhook.status !== 'ACTIVE';
    webhook.status = 'ACTIVE';
    if (held) environment.resume(webhook.webhook_id);
    return success({});
  },

  /** Disables a webhook, so that its deliveries wait. */
  disableWebhook: ({ environment, path }) => {
    findWebhook(environment, path.webhook_id).status = 'DISABLED';
    return success({});
  },

  getWebhookEvents: ({ environment, path }) =>
    success({ events: namedEvents(findWebhook(environment, path.webhook_id)) }),

  addWebhookEvent: ({ environment, path }) => changeEvents(environment, path, (others) => [...others, path.event]),

  deleteWebhookEvent: ({ environment, path }) => changeEvents(environment, path, (others) => others),
} satisfies Partial<Handlers>;

/**
 * @param change returns the events of the webhook, without the event of the request.
 * @throws PlatformRefusal with code 2 for an unknown event.
 */
function changeEvents(
  environment: Environment,
  { webhook_id, event }: { webhook_id: number; event: string },
  change: (others: string[]) => string[],
) {
  const webhook = findWebhook(environment, webhook_id);
  if (!isEventName(event)) throw invalidFields({ event: 'does not exist' });
  const events = change(namedEvents(webhook).filter((one) => one !== event));
  webhook.settings = { ...webhook.settings, events };
  return success({});
}
