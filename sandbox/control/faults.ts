import type { EnvironmentName } from '../state/environment';

/** Conditions that a request must meet. An omitted condition matches every request. */
export interface RequestPattern {
  environment?: EnvironmentName;
  method?: string;
  operationId?: string;
  /**
   * Path below the base URL. `*` or `{name}` matches one segment, for example in `/platform/invoice/{invoice_id}/send`.
   */
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
  /** Positions of the matching requests that receive the fault, counted from 1. Defaults to all requests. */
  calls?: 'all' | number[] | { from: number; to?: number };
  /**
   * Whether the sandbox applies the request before the fault. Defaults to true only for reset_after_apply and
   * truncated_json.
   */
  applied?: boolean;
  /** HTTP status for the kinds `status` (default 500) and `html_error_page` (default 502). */
  status?: number;
  /** Body for the kind `status`. Defaults to the family's error format with `code` and `message`. */
  body?: unknown;
  /** Value of rcode or code in the family's error format. Defaults to the family's usual code for the status. */
  code?: string | number;
  message?: string;
  /**
   * Seconds in the Retry-After header of `rate_limited` (default 1). If `retryAfterAsDate` is true, the header contains
   * a date.
   */
  retryAfterSeconds?: number;
  retryAfterAsDate?: boolean;
  /**
   * Milliseconds after which `timeout` closes the connection. By default, the connection stays open until the client
   * disconnects.
   */
  holdMilliseconds?: number;
}

export interface ActiveFault extends FaultRule {
  id: number;
  /** Number of requests that have matched the rule. */
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

/** Active fault rules. Each rule counts its matching requests. */
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

  /** Removes a rule. Returns whether the rule existed. */
  remove(id: number): boolean {
    const before = this.rules.length;
    this.rules = this.rules.filter((rule) => rule.id !== id);
    return this.rules.length < before;
  }

  clear(): void {
    this.rules = [];
  }

  /** Counts a request for every matching rule. Returns the oldest rule that applies to this request, if any. */
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

/** Returns whether the sandbox applies a request despite the fault. */
export function takesEffect(fault: FaultRule): boolean {
  return fault.applied ?? (fault.kind === 'reset_after_apply' || fault.kind === 'truncated_json');
}
