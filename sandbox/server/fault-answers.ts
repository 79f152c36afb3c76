import type { FastifyReply } from 'fastify';
import { DateTime } from 'luxon';

import type { FaultRule } from '../control/faults';
import { refusalAnswer, usualCode, type Answer, type Family } from '../core/envelopes';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Applies a fault rule to a response.
 * @param answer regular response, if the sandbox applied the request.
 * @returns undefined after dropping the connection.
 */
export async function strike(
  reply: FastifyReply,
  fault: FaultRule,
  family: Family,
  answer: Answer | undefined,
): Promise<FastifyReply | undefined> {
  switch (fault.kind) {
    case 'reset_before_apply':
    case 'reset_after_apply':
      return drop(reply);
    case 'timeout':
      return hold(reply, fault.holdMilliseconds);
    case 'drip':
      return drip(reply);
    case 'truncated_json':
      return truncate(reply, answer ?? failure(fault, family, 200));
    case 'html_error_page':
      return reply
        .code(fault.status ?? 502)
        .type('text/html; charset=utf-8')
        .send(errorPage(fault.status ?? 502));
    case 'rate_limited':
      return sendJson(
        reply.header('retry-after', retryAfter(fault)),
        failure({ message: 'Too many requests', ...fault }, family, 429),
      );
    case 'status':
      return sendJson(reply, failure(fault, family, fault.status ?? 500));
  }
}

function drop(reply: FastifyReply): undefined {
  reply.hijack();
  reply.raw.socket?.resetAndDestroy();
  return undefined;
}

async function hold(reply: FastifyReply, milliseconds: number | undefined): Promise<undefined> {
  reply.hijack();
  const longest = 2 ** 31 - 1;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds ?? longest);
    timer.unref();
    reply.raw.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  reply.raw.socket?.resetAndDestroy();
  return undefined;
}

const DRIP_MS = 200;

function drip(reply: FastifyReply): undefined {
  reply.hijack();
  reply.raw.writeHead(200, { 'content-type': JSON_TYPE });
  const drops = setInterval(() => reply.raw.write(' '), DRIP_MS);
  reply.raw.once('close', () => clearInterval(drops));
  return undefined;
}

function truncate(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  const text = JSON.stringify(body);
  return reply
    .code(status)
    .type(JSON_TYPE)
    .send(text.slice(0, Math.ceil(text.length / 2)));
}

function failure(fault: Pick<FaultRule, 'body' | 'code' | 'message'>, family: Family, status: number): Answer {
  if (fault.body !== undefined) return { status, body: fault.body as Record<string, unknown> };
  return refusalAnswer(
    family,
    status,
    fault.code ?? usualCode(family, status),
    fault.message ?? 'Forced by the sandbox',
  );
}

function sendJson(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  return reply.code(status).type(JSON_TYPE).send(JSON.stringify(body));
}

/** Formats the Retry-After header. Uses the machine's clock for a date, because clients use the same clock. */
function retryAfter({ retryAfterSeconds = 1, retryAfterAsDate = false }: FaultRule): string {
  if (!retryAfterAsDate) return String(retryAfterSeconds);
  return DateTime.utc().plus({ seconds: retryAfterSeconds }).toHTTP();
}

function errorPage(status: number): string {
  return `<!DOCTYPE html><html lang="en"><head><title>${status}</title></head><body><h1>${status} Bad gateway</h1></body></html>`;
}
