import type { IDataObject } from 'n8n-workflow';

import { ExecutionLimit } from '../../nodes/PaymentPlatform/limits/execution-limit';
import { Gate } from '../../nodes/PaymentPlatform/service/gate';
import { processRequest } from '../../nodes/PaymentPlatform/run/send-all';
import type { Remembered, WriteMemory } from '../../nodes/PaymentPlatform/model/write-memory';
import type { SharedRun } from '../../nodes/PaymentPlatform/run/shared-run';
import type { Account, Operation, PlannedRequest } from '../../nodes/PaymentPlatform/model/types';
import type { Answer, Failure } from '../../nodes/PaymentPlatform/model/failure';
import { BASE_URL, fakeService, type Asked, type Reply } from './fake-service';
import { operationOf } from './requests';

/** Returns a planned write that the node can send. */
export const requestOf = (more: object = {}, operation: Partial<Operation> = {}) =>
  ({
    operation: operationOf(operation),
    items: [0],
    part: 0,
    options: {},
    values: { path: {}, query: {}, body: { memo: 'x' }, node: {} },
    method: 'POST',
    path: '/platform/invoice',
    family: 'platform',
    effect: 'writesOnce',
    simplify: false,
    ...more,
  }) as unknown as PlannedRequest;
export const reading = (more: object = {}) => requestOf({ effect: 'reads', method: 'GET', ...more });
export const failureOf = (outcome: Failure['outcome'], message = 'm'): Failure => ({ outcome, message, advice: '' });
export const failing = (outcome: Failure['outcome']): Answer => ({ ok: false, failure: failureOf(outcome) });
export const done: Remembered = { outcome: 'done', records: [{ invoice_id: '9' }] };
export const open: Remembered = { outcome: 'unknown', code: 'abc' };

export interface Setting {
  reply?: (asked: Asked, number: number) => Reply;
  memory?: Partial<WriteMemory>;
  keys?: object;
  lookUps?: object;
  existing?: unknown;
  over?: Failure;
  evidence?: string;
  goOn?: boolean;
  gate?: Gate;
  maxTries?: number;
}

/** Creates fake objects that record their calls in `log`. */
export function runOf(setting: Setting = {}) {
  const log: string[] = [];
  const { reply = () => ({ data: { invoice_id: '1' } }), memory = {}, keys = {}, lookUps = {}, evidence } = setting;
  const { context, asked } = fakeService((one, number) => {
    log.push(`${one.method} ${one.path}`);
    return reply(one, number);
  });
  const says =
    <T>(what: string, result?: T) =>
    (_: unknown, more?: unknown) => {
      log.push(typeof more === 'string' ? `${what} ${more}` : what);
      return result as T;
    };
  const settles = (what: string) => (_: unknown, became: string) => void log.push(`${what} ${became}`);
  const gate = setting.gate ?? new Gate({ most: 1, longestWaitMs: 60_000 });
  const shared = {
    context,
    account: { baseUrl: BASE_URL } as Account,
    options: {
      maxParallelRequests: 5,
      timeoutMs: 1,
      maxTries: setting.maxTries ?? 3,
      retryTimeMs: 60_000,
    },
    gate,
    memory: {
      recall: () => undefined,
      sending: says('memory enters', undefined),
      done: says('memory keeps'),
      notApplied: says('memory removes'),
      attempt: () => '0',
      addEvidence: () => undefined,
      sentAt: () => undefined,
      openAttempts: () => 0,
      moved: () => 0,
      movedCents: 0,
      ...memory,
    },
    keys: {
      begin: async () => await Promise.resolve(log.push('database notes') && evidence),
      earlier: async () => await Promise.resolve(undefined),
      renew: async () => await Promise.resolve(true),
      settle: settles('database'),
      recordApplied: says('database records as applied'),
      end: async () => await Promise.resolve(void log.push('database ends')),
      ...keys,
    },
    dayLimit: {
      leaves: async () => await Promise.resolve(log.push('day limit measures') && setting.over),
      end: says('day limit ends'),
      settle: (_: unknown, answer?: Answer) => void log.push(`day limit ${answer ? 'settles' : 'gives back'}`),
    },
    earlier: new Map<PlannedRequest, Remembered>(),
    goOn: setting.goOn ?? true,
    ownIds: new Set<string>(),
    lostAnswers: {
      begins: async () => await Promise.resolve(),
      leaves: says('look-ups see it leave'),
      settle: async (_: unknown, answer: Answer) => await Promise.resolve(answer),
      stands: () => undefined,
      canFind: () => false,
      earlier: async () => await Promise.resolve(undefined),
      sighting: () => undefined,
      sighted: (_: unknown, { record }: { record: IDataObject }) => ({ ok: true, record }),
      told: (_: unknown, failure: Failure) => failure,
      ...lookUps,
    },
    duplicates: {
      findDuplicate: async () => await Promise.resolve(log.push('looks for what exists') && setting.existing),
    },
    recordMatcher: {
      own: says('its own records'),
      leaveOpen: says('left open'),
      notApplied: says('not applied'),
      isTaken: () => false,
    },
  } as unknown as SharedRun;
  shared.executionLimit = new ExecutionLimit(shared.memory);
  return { shared, log, asked, process: async (request: PlannedRequest) => await processRequest(shared, request) };
}
