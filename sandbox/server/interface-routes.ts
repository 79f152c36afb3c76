import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { SandboxControl } from '../control/control';
import { journalTime, type JournalEntry } from '../control/journal';
import { answer, type Operation } from '../calls/operation';
import { familyOf, refusalAnswer, usualCode } from '../core/envelopes';
import { maskText, redact } from '../core/redact';
import { noSuchResource } from '../core/refusals';
import type { Environment } from '../state/environment';
import { isAuthorized } from './authentication';
import { exchange, send, type Apply } from './exchange';
import { FORM_LIMIT_BYTES, readForm } from './read-form';
import { namedObject } from './named-object';

export function interfaceRoutes(operations: readonly Operation[], environment: Environment, control: SandboxControl) {
  const entries = new WeakMap<FastifyRequest, JournalEntry>();
  const prefix = `/${environment.name}`;

  const pathOf = (request: FastifyRequest): string => (request.url.split('?')[0] ?? '').slice(prefix.length);

  const open = (request: FastifyRequest): JournalEntry => {
    const { accept, authorization, 'content-type': contentType, 'user-agent': userAgent } = request.headers;
    const config = request.routeOptions.config as { operationId?: string };
    const entry = control.parts.journal.open({
      environment: environment.name,
      received: journalTime(environment.clock.now()),
      method: request.method,
      path: maskText(pathOf(request)),
      query: redact({ ...(request.query as object) }),
      operationId: config.operationId ?? null,
      headers: {
        accept,
        'content-type': contentType,
        'user-agent': userAgent,
        authorization: authorization && `${authorization.split(' ')[0]} [redacted]`,
      },
      body: null,
    });
    entries.set(request, entry);
    return entry;
  };

  const countObject = (
    request: FastifyRequest,
    entry: JournalEntry,
    whenClosed: (action: () => void) => void,
  ): void => {
    entry.object = namedObject(request.params, request.body);
    if (entry.object === null) return;
    const { traffic } = control.parts;
    const key = `${environment.name} ${entry.object}`;
    traffic.enterObject(key);
    whenClosed(() => traffic.leaveObject(key));
  };

  return async (server: FastifyInstance): Promise<void> => {
    server.removeContentTypeParser('application/json');
    server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
      try {
        done(null, text === '' ? undefined : JSON.parse(String(text)));
      } catch {
        done(Object.assign(new Error('The body is not JSON'), { statusCode: 400 }));
      }
    });
    server.addContentTypeParser(
      'multipart/form-data',
      { parseAs: 'buffer', bodyLimit: FORM_LIMIT_BYTES },
      async (request: FastifyRequest, content: Buffer) => {
        try {
          return await readForm(content, request.headers['content-type'] ?? '');
        } catch {
          throw Object.assign(new Error('The body is not a form'), { statusCode: 400 });
        }
      },
    );
    // Accepts an empty body with any content type. Any other body must be JSON.
    server.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => {
      if (text === '') done(null, undefined);
      else done(Object.assign(new Error('The content type must be application/json'), { statusCode: 415 }));
    });
    server.addHook('onRequest', (request, reply, done) => {
      const { traffic } = control.parts;
      const entry = open(request);
      traffic.enter();
      reply.raw.once('close', () => {
        traffic.leave();
        entry.finished = journalTime(environment.clock.now());
      });
      done();
    });
    server.addHook('preHandler', (request, reply, done) => {
      const entry = entries.get(request);
      if (entry) {
        const bytes = Number(request.headers['content-length'] ?? 0);
        // Stores only the bodies of authenticated requests, because other clients could exhaust the memory.
        if (isAuthorized(request.headers.authorization, environment.credentials))
          control.parts.journal.keepBody(entry, redact(request.body ?? null), bytes);
        countObject(request, entry, (action) => reply.raw.once('close', action));
      }
      done();
    });
    server.addHook('onSend', async (request, reply) => {
      const entry = entries.get(request);
      if (entry) entry.status = reply.statusCode;
    });
    for (const operation of operations) {
      const context = contextOf(operation.path, applyOperation(operation));
      server.route({
        method: operation.method,
        url: operation.path.replace(/\{([^}]+)\}/g, ':$1'),
        config: { operationId: operation.operationId },
        handler: (request, reply) => exchange(request, reply, context, entries.get(request) ?? open(request)),
      });
    }
    server.setNotFoundHandler((request, reply) =>
      exchange(request, reply, contextOf(pathOf(request), applyNothing), entries.get(request) ?? open(request)),
    );
    server.setErrorHandler((error: { statusCode?: number; message: string }, request, reply) => {
      const family = familyOf(pathOf(request));
      const status = error.statusCode !== undefined && error.statusCode < 500 ? 400 : 500;
      const message = status === 400 ? 'The request body could not be read as JSON' : 'Service failure';
      return send(reply, refusalAnswer(family, status, usualCode(family, status), message));
    });
    await Promise.resolve();
  };

  function contextOf(path: string, apply: Apply) {
    return { control, environment, family: familyOf(path), apply };
  }

  /** Responds as for an unknown URL if the account lacks a webhook operation. */
  function applyOperation(operation: Operation): Apply {
    return ({ params, query, body }) => {
      if (operation.managesWebhooks && !control.webhookManagement) throw noSuchResource('URL');
      const request = { path: { ...(params as object) }, query: { ...(query as object) }, body };
      return { status: 200, body: { ...answer(operation, environment, request) } };
    };
  }

  function applyNothing(): never {
    throw noSuchResource('URL');
  }
}
