import type { ListQuery } from '../core/lists';
import { listPage } from '../core/lists';
import { success } from '../core/envelopes';
import { invalidFields, noSuchResource } from '../core/refusals';
import type { Environment } from '../state/environment';
import type { Webhook } from '../state/records';
import { webhookView } from '../views/webhooks';
import { isEventName } from './events';
import { checkWebhook } from './request';

/** What the management operations get: whatever was sent, checked by themselves. */
export interface ManagementCall {
  environment: Environment;
  params: Record<string, string>;
  query: ListQuery;
  body: Record<string, unknown>;
}

export interface ManagementOperation {
  operationId: string;
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  path: string;
  apply: (call: ManagementCall) => Record<string, unknown>;
}

const ONE = '/platform/webhook/{webhook_id}';
const LIST_FIELDS = ['webhook_id', 'notification_url', 'label', 'status', 'webhook_node', 'auth_type'];
/** What a PUT may change: everything but the node (facts.md section 1). */
const CHANGEABLE = ['notification_url', 'label', 'events', 'email_address', 'auth_type', 'auth_settings'];

/** Finding, changing and switching webhooks: not in the interface document, known from the reference (facts.md section 1). */
export const MANAGEMENT: ManagementOperation[] = [
  {
    operationId: 'getWebhooks',
    method: 'GET',
    path: '/platform/webhook',
    apply: ({ environment, query }) => {
      const { count, page } = query;
      const numbers = { ...(count && { count: Number(count) }), ...(page && { page: Number(page) }) };
      const all = [...environment.webhooks.values()].map(webhookView);
      const rules = { fields: LIST_FIELDS, order_on: 'webhook_id', order_by: 'asc' } as const;
      return { code: 0, message: 'Success', ...listPage(all, { ...query, ...numbers }, rules) };
    },
  },
  { operationId: 'getWebhook', method: 'GET', path: ONE, apply: (call) => success(webhookView(find(call))) },
  {
    operationId: 'updateWebhook',
    method: 'PUT',
    path: ONE,
    apply: (call) => {
      const webhook = find(call);
      const unknown = Object.keys(call.body).find((name) => !CHANGEABLE.includes(name));
      if (unknown !== undefined) throw invalidFields({ [unknown]: 'can not be changed' });
      const request = { ...webhook.request, ...call.body };
      checkWebhook(request);
      webhook.request = request;
      return success(webhookView(webhook));
    },
  },
  switching('enableWebhook', 'enable', 'ACTIVE'),
  switching('disableWebhook', 'disable', 'DISABLED'),
  {
    operationId: 'getWebhookEvents',
    method: 'GET',
    path: `${ONE}/event`,
    apply: (call) => success({ events: find(call).request.events ?? [] }),
  },
  {
    operationId: 'addWebhookEvent',
    method: 'POST',
    path: `${ONE}/event/{event}`,
    apply: (call) => changeEvents(call, (events, event) => [...events.filter((one) => one !== event), event]),
  },
  {
    operationId: 'deleteWebhookEvent',
    method: 'DELETE',
    path: `${ONE}/event/{event}`,
    apply: (call) => changeEvents(call, (events, event) => events.filter((one) => one !== event)),
  },
];

function find({ environment, params }: ManagementCall): Webhook {
  const webhook = environment.webhooks.get(Number(params.webhook_id));
  if (!webhook) throw noSuchResource('Webhook');
  return webhook;
}

function switching(operationId: string, verb: string, status: Webhook['status']): ManagementOperation {
  return {
    operationId,
    method: 'PUT',
    path: `${ONE}/${verb}`,
    apply: (call) => {
      find(call).status = status;
      return success({});
    },
  };
}

function changeEvents(call: ManagementCall, change: (events: string[], event: string) => string[]) {
  const webhook = find(call);
  const event = call.params.event ?? '';
  if (!isEventName(event)) throw invalidFields({ event: 'is not an event' });
  webhook.request = { ...webhook.request, events: change(webhook.request.events ?? [], event) };
  return success({});
}
