import type { Call } from '../calls/call';
import type { Operation } from '../calls/operation';
import { referenceOperation } from '../calls/reference';
import type { Body } from '../contract/types';
import { success } from '../core/envelopes';
import { invalidFields } from '../core/refusals';
import type { Webhook } from '../state/records';
import { webhookView } from '../views/webhooks';
import { CHANGE_BODY, ONE_PATH } from './checks';
import { changeEvents } from './event-changes';
import { checkWebhook } from './request';
import { findWebhook, namedEvents } from './subscribers';

interface Path {
  webhook_id: number;
  event: string;
}
type OneCall = Call<Path, object, Partial<Body<'addWebhook'>>>;

const ONE = '/platform/webhook/{webhook_id}';

/**
 * Operations that read, change and switch one webhook. The reference describes them, but the interface document doesn't
 * (service.md#webhooks).
 */
export const MANAGEMENT: readonly Operation[] = [
  ofOne('getWebhook', 'GET', '', (webhook) => webhookView(webhook)),
  ofOne('updateWebhook', 'PUT', '', change, CHANGE_BODY),
  ofOne('enableWebhook', 'PUT', '/enable', (webhook, { environment }) => {
    const held = webhook.status !== 'ACTIVE';
    webhook.status = 'ACTIVE';
    if (held) environment.resume(webhook.webhook_id);
    return {};
  }),
  ofOne('disableWebhook', 'PUT', '/disable', (webhook) => {
    webhook.status = 'DISABLED';
    return {};
  }),
  ofOne('getWebhookEvents', 'GET', '/event', (webhook) => ({ events: namedEvents(webhook) })),
  ofOne('addWebhookEvent', 'POST', '/event/{event}', (webhook, { path }) => changeEvents(webhook, 'add', path.event)),
  ofOne('deleteWebhookEvent', 'DELETE', '/event/{event}', (webhook, { path }) =>
    changeEvents(webhook, 'remove', path.event),
  ),
];

/** Creates an operation on the webhook in its path. The response's data is the return value of `act`. */
function ofOne(
  operationId: string,
  method: Operation['method'],
  below: string,
  act: (webhook: Webhook, call: OneCall) => object,
  body?: object,
): Operation {
  return referenceOperation<Path, object, Partial<Body<'addWebhook'>>>({
    operationId,
    method,
    path: `${ONE}${below}`,
    schemas: { path: ONE_PATH, body },
    managesWebhooks: true,
    apply: (call) => success(act(findWebhook(call.environment, call.path.webhook_id), call)),
  });
}

/**
 * Replaces the submitted fields, including the whole list of events. The node can't be changed after creation
 * (service.md#webhooks).
 */
function change(webhook: Webhook, { body: { webhook_node, ...fields } }: OneCall): object {
  if (webhook_node !== undefined && webhook_node !== webhook.merchant_id)
    throw invalidFields({ webhook_node: 'can not be changed' });
  const settings = { ...webhook.settings, ...fields };
  checkWebhook(settings);
  webhook.settings = settings;
  return {};
}
