import { refusalOf } from '../contract/problems';
import type { Problem } from '../contract/validator';
import type { Family } from '../core/envelopes';
import type { Environment } from '../state/environment';
import type { Call } from './call';

/** Validators for the parts of a request. The path and query validators convert text values in place. */
export interface RequestChecks {
  path(values: Record<string, unknown>): Problem[];
  query(values: Record<string, unknown>): Problem[];
  body(body: unknown): Problem[];
}

export interface Operation {
  operationId: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  path: string;
  family: Family;
  checks: RequestChecks;
  recordFields: readonly string[];
  /** Whether some accounts lack the operation because they can't manage webhooks. */
  managesWebhooks: boolean;
  apply(call: Call): object;
}

/** Received request. Path and query values are text. */
export interface ArrivedRequest {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

/**
 * Validates a request, applies its operation and returns the response body.
 * @throws a refusal before any change, except that a declined transaction is stored.
 */
export function answer(operation: Operation, environment: Environment, request: ArrivedRequest): object {
  const { checks, family, recordFields } = operation;
  const path = { ...request.path };
  const query = { ...request.query };
  const problems = [...checks.path(path), ...checks.query(query), ...checks.body(request.body)];
  if (problems.length > 0) throw refusalOf(family, problems);
  return operation.apply({ environment, path, query, body: request.body ?? {}, recordFields });
}
