import type { FastifyReply, FastifyRequest } from 'fastify';

import type { SandboxControl } from '../control/control';
import { takesEffect } from '../control/faults';
import { journalTime, type JournalEntry } from '../control/journal';
import { answerOfError, refusalAnswer, usualCode, type Answer, type Family } from '../core/envelopes';
import { GatewayRefusal, PlatformRefusal } from '../core/refusals';
import type { Environment } from '../state/environment';
import { isAuthorized } from './authentication';
import { strike } from './fault-answers';

/** Applies a validated request and returns the response. */
export type Apply = (request: FastifyRequest) => Answer;

export interface ExchangeContext {
  control: SandboxControl;
  environment: Environment;
  family: Family;
  apply: Apply;
}

/** Processes a request and completes its journal entry. */
export async function exchange(
  request: FastifyRequest,
  reply: FastifyReply,
  context: ExchangeContext,
  entry: JournalEntry,
): Promise<FastifyReply | undefined> {
  const { control, environment, family } = context;
  const { faults, traffic } = control.parts;
  const description = {
    environment: environment.name,
    method: entry.method,
    path: entry.path,
    operationId: entry.operationId,
  };
  const wait = traffic.takePlace();
  if (wait !== undefined) {
    entry.fault = 'rate_limit';
    return send(reply.header('retry-after', String(wait)), rateLimited(family));
  }
  const fault = faults.strike(description);
  await traffic.delay(description);
  if (!fault) return send(reply, applyRequest(request, context, entry), environment);
  entry.fault = fault.kind;
  const answer = takesEffect(fault) ? applyRequest(request, context, entry) : undefined;
  return strike(reply, fault, family, answer);
}

function applyRequest(request: FastifyRequest, context: ExchangeContext, entry: JournalEntry): Answer {
  const { environment, family } = context;
  try {
    if (!isAuthorized(request.headers.authorization, environment.credentials)) throw unauthorized(family);
    const answer = context.apply(request);
    entry.applied = journalTime(environment.clock.now());
    return answer;
  } catch (error) {
    if (!(error instanceof GatewayRefusal) && !(error instanceof PlatformRefusal))
      // Writes only the stack trace, which contains no request data.
      process.stderr.write(`${error instanceof Error ? String(error.stack) : 'Unknown error'}\n`);
    return answerOfError(family, error);
  }
}

function unauthorized(family: Family): GatewayRefusal | PlatformRefusal {
  return family === 'gateway'
    ? new GatewayRefusal('101', 'Invalid id or key', 401)
    : new PlatformRefusal(11, 'Invalid credentials', 401);
}

/** Builds a response with HTTP status 429. The service documents no error code for 429. */
export function rateLimited(family: Family): Answer {
  return refusalAnswer(family, 429, usualCode(family, 429), 'Too many requests');
}

/**
 * Sends a JSON response.
 * @param environment sets the format of IDs.
 */
export function send(reply: FastifyReply, { status, body }: Answer, environment?: Environment): FastifyReply {
  const text = environment?.written(body) ?? JSON.stringify(body);
  return reply.code(status).type('application/json; charset=utf-8').send(text);
}
