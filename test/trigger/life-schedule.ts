import type { FaultKind, FaultRule } from '../../sandbox/control/faults';
import { Random } from '../simulator/random';

export interface HookCall {
  hook: 'activate' | 'deactivate';
  /** Delay in simulated milliseconds after the beginning of the step. */
  afterMs: number;
}

/** List of webhooks that the trigger can't read. */
export const UNREADABLE_LISTS: Record<string, Omit<FaultRule, 'method' | 'path'>> = {
  'no data': { kind: 'status', status: 200, body: { code: 0, message: 'Success' } },
  text: { kind: 'status', status: 200, body: { code: 0, message: 'Success', data: 'x' } },
  'no webhooks': { kind: 'status', status: 200, body: { code: 0, message: 'Success', data: [null] } },
  'no ID': { kind: 'status', status: 200, body: { code: 0, message: 'Success', data: [{ label: 'x' }] } },
  'a wrong total': { kind: 'status', status: 200, body: { code: 0, message: 'Success', data: [], totalRecords: 3 } },
  'a page of a proxy': { kind: 'html_error_page', status: 200 },
};

type Registrations = Record<string, object>;

const inAll = (changes: object) => (registrations: Registrations) => ({
  registrations: Object.fromEntries(Object.entries(registrations).map(([key, one]) => [key, { ...one, ...changes }])),
});

/** Damages to the node's static data. */
export const DAMAGES: Record<string, (registrations: Registrations) => unknown> = {
  'no data': () => null,
  text: () => 'x',
  'an empty object': () => ({}),
  'no registrations': () => ({ registrations: null }),
  'a registration that is null': () => ({ registrations: { x: null } }),
  'no IDs': inAll({ webhook_id: null }),
  'no revisions': inAll({ revision: 'x' }),
  'unusable keys': inAll({ sealedKey: 7 }),
};

/** Part of a trigger's life. All choices are independent, and a missing choice means that nothing happens. */
export interface Step {
  /** Damage to the static data before the hooks: a name in `DAMAGES`. `overwritten` restores the data of an earlier step. */
  data?: string;
  /** Whether n8n restarts after the change of the data, and whether an event arrives before the restart. */
  isRestarted: boolean;
  isReceivedFirst: boolean;
  /** Hooks that n8n calls in this order, without waiting for the earlier ones. */
  hooks: HookCall[];
  /** Whether the trigger watches another merchant, for which it needs another webhook. */
  isLinked: boolean;
  latency?: { method: 'GET' | 'POST' | 'PUT'; milliseconds: number };
  fault?: { kind: FaultKind; path: string; call: number };
  /** List that all requests of the step receive: a name in `UNREADABLE_LISTS`. `late` omits the webhooks that the step creates. */
  list?: string;
  /** Whether n8n is killed during the hook, before it saves the workflow's state. */
  isKilled: boolean;
  isRestartedLater: boolean;
}

const FAULTS = ['status', 'reset_before_apply', 'reset_after_apply', 'truncated_json', 'rate_limited'] as const;
const PATHS = ['/platform/webhook', '/platform/webhook/{webhook_id}/enable', '/platform/webhook/{webhook_id}/disable'];

/** Draws a life of a trigger. A seed determines all choices. */
export function drawLife(seed: number): Step[] {
  const random = new Random(seed);
  return random.list(random.integer(3, 6), () => drawStep(random));
}

function drawStep(random: Random): Step {
  const hooks = random.list(
    random.weighted([
      [4, 1],
      [4, 2],
      [1, 3],
    ] as const),
    () => ({
      hook: random.percent(65) ? ('activate' as const) : ('deactivate' as const),
      afterMs: random.pick([0, 0, 200, 1500]),
    }),
  );
  const trouble = random.weighted([
    [4, 'none'],
    [3, 'fault'],
    [3, 'list'],
    [2, 'kill'],
  ] as const);
  return {
    ...(random.percent(30) && { data: random.pick([...Object.keys(DAMAGES), 'overwritten', 'overwritten']) }),
    isRestarted: random.percent(40),
    isReceivedFirst: random.percent(50),
    hooks: (trouble === 'kill' ? hooks.slice(0, 1) : hooks).toSorted((one, other) => one.afterMs - other.afterMs),
    isLinked: random.percent(40),
    ...(random.percent(40) && {
      latency: { method: random.pick(['GET', 'POST', 'PUT'] as const), milliseconds: random.pick([300, 2000]) },
    }),
    ...(trouble === 'fault' && {
      fault: { kind: random.pick(FAULTS), path: random.pick(PATHS), call: random.integer(1, 3) },
    }),
    ...(trouble === 'list' && { list: random.pick([...Object.keys(UNREADABLE_LISTS), 'late', 'late']) }),
    isKilled: trouble === 'kill',
    isRestartedLater: random.percent(30),
  };
}
