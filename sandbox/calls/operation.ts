import { refusalOf } from '../contract/problems';
import type { Problem } from '../contract/validator';
import type { Family } from '../core/envelopes';
import type { Environment } from '../state/environment';
import type { Call } from './call';

/** What is wrong with the parts of a request. The checks of path and query turn texts into their types, in place. */
export interface RequestChecks {
  path(values: Record<string, unknown>): Problem[];
  query(values: Record<string, unknown>): Problem[];
  body(body: unknown): Problem[];
}

/** One operation of the service: where it is reached, what it may be sent, and what it does. */
export interface Operation {
  operationId: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  /** Below the base URL, with `{name}` for each path parameter. */
  path: string;
  family: Family;
  checks: RequestChecks;
  recordFields: readonly string[];
  /** Whether it finds, changes or switches webhooks: an account may be without these. */
  managesWebhooks: boolean;
  /** Returns the whole body of the successful answer; throws a refusal before it has changed anything. */
  apply(call: Call): object;
}

/** A request as it arrived: path and query as texts. */
export interface ArrivedRequest {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

/**
 * Checks a request and applies it.
 * @returns the whole body of the successful answer.
 * @throws the refusal of the operation's family, before anything has changed.
 */
export function answer(operation: Operation, environment: Environment, request: ArrivedRequest): object {
  const { checks, family, recordFields } = operation;
  const path = { ...request.path };
  const query = { ...request.query };
  const problems = [...checks.path(path), ...checks.query(query), ...checks.body(request.body)];
  if (problems.length > 0) throw refusalOf(family, problems);
  return operation.apply({ environment, path, query, body: request.body ?? {}, recordFields });
}
