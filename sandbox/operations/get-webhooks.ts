import type { Handler } from '../calls/call';
import { listPage } from '../core/lists';
import { webhookView } from '../views/webhooks';

/** Lists webhooks, oldest first (openapi.yaml#getWebhooks). */
export const getWebhooks: Handler<'getWebhooks'> = ({ environment, query, recordFields }) => {
  const found = [...environment.webhooks.values()].filter(({ created }) => environment.isListed(created));
  const rules = { fields: recordFields, order_on: 'webhook_id', order_by: 'asc' } as const;
  return { code: 0, message: 'Success', ...listPage(found.map(webhookView), query, rules) };
};
