import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';

import type { SandboxControl } from '../control/control';
import { journalTime, type JournalEntry } from '../control/journal';
import { refusalOf } from '../contract/problems';
import type { ContractOperation, InterfaceDocument } from '../contract/document';
import { createValidators } from '../contract/validator';
import { familyOf, refusalAnswer, usualCode } from '../core/envelopes';
import { maskText, redact } from '../core/redact';
import { noSuchResource } from '../core/refusals';
import { HANDLERS } from '../operations';
import type { Environment } from '../state/environment';
import { exchange, send, type Apply } from './exchange';
import { namedObject } from './named-object';
import { applyReference, REFERENCE_OPERATIONS } from './reference-operations';

type AnyHandler = (call: Record<string, unknown>) => Record<string, unknown>;

/** Serves all operations of the interface description below `/<environment>`, and journals whatever arrives there. */
export function interfaceRoutes(document: InterfaceDocument, environment: Environment, control: SandboxControl) {
  const validators = createValidators(document);
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

  /** Counts the object a request names for as long as the request is open. */
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
    // Clients name a content type even when there is nothing to send; whatever is sent has to be JSON.
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
        entry.body = redact(request.body ?? null);
        countObject(request, entry, (action) => reply.raw.once('close', action));
      }
      done();
    });
    server.addHook('onSend', async (request, reply) => {
      const entry = entries.get(request);
      if (entry) entry.status = reply.statusCode;
    });
    const route = (operationId: string, method: HTTPMethods, path: string, apply: Apply): void => {
      // Built once: its validators are compiled at the first request and kept.
      const context = contextOf(path, apply);
      server.route({
        method,
        url: path.replace(/\{([^}]+)\}/g, ':$1'),
        config: { operationId },
        handler: (request, reply) => exchange(request, reply, context, entries.get(request) ?? open(request)),
      });
    };
    for (const operation of document.operations)
      route(operation.operationId, operation.method, operation.path, applyOperation(operation));
    for (const operation of REFERENCE_OPERATIONS)
      route(operation.operationId, operation.method, operation.path, applyReference(operation, environment, control));
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

  function applyOperation(operation: ContractOperation): Apply {
    const validator = validators(operation);
    const recordFields = document.recordFields(operation.operationId);
    const handler = HANDLERS[operation.operationId as keyof typeof HANDLERS] as unknown as AnyHandler | undefined;
    return (request) => {
      const path = { ...(request.params as object) };
      const query = { ...(request.query as object) };
      const problems = [
        ...validator.parameters('path', path),
        ...validator.parameters('query', query),
        ...validator.body(request.body),
      ];
      if (problems.length > 0) throw refusalOf(operation.family, problems);
      if (!handler) throw noSuchResource('URL');
      return { status: 200, body: handler({ environment, body: request.body ?? {}, path, query, recordFields }) };
    };
  }

  function applyNothing(): never {
    throw noSuchResource('URL');
  }
}
