import { refusalOf } from '../contract/problems';
import type { Problem } from '../contract/validator';
import type { Family } from '../core/envelopes';
import type { Environment } from '../state/environment';
import type { Call } from './call';

/**
 * Validators for the parts of a request. The path and query validators convert text values to the types of the
 * interface in place.
 */
export interface RequestChecks {
  path(values: Record<string, unknown>): Problem[];
  query(values: Record<string, unknown>): Problem[];
  body(body: unknown): Problem[];
}

/** Operation of the service, with its method, path, request checks and effect. */
export interface Operation {
  operationId: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  /** Path below the base URL. Each path parameter has the form `{name}`. */
  path: string;
  family: Family;
  checks: RequestChecks;
  recordFields: readonly string[];
  /** Whether the operation lists, changes, enables or disables webhooks. Some accounts can't use these operations. */
  managesWebhooks: boolean;
  /**
   * Applies a checked call and returns the body of the successful response. Throws a refusal before the first change.
   */
  apply(call: Call): object;
}

/** Received request. Path and query values are text. */
export interface ArrivedRequest {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

/**
 * Checks a request and applies it.
 * @returns the body of the successful response.
 * @throws a refusal in the format of the operation's family, before any change.
 */
export function answer(operation: Operation, environment: Environment, request: ArrivedRequest): object {
  const { checks, family, recordFields } = operation;
  const path = { ...request.path };
  const query = { ...request.query };
  const problems = [...checks.path(path), ...checks.query(query), ...checks.body(request.body)];
  if (problems.length > 0) throw refusalOf(family, problems);
  return operation.apply({ environment, path, query, body: request.body ?? {}, recordFields });
}
