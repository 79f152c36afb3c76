import type { FastifyInstance } from 'fastify';
import type { DurationLikeObject } from 'luxon';

import { PlatformRefusal } from '../core/refusals';
import type { SalesOrder } from '../seed/seed';
import type { SandboxControl } from './control';
import type { FaultRule } from './faults';
import { refuseOtherOrigins } from './guard';
import type { JournalFilter } from './journal';
import type { Scoped } from './orders';
import * as schemas from './schemas';
import type { LatencyRule } from './traffic';
import { webhookRoutes } from './webhook-routes';

/** Serves the test controls over HTTP (sandbox.md). */
export function controlRoutes(control: SandboxControl) {
  return async (server: FastifyInstance): Promise<void> => {
    server.addHook('onRequest', refuseOtherOrigins);
    server.removeContentTypeParser('application/json');
    server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
      try {
        done(null, text === '' ? {} : JSON.parse(String(text)));
      } catch {
        done(Object.assign(new Error('The body is not JSON'), { statusCode: 400 }));
      }
    });
    // Accepts an empty body with any content type. Any other body must be JSON.
    server.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => {
      if (text === '') done(null, {});
      else done(Object.assign(new Error('The content type must be application/json'), { statusCode: 415 }));
    });
    server.setErrorHandler((error, _request, reply) =>
      error instanceof PlatformRefusal
        ? reply.code(error.httpStatus).send({ message: error.message })
        : reply.send(error),
    );
    server.addHook('preValidation', async (request) => {
      await Promise.resolve();
      if (request.method === 'POST') request.body ??= {};
    });
    trafficRoutes(server, control);
    stateRoutes(server, control);
    await Promise.resolve();
  };
}

function trafficRoutes(server: FastifyInstance, control: SandboxControl): void {
  server.post<{ Body: LatencyRule }>('/latency', { schema: { body: schemas.LATENCY_BODY } }, ({ body }) => {
    control.addLatency(body);
    return body;
  });
  server.delete('/latency', () => {
    control.clearLatency();
    return {};
  });
  server.get('/faults', () => control.faults());
  server.post<{ Body: FaultRule }>('/faults', { schema: { body: schemas.FAULT_BODY } }, ({ body }) =>
    control.addFault(body),
  );
  server.delete('/faults', () => {
    control.clearFaults();
    return {};
  });
  server.delete<{ Params: { id: string } }>('/faults/:id', ({ params }, reply) =>
    control.removeFault(Number(params.id)) ? {} : reply.code(404).send({ message: 'No such fault' }),
  );
  server.post<{ Body: Scoped }>('/decline', { schema: { body: schemas.ENVIRONMENT_BODY } }, ({ body }) => {
    control.declineNextCharge(body.environment);
    return {};
  });
  server.put<{ Body: { perSecond: number | null } }>(
    '/rate-limit',
    { schema: { body: schemas.RATE_LIMIT_BODY } },
    ({ body }) => {
      control.setRateLimit(body.perSecond);
      return body;
    },
  );
  server.put<{ Body: { milliseconds: number } }>(
    '/list-lag',
    { schema: { body: schemas.LIST_LAG_BODY } },
    ({ body }) => {
      control.setListLag(body.milliseconds);
      return body;
    },
  );
  server.get<{ Querystring: JournalFilter }>(
    '/journal',
    { schema: { querystring: schemas.JOURNAL_QUERY } },
    ({ query }) => control.journal(query),
  );
  server.delete('/journal', () => {
    control.clearJournal();
    return {};
  });
  server.get('/concurrency', () => control.concurrency());
  server.delete('/concurrency', () => {
    control.resetConcurrency();
    return {};
  });
}

function stateRoutes(server: FastifyInstance, control: SandboxControl): void {
  server.put<{ Body: Scoped & { on: boolean } }>(
    '/long-ids',
    { schema: { body: schemas.LONG_IDS_BODY } },
    ({ body: { on, environment } }) => {
      control.setLongIds(on, environment);
      return { on };
    },
  );
  server.get('/clock', () => ({ now: control.now() }));
  server.post<{ Body: DurationLikeObject }>(
    '/clock/advance',
    { schema: { body: schemas.CLOCK_BODY } },
    async ({ body }) => ({ now: await control.advanceClock(body) }),
  );
  server.post<{ Body: Scoped }>('/batch/close', { schema: { body: schemas.ENVIRONMENT_BODY } }, ({ body }) => ({
    pg_ids: control.closeBatch(body.environment),
  }));
  server.post<{ Body: Scoped }>('/batch/deposits', { schema: { body: schemas.ENVIRONMENT_BODY } }, ({ body }) => ({
    pg_ids: control.sendDeposits(body.environment),
  }));
  server.post<{ Body: Scoped & { count: number } }>(
    '/customers',
    { schema: { body: schemas.CUSTOMERS_BODY } },
    ({ body }) => ({
      customer_ids: control.addCustomers(body.count, body.environment),
    }),
  );
  server.post<{ Body: Scoped & SalesOrder }>('/sales', { schema: { body: schemas.SALES_BODY } }, ({ body }) => {
    const { environment, ...order } = body;
    return { pg_ids: control.addCapturedSales(order, environment) };
  });
  server.get<{ Querystring: Scoped }>('/state', { schema: { querystring: schemas.ENVIRONMENT_QUERY } }, ({ query }) =>
    control.state(query.environment),
  );
  webhookRoutes(server, control);
  server.post<{ Body: { seed?: boolean } }>('/reset', { schema: { body: schemas.RESET_BODY } }, ({ body }) => {
    control.reset(body.seed);
    return {};
  });
}
