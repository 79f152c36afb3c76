import type { EnvironmentName } from '../state/environment';

/** The requests that a rule applies to. An omitted property matches any request. */
export interface RequestPattern {
  environment?: EnvironmentName;
  method?: string;
  operationId?: string;
  /** Path below the base URL. `*` or `{name}` matches one segment, as in `/platform/invoice/{invoice_id}/send`. */
  path?: string;
}

export type FaultKind =
  | 'status'
  | 'reset_before_apply'
  | 'reset_after_apply'
  | 'timeout'
  | 'truncated_json'
  | 'html_error_page'
  | 'rate_limited';

export interface FaultRule extends RequestPattern {
  kind: FaultKind;
  /** Numbers of the matching requests to apply the rule to, counted from 1. Default: all. */
  calls?: 'all' | number[] | { from: number; to?: number };
  /** Whether the request takes effect before the fault. Default: only for reset_after_apply and truncated_json. */
  applied?: boolean;
  /** HTTP status of `status` (default 500) and `html_error_page` (default 502). */
  status?: number;
  /** Body of `status`. Defaults to the family's error format with `code` and `message`. */
  body?: unknown;
  /** rcode or code in the family's error format. Defaults to the family's usual code for the status. */
  code?: string | number;
  message?: string;
  /** Seconds in the Retry-After header of `rate_limited` (default 1), and whether to send them as a date. */
  retryAfterSeconds?: number;
  retryAfterAsDate?: boolean;
  /**
   * Time in milliseconds for which `timeout` keeps the connection open before dropping it. By default, the connection
   * stays open until the client gives up.
   */
  holdMilliseconds?: number;
}

export interface ActiveFault extends FaultRule {
  id: number;
  /** Number of matching requests so far. */
  matched: number;
}

export interface MatchableRequest {
  environment: EnvironmentName;
  method: string;
  path: string;
  operationId: string | null;
}

/** Returns whether a request matches a pattern. */
export function matchesPattern(pattern: RequestPattern, request: MatchableRequest): boolean {
  return (
    (pattern.environment === undefined || pattern.environment === request.environment) &&
    (pattern.method === undefined || pattern.method.toUpperCase() === request.method) &&
    (pattern.operationId === undefined || pattern.operationId === request.operationId) &&
    (pattern.path === undefined || matchesPath(pattern.path, request.path))
  );
}

function matchesPath(pattern: string, path: string): boolean {
  const [expected, actual] = [pattern.split('/'), path.split('/')];
  return (
    expected.length === actual.length &&
    expected.every((part, index) => part === '*' || /^\{.*\}$/.test(part) || part === actual[index])
  );
}

/** The active fault rules. Each rule counts its own matching requests. */
export class Faults {
  private rules: ActiveFault[] = [];
  private lastId = 0;

  add(rule: FaultRule): ActiveFault {
    this.lastId += 1;
    const active = { ...rule, id: this.lastId, matched: 0 };
    this.rules.push(active);
    return { ...active };
  }

  list(): ActiveFault[] {
    return this.rules.map((rule) => ({ ...rule }));
  }

  /** Removes a rule. Returns whether it existed. */
  remove(id: number): boolean {
    const before = this.rules.length;
    this.rules = this.rules.filter((rule) => rule.id !== id);
    return this.rules.length < before;
  }

  clear(): void {
    this.rules = [];
  }

  /**
   * Counts the request for every matching rule. Returns the fault of the oldest rule whose calls include the request.
   */
  strike(request: MatchableRequest): ActiveFault | undefined {
    const matching = this.rules.filter((rule) => matchesPattern(rule, request));
    for (const rule of matching) rule.matched += 1;
    return matching.find((rule) => includesCall(rule.calls, rule.matched));
  }
}

function includesCall(calls: FaultRule['calls'], number: number): boolean {
  if (calls === undefined || calls === 'all') return true;
  if (Array.isArray(calls)) return calls.includes(number);
  return number >= calls.from && number <= (calls.to ?? Infinity);
}

/** Returns whether a request still takes effect despite the fault. */
export function takesEffect(fault: FaultRule): boolean {
  return fault.applied ?? (fault.kind === 'reset_after_apply' || fault.kind === 'truncated_json');
}
