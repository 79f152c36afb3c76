import type { EnvironmentName } from '../state/environment';

/** Conditions for a request. Omitted conditions match every request. */
export interface RequestPattern {
  environment?: EnvironmentName;
  method?: string;
  operationId?: string;
  /** Path below the base URL. `*` or `{name}` matches one segment. */
  path?: string;
}

export type FaultKind =
  | 'status'
  | 'reset_before_apply'
  | 'reset_after_apply'
  | 'timeout'
  | 'drip'
  | 'truncated_json'
  | 'html_error_page'
  | 'rate_limited';

export interface FaultRule extends RequestPattern {
  kind: FaultKind;
  /** Positions of the matching requests that receive the fault, counted from 1. */
  calls?: 'all' | number[] | { from: number; to?: number };
  /**
   * Whether the sandbox applies the request before the fault. Defaults to true only for reset_after_apply and
   * truncated_json.
   */
  applied?: boolean;
  /** HTTP status for the kinds `status` (default 500) and `html_error_page` (default 502). */
  status?: number;
  body?: unknown;
  /** Error code in the response. Defaults to the usual code for the HTTP status. */
  code?: string | number;
  message?: string;
  /** Seconds in the Retry-After header of `rate_limited`. Defaults to 1. */
  retryAfterSeconds?: number;
  retryAfterAsDate?: boolean;
  /** Milliseconds until `timeout` closes the connection. By default, only the client closes the connection. */
  holdMilliseconds?: number;
}

export interface ActiveFault extends FaultRule {
  id: number;
  matched: number;
}

export interface MatchableRequest {
  environment: EnvironmentName;
  method: string;
  path: string;
  operationId: string | null;
}

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

  /** Lists the rules that later requests can still match. */
  waiting(): ActiveFault[] {
    return this.list().filter(
      ({ calls, matched }) => calls === undefined || calls === 'all' || lastCall(calls) > matched,
    );
  }

  remove(id: number): boolean {
    const before = this.rules.length;
    this.rules = this.rules.filter((rule) => rule.id !== id);
    return this.rules.length < before;
  }

  clear(): void {
    this.rules = [];
  }

  /** Counts the request for every matching rule. Returns the oldest rule that applies. */
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

const lastCall = (calls: number[] | { to?: number }): number =>
  Array.isArray(calls) ? Math.max(0, ...calls) : (calls.to ?? Infinity);

/** Returns whether the sandbox applies a request despite the fault. */
export function takesEffect(fault: FaultRule): boolean {
  return fault.applied ?? (fault.kind === 'reset_after_apply' || fault.kind === 'truncated_json');
}
