import { createRequire } from 'node:module';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Problem } from '../../nodes/PaymentPlatform/fields/types';
import type { amountOf as amountOfRequest } from '../../nodes/PaymentPlatform/model/read-amounts';
import { processedData } from '../processed-data';
import type { Looked, Match } from '../../nodes/PaymentPlatform/lookup/found-record';
import type { RecordMatcher as ClaimsClass } from '../../nodes/PaymentPlatform/lookup/match-records';
import type {
  Digests as DigestsClass,
  OnceKeys,
  WriteKeys as WriteKeysClass,
} from '../../nodes/PaymentPlatform/once/write-keys';
import type { DayTotal as DayTotalClass } from '../../nodes/PaymentPlatform/limits/day-total';
import type { DayWrites as DayWritesClass } from '../../nodes/PaymentPlatform/limits/day-writes';
import type { KeyStore } from '../../nodes/PaymentPlatform/n8n/key-row';
import type { Gate as GateClass } from '../../nodes/PaymentPlatform/service/gate';
import type { DatabaseKeys as DatabaseKeysClass } from '../../nodes/PaymentPlatform/once/database-keys';
import type { OncePerKey as OncePerKeyClass } from '../../nodes/PaymentPlatform/once/once-per-key';
import type { ToolMemory as LedgerClass } from '../../nodes/PaymentPlatform/once/tool-memory';
import type { LostAnswers as LookUpsClass } from '../../nodes/PaymentPlatform/lookup/lost-answers';
import type { ExecutionMemory as MemoryClass } from '../../nodes/PaymentPlatform/once/execution-memory';
import type { Round } from '../../nodes/PaymentPlatform/n8n/lineage';
import type { RecalledSteps } from '../../nodes/PaymentPlatform/model/operation';
import type { Remembered, WriteMemory } from '../../nodes/PaymentPlatform/model/write-memory';
import { movingOperations, type MoneyName } from './money';
import type { Doing, Schedule } from './schedule';
import type { Effect, PlannedRequest } from '../../nodes/PaymentPlatform/model/types';
import type { Answer, FailedAnswer, Failure } from '../../nodes/PaymentPlatform/model/failure';

const load = createRequire(__filename);
// Loads the modules without jest's copies, so that a replaced function affects every import.
export const shipped = <Module extends object>(name: string) => load(`../../nodes/PaymentPlatform/${name}`) as Module;

const { RecordMatcher } = shipped<{ RecordMatcher: typeof ClaimsClass }>('lookup/match-records');
const { Digests, WriteKeys } = shipped<{ Digests: typeof DigestsClass; WriteKeys: typeof WriteKeysClass }>(
  'once/write-keys',
);
const { DayTotal } = shipped<{ DayTotal: typeof DayTotalClass }>('limits/day-total');
const { DayWrites } = shipped<{ DayWrites: typeof DayWritesClass }>('limits/day-writes');
const { Gate } = shipped<{ Gate: typeof GateClass }>('service/gate');
const { DatabaseKeys } = shipped<{ DatabaseKeys: typeof DatabaseKeysClass }>('once/database-keys');
const { OncePerKey } = shipped<{ OncePerKey: typeof OncePerKeyClass }>('once/once-per-key');
const { ToolMemory } = shipped<{ ToolMemory: typeof LedgerClass }>('once/tool-memory');
const { LostAnswers } = shipped<{ LostAnswers: typeof LookUpsClass }>('lookup/lost-answers');
const { ExecutionMemory } = shipped<{ ExecutionMemory: typeof MemoryClass }>('once/execution-memory');
const { amountOf } = shipped<{ amountOf: typeof amountOfRequest }>('model/read-amounts');
const decoding = shipped('service/decode-response');
const identity = shipped('model/identity');
const options = shipped('run/read-options');
const parameters = shipped('n8n/read-parameter');
const parts = shipped('model/operation');
const retry = shipped('service/retry-rules');
const rounds = shipped('n8n/lineage');
const places = shipped('once/begun-places');

type OpenMemory = typeof MemoryClass.open;
type MemoryOfRun = ReturnType<OpenMemory>;

export function replace<Given extends unknown[], Result>(
  owner: object,
  name: string,
  instead: (original: (...given: Given) => Result, given: Given) => Result,
): void {
  const before = Reflect.get(owner, name) as (this: unknown, ...given: Given) => Result;
  jest.spyOn(owner as Record<string, () => unknown>, name).mockImplementation(function (this: unknown, ...given) {
    return instead((...changed) => before.apply(this, changed), given as unknown as Given);
  });
}

const opened = (change: (memory: MemoryOfRun, ...given: Parameters<OpenMemory>) => void) =>
  replace<Parameters<OpenMemory>, MemoryOfRun>(ExecutionMemory, 'open', (open, given) => {
    const memory = open(...given);
    change(memory, ...given);
    return memory;
  });

/** Turns off the journal, which would hide a defect of the in-memory keys. */
export const withoutJournal = (): void => {
  jest.spyOn(DatabaseKeys.prototype, 'begin').mockResolvedValue(undefined);
};

const withoutMemory = (): void => {
  jest.spyOn(ExecutionMemory.prototype, 'recall').mockReturnValue(undefined);
};

/** Possible defects of the node. Each function introduces a defect, which lasts until jest restores the code. */
export const DEFECTS: Record<string, () => void> = {
  'earlier attempts are forgotten': withoutMemory,
  'a try that was not applied erases an earlier one of unknown outcome': () => {
    jest.spyOn(ExecutionMemory.prototype, 'openAttempts').mockReturnValue(0);
  },
  'an option is part of what identifies a write': () => {
    replace<[PlannedRequest], string>(
      Digests.prototype,
      'request',
      (request, [planned]) => `${request(planned)}${JSON.stringify(planned.options)}`,
    );
    opened((memory, context) => {
      const digests = Reflect.get(memory, 'digests') as DigestsClass;
      Reflect.set(digests, 'parameters', digests.of(context.getNode().parameters));
    });
  },
  'an edited item counts as a new one': () => {
    replace<[PlannedRequest], Remembered | undefined>(ExecutionMemory.prototype, 'recall', (recall, given) => {
      const known = recall(...given);
      return known?.outcome === 'edited' ? undefined : known;
    });
  },
  'a write of unknown outcome is sent again by itself': () => {
    replace<[Effect, Failure], boolean>(
      retry,
      'isRepeatable',
      (isRepeatable, given) => given[1].outcome === 'unknown' || isRepeatable(...given),
    );
  },
  'rcode 101 is taken as done': () => {
    replace<unknown[], Answer>(decoding, 'decode', (decode, given) => {
      const answer = decode(...given);
      return !answer.ok && answer.failure.rcode === '101' ? { ok: true, record: {} } : answer;
    });
  },
  'guards are read from the first item only': () => {
    replace<[unknown, number, ...unknown[]], unknown>(options, 'readItemOptions', (read, [context, , ...rest]) =>
      read(context, 0, ...rest),
    );
  },
  "a tool's earlier calls are forgotten": () => {
    jest.spyOn(ToolMemory.prototype, 'recall').mockReturnValue(undefined);
  },
  'the gate closes a moment after a failure': () =>
    replace<[string?], void>(Gate.prototype, 'close', (close, given) => void setTimeout(() => close(...given), 1)),
  'the memory is dropped at the end of every run': () => {
    replace<[boolean], void>(ExecutionMemory.prototype, 'end', (end) => end(true));
  },
  'a step that is done is taken again': () => {
    replace<[WriteMemory, PlannedRequest], RecalledSteps>(parts, 'recallSteps', (recall, given) => ({
      ...recall(...given),
      done: [],
      next: given[1],
    }));
  },
  'Send Again sends all steps of an item again': () => {
    replace<[WriteMemory, PlannedRequest], RecalledSteps>(parts, 'recallSteps', (recall, given) => {
      const recalled = recall(...given);
      const repeats = given[1].options.unknownOutcome === 'resend' && recalled.next !== undefined;
      return repeats ? { ...recalled, done: [], next: given[1] } : recalled;
    });
  },
  'the steps of an item share one place in the memory': () => {
    replace<[PlannedRequest], Remembered | undefined>(ExecutionMemory.prototype, 'recall', (recall, [request]) =>
      recall({ ...request, part: 0 }),
    );
  },
  'a request that many items share is remembered by its first row': () => {
    const isOther = (request: PlannedRequest) => request.whole !== undefined && request.whole.shares?.[0] !== request;
    const first = (request: PlannedRequest) => request.whole?.shares?.[0] ?? request;
    replace<[PlannedRequest, unknown], void>(ExecutionMemory.prototype, 'keep', (keep, [request, entry]) => {
      if (!isOther(request)) keep(request, entry);
    });
    replace<[PlannedRequest], Remembered | undefined>(ExecutionMemory.prototype, 'recall', (recall, [request]) =>
      recall(first(request)),
    );
  },
  'a look takes any record that agrees': () => {
    replace<[PlannedRequest, Looked], Match>(RecordMatcher.prototype, 'claim', (claim, given) => {
      const match = claim(...given);
      const [record] = match.unclear;
      return record ? { record, unclear: [], isDoubtful: false, isPending: false } : match;
    });
  },
  "a person's word that an item was not applied is not checked at the service": () => {
    replace<[PlannedRequest, Remembered | undefined, number?], Promise<Answer | undefined>>(
      LostAnswers.prototype,
      'earlier',
      async (earlier, given) => (given[1] === undefined ? undefined : await earlier(...given)),
    );
  },
  'all nodes of an execution share one memory': () => {
    replace<Parameters<OpenMemory>, MemoryOfRun>(ExecutionMemory, 'open', (open, [context, account]) => {
      const getContext = () => context.getContext('flow');
      return open(
        new Proxy(context, {
          get: (of, name) => (name === 'getContext' ? getContext : (Reflect.get(of, name) as unknown)),
        }),
        account,
      );
    });
  },
  "a tool's call is known by its customer and its amount, without its operation": () => {
    replace<[PlannedRequest], unknown>(identity, 'identifyWrite', (_, [request]) => [
      request.values.body.customer_id,
      amountOf(request),
    ]);
  },
  'the day total of a node starts at zero in each run': () => {
    replace<[KeyStore, string, (cents: number) => number], Promise<void>>(
      DayTotal.prototype,
      'change',
      async (change, [store, day, by]) => {
        await change(store, day, () => by(0));
      },
    );
  },
  "refunds that the report doesn't show yet don't count toward the limit per day": () => {
    jest.spyOn(DayWrites.prototype, 'add').mockReturnValue(undefined);
  },
  'unreadable totals of a list count as no records': () => {
    replace<unknown[], Answer>(decoding, 'decode', (decode, given) => {
      const answer = decode(...given);
      return answer.ok ? { ...answer, totalPages: undefined, totalRecords: undefined } : answer;
    });
  },
  'a time zone that does not exist is accepted': () => {
    replace<[IExecuteFunctions], string>(parameters, 'timeZoneOf', (_, [context]) => context.getTimezone());
  },
  'a blank entry of Allowed IDs counts as nothing': () => {
    replace<[unknown, number, Problem[], ...unknown[]], unknown>(options, 'readItemOptions', (read, given) => {
      const [, , problems] = given;
      const found = read(...given);
      problems.splice(0, Infinity, ...problems.filter(({ label }) => label !== 'Allowed IDs'));
      return found;
    });
  },
  'each tool has its own total for Limit per Execution': () => {
    jest.spyOn(ToolMemory.prototype as unknown as { all: () => object[] }, 'all').mockImplementation(function (this: {
      writes?: Record<string, Array<{ node: string }>>;
      node?: string;
    }) {
      return Object.values(this.writes ?? {}).flatMap((all) => all.filter(({ node }) => node === this.node));
    });
  },
  'an unreadable list counts as empty': () => {
    replace<unknown[], IDataObject[] | FailedAnswer>(decoding, 'readRecords', (read, given) => {
      const records = read(...given);
      return Array.isArray(records) ? records : [];
    });
  },
  'each execution has its own keys of Once per Key': () => {
    replace<[PlannedRequest], OnceKeys>(WriteKeys.prototype, 'once', (once, given) => {
      const { key, claims, payment, done, ...keys } = once(...given);
      const owned = (one: string) => `${one} ${keys.own.join()}`;
      return { ...keys, key: owned(key), claims: claims.map(owned), payment: owned(payment), done: owned(done) };
    });
  },
  'a refused attempt releases the key of an earlier attempt with an unknown outcome': () => {
    replace<[PlannedRequest, { keys: OnceKeys }], unknown>(
      OncePerKey.prototype,
      'keep',
      async (keep, [request, begun]) => {
        const kept = await keep(request, begun);
        // The node also keeps the first attempt's key in a second row, so the defect must release it there too.
        Object.assign(begun, { before: 0, first: begun.keys.key });
        return kept;
      },
    );
  },
  'the spelling of the base URL is part of the place of a write': () => {
    opened((memory, _context, { baseUrl }) => {
      Reflect.set(memory, 'runKey', `${String(Reflect.get(memory, 'runKey'))} ${baseUrl}`);
    });
  },
};

const hasKey = ({ options }: Schedule) => options.oncePerKey === true;
const hasTwin = ({ twinMs }: Schedule) => twinMs !== undefined;
const changesItems = ({ kind }: Doing) => kind === 'amount' || kind === 'field';
const hasDayLimit = ({ options }: Schedule) => options.limitPerDay !== undefined;

/** Conditions under which random tests can reveal a defect. */
export const SCHEDULES_ABOUT: Record<string, (schedule: Schedule) => boolean> = {
  "a killed process's refunds don't count toward the limit per day": hasDayLimit,
  'an unreadable list counts as empty': ({ earlier }) => earlier !== undefined,
  'unreadable totals of a list count as no records': ({ earlier }) => earlier !== undefined,
  'a time zone that does not exist is accepted': ({ zone }) => zone !== undefined,
  'a blank entry of Allowed IDs counts as nothing': ({ options: { allowed } }) => allowed !== undefined,
  'each tool has its own total for Limit per Execution': ({ caller, second }) =>
    caller !== 'items' && second !== undefined,
  'the day total of a node starts at zero in each run': hasDayLimit,
  "refunds that the report doesn't show yet don't count toward the limit per day": hasDayLimit,
  'a try that was not applied erases an earlier one of unknown outcome': ({ options, retries }) =>
    options.resend || retries.some(({ doings }) => doings.some(({ kind }) => kind === 'resend')),
  'an option is part of what identifies a write': ({ retries }) =>
    retries.some(({ doings }) => doings.some(({ kind }) => kind !== 'amount')),
  'each execution has its own keys of Once per Key': hasTwin,
  'a refused attempt releases the key of an earlier attempt with an unknown outcome': hasKey,
  'the spelling of the base URL is part of the place of a write': ({ retries }) =>
    retries.some(({ doings }) => doings.some(({ kind }) => kind === 'baseUrl')),
  'all nodes of an execution share one memory': ({ second }) => second !== undefined,
  "a tool's call is known by its customer and its amount, without its operation": ({ caller, second }) =>
    caller !== 'items' && second !== undefined,
  "the notes in n8n's database are kept for the workflow, not for its nodes": ({ second }) => second !== undefined,
  'an item that changed and moved counts as a new item': ({ retries }) =>
    retries.some(({ doings }) => doings.some(({ kind }) => kind === 'rows') && doings.some(changesItems)),
  'Send Again sends all steps of an item again': ({ operation }) => operation === 'split',
  'a request that many items share is remembered by its first row': ({ operation }) => operation === 'updater',
  'a look takes any record that agrees': ({ operation }) => operation === 'updater',
  "a person's word that an item was not applied is not checked at the service": ({ operation, retries }) =>
    operation === 'refund' && retries.some(({ doings }) => doings.some(({ kind }) => kind === 'resolve')),
};

/** Operations with which the simulator finds a defect faster. */
export const OPERATION_ABOUT: Record<string, MoneyName> = {
  "a killed process's refunds don't count toward the limit per day": 'refund',
  'an unreadable list counts as empty': 'refund',
  'unreadable totals of a list count as no records': 'refund',
  "refunds that the report doesn't show yet don't count toward the limit per day": 'refund',
};

const countedBy = (runIndex: number) =>
  new Proxy<Record<string, number>>({}, { get: () => runIndex * MOST_ITEMS, ownKeys: () => [] });
const MOST_ITEMS = 1000;

/** Defects that only killing n8n can reveal. */
export const DEFECTS_AFTER_KILLS: Record<string, () => void> = {
  "n8n's database is not asked": withoutJournal,
  "the notes in n8n's database are kept for the workflow, not for its nodes": () => {
    for (const name of ['check', 'remove'])
      replace<[string[], string, ...unknown[]], unknown>(processedData, name, (access, [keys, row, ...rest]) =>
        access(keys, row.replace(/n:.*$/, ''), ...rest),
      );
  },
  'an item that changed and moved counts as a new item': () => {
    jest.spyOn(places as { countMissing: () => Promise<number> }, 'countMissing').mockResolvedValue(0);
  },
  'the place of a write is the number that n8n gives the run': () => {
    replace<[IExecuteFunctions], Round>(rounds, 'currentRound', (_, [context]) => {
      const runIndex = Number(context.evaluateExpression('{{ $runIndex }}', 0) ?? 0);
      const itemsBefore = runIndex * MOST_ITEMS;
      return { number: runIndex, itemsBefore, before: countedBy(runIndex), own: {}, items: 0, runIndex };
    });
  },
  "a killed process's refunds don't count toward the limit per day": () => {
    const { dayRecords } = movingOperations().find(({ value }) => value === 'refund') ?? {};
    if (dayRecords) jest.spyOn(dayRecords, 'amount').mockReturnValue(0);
  },
};
