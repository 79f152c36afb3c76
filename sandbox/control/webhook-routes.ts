import type { FastifyInstance } from 'fastify';

import type { SandboxControl } from './control';
import type { DeliveryOrder, DuplicateOrder, EventOrder, RotationOrder, Scoped, SettingsOrder } from './orders';
import { ENVIRONMENT_BODY, ENVIRONMENT_QUERY } from './schemas';
import * as schemas from './webhook-schemas';

/** Serves the webhook controls over HTTP. Responses never contain webhook secrets. */
export function webhookRoutes(server: FastifyInstance, control: SandboxControl): void {
  const body = (schema: object) => ({ schema: { body: schema } });
  server.post<{ Body: EventOrder }>('/events', body(schemas.EVENT_BODY), ({ body: order }) => ({
    webhooks: control.fireEvent(order),
  }));
  server.get<{ Querystring: Scoped }>('/deliveries', { schema: { querystring: ENVIRONMENT_QUERY } }, ({ query }) =>
    control.deliveries(query.environment),
  );
  server.post<{ Body: DeliveryOrder }>('/deliveries', body(schemas.DELIVERY_BODY), async ({ body: order }) => ({
    status: await control.sendDelivery(order),
  }));
  for (const path of ['/deliveries/duplicate', '/deliveries/repeat'])
    server.post<{ Body: DuplicateOrder }>(path, body(schemas.DUPLICATE_BODY), async (request) => ({
      statuses: await control.duplicate(request.body),
    }));
  server.post<{ Body: Scoped }>('/deliveries/retry', body(ENVIRONMENT_BODY), ({ body: { environment } }) => {
    control.retryNow(environment);
    return {};
  });
  server.post('/deliveries/settle', async () => {
    await control.settleDeliveries();
    return {};
  });
  server.put<{ Body: SettingsOrder }>('/deliveries/settings', body(schemas.SETTINGS_BODY), ({ body: order }) =>
    control.setDeliverySettings(order),
  );
  server.post<{ Body: Scoped & { webhookId: number } }>(
    '/webhooks/probe',
    body(schemas.PROBE_BODY),
    async ({ body: { webhookId, environment } }) => ({ status: await control.probe(webhookId, environment) }),
  );
  server.post<{ Body: RotationOrder }>('/webhooks/rotate', body(schemas.ROTATION_BODY), ({ body: order }) => {
    control.rotateSecret(order);
    return {};
  });
  server.put<{ Body: { available: boolean } }>(
    '/webhooks/management',
    body(schemas.MANAGEMENT_BODY),
    ({ body: { available } }) => {
      control.webhookManagement = available;
      return { available };
    },
  );
}
