import type { IDataObject } from 'n8n-workflow';

import { Gate, NotStarted } from '../../../nodes/PaymentPlatform/service/gate';
import { sendWrite } from '../../../nodes/PaymentPlatform/run/attempt-write';
import { processRequest } from '../../../nodes/PaymentPlatform/run/process-request';
import { findEarlierResult } from '../../../nodes/PaymentPlatform/run/process-write';
import {
  failed,
  notStarted,
  recalled,
  recordSuccess,
  refuseForEarlierTry,
  reviewed,
  stillOpen,
  stopsRun,
} from '../../../nodes/PaymentPlatform/run/write-results';
import type { Remembered, WriteMemory } from '../../../nodes/PaymentPlatform/model/write-memory';
import type { SharedRun } from '../../../nodes/PaymentPlatform/run/shared-run';
import type { Account, Operation, PlannedRequest, PartialFailure } from '../../../nodes/PaymentPlatform/model/types';
import type { Answer, Failure } from '../../../nodes/PaymentPlatform/model/failure';
import { BASE_URL, fakeService, type Asked, type Reply } from '../fake-service';
import { operationOf } from '../requests';

const requestOf = (more: object = {}, operation: Partial<Operation> = {}) =>
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
const reading = (more: object = {}) => requestOf({ effect: 'reads', method: 'GET', ...more });
const failureOf = (outcome: Failure['outcome'], message = 'm'): Failure => ({ outcome, message, advice: '' });
const failing = (outcome: Failure['outcome']): Answer => ({ ok: false, failure: failureOf(outcome) });
const done: Remembered = { outcome: 'done', records: [{ invoice_id: '9' }] };
const open: Remembered = { outcome: 'unknown', code: 'abc' };

interface Setting {
  reply?: (asked: Asked, number: number) => Reply;
  memory?: Partial<WriteMemory>;
  lookUps?: object;
  existing?: unknown;
  over?: Failure;
  witness?: string;
  goOn?: boolean;
  gate?: Gate;
  maxTries?: number;
}

/** Creates fakes of everything a run shares. The fakes record all calls in `log`. */
function runOf(setting: Setting = {}) {
  const log: string[] = [];
  const { reply = () => ({ data: { invoice_id: '1' } }), memory = {}, lookUps = {}, witness } = setting;
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
      lookUpUnknown: true,
    },
    gate,
    memory: {
      recall: () => undefined,
      sending: says('memory enters', undefined),
      done: says('memory keeps'),
      notApplied: says('memory removes'),
      attempt: () => '0',
      witnessed: () => undefined,
      sentAt: () => undefined,
      openTries: () => 0,
      ...memory,
    },
    journal: {
      begin: async () => await Promise.resolve(log.push('journal notes') && witness),
      settle: settles('journal'),
      found: says('journal finds'),
    },
    keys: { begin: async () => await Promise.resolve(undefined), settle: settles('key'), applied: says('key applied') },
    budget: {
      leaves: async () => await Promise.resolve(log.push('budget measures') && setting.over),
      settle: (_: unknown, answer?: Answer) => void log.push(`budget ${answer ? 'settles' : 'gives back'}`),
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
      own: says('its own records'),
      told: (_: unknown, failure: Failure) => failure,
      ...lookUps,
    },
    duplicates: {
      findDuplicate: async () => await Promise.resolve(log.push('looks for what exists') && setting.existing),
    },
    recordMatcher: { leaveOpen: says('left open'), notApplied: says('not applied') },
  } as unknown as SharedRun;
  return { shared, log, asked, process: async (request: PlannedRequest) => await processRequest(shared, request) };
}

describe('a write', () => {
  const beforeSending = [
    'journal notes',
    'looks for what exists',
    'budget measures',
    'memory enters',
    'look-ups see it leave',
  ];

  test('is noted, measured and remembered before it is sent, and settled after that', async () => {
    const { log, asked, process } = runOf();
    expect(await process(requestOf())).toMatchObject({ kind: 'done', items: [0], records: [{ invoice_id: '1' }] });
    expect(log).toEqual([
      ...beforeSending,
      'POST /platform/invoice',
      ...['journal done', 'key done', 'budget settles', 'memory keeps', 'its own records'],
    ]);
    expect(asked[0]?.body).toBe('{"memo":"x"}');
  });

  test('that the service refuses is taken out of the memory, and may be sent again', async () => {
    const { log, process } = runOf({ reply: () => ({ status: 400, code: 2, data: {} }) });
    expect(await process(requestOf())).toMatchObject({ kind: 'failed', failure: { outcome: 'declined' } });
    expect(log).toEqual([
      ...beforeSending,
      ...[
        'POST /platform/invoice',
        'memory removes',
        'journal refused',
        'key refused',
        'budget settles',
        'not applied',
      ],
    ]);
  });

  test('of unknown outcome is sent once, and stays open everywhere', async () => {
    const { log, process } = runOf({ reply: () => ({ status: 500, data: {} }) });
    expect(await process(requestOf())).toMatchObject({ kind: 'failed', failure: { outcome: 'unknown' } });
    expect(log).toEqual([
      ...beforeSending,
      ...['POST /platform/invoice', 'journal unknown', 'key unknown', 'budget settles', 'left open'],
    ]);
  });

  test('whose lost answer is found at the service is done', async () => {
    const settle = async () => await Promise.resolve({ ok: true, record: { invoice_id: '7' } });
    const { process } = runOf({ reply: () => ({ status: 500, data: {} }), lookUps: { settle } });
    expect(await process(requestOf())).toMatchObject({ kind: 'done', records: [{ invoice_id: '7' }] });
  });

  test.each([['DELETE'], ['GET']])('by %s has no body', async (method) => {
    const { asked, process } = runOf();
    await process(requestOf({ method }));
    expect(asked[0]?.body).toBeUndefined();
  });

  test('with a list in its answer is remembered as every other write', async () => {
    const { log, process } = runOf();
    await process(requestOf({ list: { fields: [] } }));
    expect(log).toContain('memory keeps');
  });
});

describe('nothing is sent', () => {
  test.each<[string, Setting]>([
    ['if the service has the write already', { existing: { failure: failureOf('invalid', 'No room') } }],
    ['if it goes over the limit of the day', { over: failureOf('invalid', 'No room') }],
    [
      'if the memory finds an obstacle at the last moment',
      { memory: { sending: () => failureOf('invalid', 'No room') } },
    ],
  ])('%s', async (_, setting) => {
    const { asked, log, process } = runOf(setting);
    expect(await process(requestOf())).toMatchObject({ kind: 'failed', failure: { message: 'No room' } });
    expect(asked).toEqual([]);
    expect(log).toContain('journal refused');
  });

  test('if the service has its record already, by which the item is done', async () => {
    const { asked, process } = runOf({ existing: { record: { invoice_id: '5' } } });
    expect(await process(requestOf())).toMatchObject({ kind: 'done', records: [{ invoice_id: '5' }] });
    expect(asked).toEqual([]);
  });

  test('if an earlier try did it: its result is given again', async () => {
    const { asked, log, process } = runOf({ memory: { recall: () => done } });
    expect(await process(requestOf())).toMatchObject({
      kind: 'done',
      remembered: true,
      records: [{ invoice_id: '9' }],
    });
    expect(asked).toEqual([]);
    expect(log).toEqual(['its own records']);
  });

  test('if an earlier try left it open', async () => {
    const { asked, log, process } = runOf({ memory: { recall: () => open } });
    expect(await process(requestOf())).toMatchObject({
      kind: 'failed',
      remembered: true,
      failure: { outcome: 'unknown', resolveCode: 'abc' },
    });
    expect(asked).toEqual([]);
    expect(log).toContain('left open');
  });

  test.each<[string, Remembered, object]>([
    ['left it open', open, { kind: 'failed', remembered: true, failure: { outcome: 'unknown' } }],
    ['did it', done, { kind: 'done', remembered: true, records: [{ invoice_id: '9' }] }],
  ])('if only the journal knows that an earlier try %s', async (_, known, result) => {
    const { asked, process } = runOf({ witness: 'begun', memory: { witnessed: () => known } });
    expect(await process(requestOf())).toMatchObject(result);
    expect(asked).toEqual([]);
  });

  test('once the gate is closed, and the item says why', async () => {
    const gate = new Gate({ most: 1, longestWaitMs: 1 });
    gate.close('The service is busy');
    const { asked, process } = runOf({ gate });
    expect(await process(requestOf())).toEqual({ items: [0], kind: 'notStarted', reason: 'The service is busy' });
    expect(asked).toEqual([]);
  });

  test('if the operation could not read the record that completes the body', async () => {
    const completion = { look: () => ({ path: '/platform/vault', family: 'platform' }), add: () => ({}) };
    const { asked, process } = runOf({ reply: () => ({ status: 500, data: {} }), maxTries: 1 });
    const request = requestOf({}, { completion } as unknown as Partial<Operation>);
    expect(await process(request)).toMatchObject({ kind: 'failed', failure: { outcome: 'notSent' } });
    expect(asked.map(({ method }) => method)).toEqual(['GET']);
  });
});

describe('an item whose turn did not come', () => {
  const { memory } = runOf({ memory: { openTries: () => 1 } }).shared;

  test('is open if a person had an open try of it sent again', () => {
    expect(notStarted(memory, requestOf(), 'The service is busy')).toMatchObject({
      kind: 'failed',
      remembered: true,
      failure: {
        outcome: 'unknown',
        message: expect.stringMatching(/not started again: The service is busy$/) as string,
      },
    });
  });

  test('is not open if it only reads, or was never sent', () => {
    expect(notStarted(memory, reading())).toEqual({ items: [0], kind: 'notStarted', reason: undefined });
    expect(notStarted(runOf().shared.memory, requestOf())).toMatchObject({ kind: 'notStarted' });
  });
});

test('an error of the node after sending leaves the outcome unknown', async () => {
  const settle = () => {
    throw new Error('broken');
  };
  const { log, process } = runOf({ lookUps: { settle } });
  expect(await process(requestOf())).toMatchObject({
    items: [0],
    kind: 'failed',
    failure: { outcome: 'unknown', message: 'The answer could not be processed' },
  });
  expect(log.at(-1)).toBe('left open');
});

describe('a try that throws', () => {
  const throwing = (error: Error) => {
    const run = runOf();
    run.shared.gate.waitUntilUnblocked = async () => await Promise.reject(error);
    return { ...run, sending: sendWrite(run.shared, requestOf()) };
  };

  test('before it left gives its key and its room back', async () => {
    const { log, sending } = throwing(new NotStarted());
    await expect(sending).rejects.toBeInstanceOf(NotStarted);
    expect(log.slice(-3)).toEqual(['journal refused', 'key refused', 'budget gives back']);
  });

  test('for any other reason keeps its key and its room', async () => {
    const { log, sending } = throwing(new Error('broken'));
    await expect(sending).rejects.toThrow('broken');
    expect(log.slice(-2)).toEqual(['journal unknown', 'key unknown']);
  });
});

describe('what an earlier try left at the service', () => {
  const found = {
    canFind: () => true,
    earlier: async () => await Promise.resolve({ ok: true, record: { invoice_id: '4' } }),
  };

  test('makes the item done before anything is sent', async () => {
    const { asked, process } = runOf({ lookUps: found });
    expect(await process(requestOf())).toMatchObject({ kind: 'done', records: [{ invoice_id: '4' }] });
    expect(asked).toEqual([]);
  });

  test('keeps a write that a person had sent again from being sent, if it may be its own', async () => {
    const lookUps = { ...found, earlier: async () => await Promise.resolve(failing('unknown')) };
    const { asked, process } = runOf({ lookUps, memory: { reopen: () => open } });
    expect(await process(requestOf())).toMatchObject({ kind: 'failed', remembered: true });
    expect(asked).toEqual([]);
  });

  test('does not matter if nothing was found', async () => {
    const { asked, process } = runOf({ lookUps: { ...found, earlier: async () => await Promise.resolve(undefined) } });
    expect(await process(requestOf())).toMatchObject({ kind: 'done', records: [{ invoice_id: '1' }] });
    expect(asked).toHaveLength(1);
  });

  test('keeps a write that a person had sent again from being sent, if the look has an error', async () => {
    const lookUps = { ...found, earlier: async () => await Promise.reject(new Error('no')) };
    const { asked, process } = runOf({ lookUps, memory: { reopen: () => open } });
    expect(await process(requestOf())).toMatchObject({ kind: 'failed', remembered: true });
    expect(asked).toEqual([]);
  });

  test.each<[string, Error, Remembered | undefined]>([
    ['an error leaves an open write as it is', new Error('no'), open],
    ['the end of the run says nothing', new NotStarted(), undefined],
  ])('if the node can not look, %s', async (_, error, standing) => {
    const { shared } = runOf({ lookUps: { ...found, earlier: async () => await Promise.reject(error) } });
    expect(await findEarlierResult(shared, requestOf(), standing)).toBeUndefined();
  });

  test.each<[string, Remembered | undefined, number | undefined, boolean]>([
    ['an open try', open, undefined, true],
    ['a try that a person had sent again', undefined, 5, true],
    ['a try that is done', done, 5, false],
    ['no try', undefined, undefined, false],
  ])('may turn up later after %s: %s', async (_, standing, sentAt, isOpen) => {
    const { shared, log } = runOf({ memory: { sentAt: () => sentAt } });
    expect(await findEarlierResult(shared, requestOf(), standing)).toBeUndefined();
    expect(log.includes('left open')).toBe(isOpen);
  });

  test('of which only the journal knew is looked for after the refusal, in place of a look for this try', async () => {
    const { shared, asked } = runOf({
      witness: 'begun',
      memory: { witnessed: () => open },
      lookUps: { earlier: async () => await Promise.resolve({ ok: true, record: { invoice_id: '4' } }) },
    });
    expect(await processRequest(shared, requestOf())).toMatchObject({ kind: 'done', records: [{ invoice_id: '4' }] });
    expect(asked).toEqual([]);
  });
});

describe('the result of a write', () => {
  const sightedAs = (kind: string) =>
    runOf({ lookUps: { sighting: () => ({ record: {}, agreement: 'same number', kind }) } });
  const answer = { ok: true as const, record: { invoice_id: '1' } };

  test.each([
    ['lost', { found: 'same number' }],
    ['earlier', { found: 'same number', remembered: true }],
    ['existed', { found: 'same number', remembered: true, existed: true }],
  ])('says how its record was found: %s', (kind, says) => {
    const { shared, log } = sightedAs(kind);
    const { records, ...rest } = recordSuccess(shared, requestOf(), answer);
    expect(rest).toEqual(says);
    expect(records[0]).toMatchObject({ found_at_service: 'same number' });
    expect(log).toEqual(['memory keeps', 'its own records', 'journal finds', 'key applied']);
  });

  test('says nothing of that for an answer of the service', () => {
    const { shared, log } = runOf();
    const { records, ...rest } = recordSuccess(shared, requestOf(), answer);
    expect(rest).toEqual({});
    expect(records[0]).not.toHaveProperty('found_at_service');
    expect(log).toEqual(['memory keeps', 'its own records']);
  });

  test('is given to each item that shares the request', () => {
    const values = requestOf().values;
    expect(recordSuccess(runOf().shared, requestOf({ perItem: [values, values] }), answer).records).toHaveLength(2);
  });

  test('names the tries that are still open', () => {
    expect(recordSuccess(runOf({ memory: { openTries: () => 2 } }).shared, requestOf(), answer)).toMatchObject({
      openTries: 2,
    });
  });

  test('is not remembered of a request that reads', () => {
    const { shared, log } = runOf();
    recordSuccess(shared, reading(), answer);
    expect(log).not.toContain('memory keeps');
  });

  test('shows no secret of the request unless the person wants account numbers shown', () => {
    const record = { note: 'from 123456789012' };
    const shown = (showAccountNumbers: boolean) => {
      const values = { path: {}, query: {}, body: { account_number: '123456789012' }, node: { showAccountNumbers } };
      return JSON.stringify(recordSuccess(runOf().shared, requestOf({ values }), { ok: true, record }).records);
    };
    expect(shown(false)).not.toContain('123456789012');
    expect(shown(true)).toContain('123456789012');
  });
});

describe('a part that went wrong', () => {
  const wrong: PartialFailure = {
    failure: failureOf('declined', 'The card was declined'),
    text: 'a card',
    about: 'cards',
  };
  const operation = (fails: boolean, find: () => unknown = () => wrong) =>
    ({ partialFailure: { find, fails: () => fails } }) as unknown as Partial<Operation>;

  test('is told beside the record, or fails the item where the person wants that', async () => {
    expect(await runOf().process(requestOf({}, operation(false)))).toMatchObject({
      kind: 'done',
      partialFailure: wrong,
    });
    expect(await runOf().process(requestOf({}, operation(true)))).toMatchObject({
      kind: 'failed',
      failure: { message: 'The card was declined' },
    });
  });

  test('fails the item of an earlier try as well', () => {
    const request = requestOf({}, operation(true));
    expect(reviewed(request, { records: [], partialFailure: wrong, remembered: true })).toMatchObject({
      remembered: true,
    });
    expect(reviewed(request, { records: [], partialFailure: wrong })).not.toHaveProperty('remembered');
  });

  test('is none where the answer cannot be reviewed', async () => {
    const find = () => {
      throw new Error('no');
    };
    expect(await runOf().process(requestOf({}, operation(true, find)))).toMatchObject({ kind: 'done' });
  });

  test('ends a run that stops at the first failure', () => {
    const { shared } = runOf({ goOn: false });
    const answer: Answer = { ok: true, record: {} };
    expect(stopsRun(shared, requestOf({}, operation(true)), answer)).toBe(true);
    expect(stopsRun(shared, requestOf({}, operation(false)), answer)).toBe(false);
    expect(
      stopsRun(
        shared,
        requestOf(
          {},
          operation(true, () => undefined),
        ),
        answer,
      ),
    ).toBe(false);
  });

  test('comes with what a person should know of the request', () => {
    expect(reviewed(requestOf({}, { notice: () => 'Sent to no one' }), { records: [] })).toMatchObject({
      note: 'Sent to no one',
    });
    expect(reviewed(requestOf(), { records: [] })).not.toHaveProperty('note');
  });
});

describe('a run that stops at the first failure', () => {
  test('ends with a failure and with an error of the node, and goes on after a success', () => {
    const { shared } = runOf({ goOn: false });
    expect(stopsRun(shared, requestOf(), failing('declined'))).toBe(true);
    expect(stopsRun(shared, requestOf(), undefined)).toBe(true);
    expect(stopsRun(shared, requestOf(), { ok: true, record: {} })).toBe(false);
  });

  test('does not end with what an earlier try left open', () => {
    const { shared } = runOf({ goOn: false });
    const request = requestOf();
    shared.earlier.set(request, open);
    expect(stopsRun(shared, request, failing('unknown'))).toBe(false);
  });

  test('does not end if failures leave the others to go on', () =>
    expect(stopsRun(runOf({ goOn: true }).shared, requestOf(), failing('declined'))).toBe(false));

  test('starts nothing after the failure', async () => {
    const { asked, process } = runOf({ goOn: false, reply: () => ({ status: 400, data: {} }) });
    const results = await Promise.all([requestOf(), requestOf({ items: [1] })].map(process));
    expect(results.map(({ kind }) => kind)).toEqual(['failed', 'notStarted']);
    expect(asked).toHaveLength(1);
  });
});

describe('a failure', () => {
  test.each<[string, Failure['outcome'], number | undefined, string]>([
    ['that leaves the outcome unknown leaves the write open', 'unknown', undefined, 'left open'],
    ['after an open try leaves the write open', 'declined', 5, 'left open'],
    ['of a write that was never sent before leaves nothing open', 'declined', undefined, 'not applied'],
  ])('%s', (_, outcome, sentAt, said) => {
    const { shared, log } = runOf({ memory: { sentAt: () => sentAt } });
    expect(stillOpen(shared, requestOf(), failureOf(outcome))).toEqual(failureOf(outcome));
    expect(log).toEqual([said]);
  });

  test('of a write that a person had sent again says that the earlier try is still open', () => {
    const { shared } = runOf({ memory: { openTries: () => 1 } });
    expect(stillOpen(shared, requestOf(), failureOf('declined'))).toMatchObject({
      outcome: 'unknown',
      message: expect.stringContaining('It was not applied this time (declined)') as string,
    });
    expect(stillOpen(shared, requestOf(), failureOf('unknown')).message).toBe('m');
    expect(stillOpen(shared, reading(), failureOf('declined')).outcome).toBe('declined');
  });

  test('of a call that an equal call did meanwhile gives that result', () => {
    const { shared } = runOf({ memory: { meanwhile: () => done } });
    expect(failed(shared, requestOf(), failureOf('declined'))).toMatchObject({ kind: 'done', remembered: true });
    expect(failed(shared, requestOf(), failureOf('unknown'))).toMatchObject({
      kind: 'failed',
      failure: { message: 'm' },
    });
    expect(failed(shared, reading(), failureOf('declined'))).toMatchObject({ kind: 'failed' });
  });

  test('of a call while an equal call is open says so', () => {
    const { shared } = runOf({ memory: { meanwhile: () => open } });
    expect(failed(shared, requestOf(), failureOf('declined'))).toMatchObject({
      kind: 'failed',
      remembered: true,
      failure: { outcome: 'unknown' },
    });
    expect(failed(runOf().shared, requestOf(), failureOf('declined'))).not.toHaveProperty('remembered');
  });
});

describe('a remembered result', () => {
  test.each<[string, object, boolean]>([
    ['by the memory', {}, false],
    ['by a person', { byWord: true }, true],
    ['by the journal', { byJournal: true }, true],
  ])('known %s completes its key: %s', (_, more, completes) => {
    const { shared, log } = runOf();
    const known = {
      outcome: 'done' as const,
      records: [{ invoice_id: '9' }],
      openTries: 1,
      withoutSecrets: ['key'],
      ...more,
    };
    const { outcome, ...kept } = known;
    expect(recalled(shared, requestOf(), known)).toEqual({ ...kept, remembered: true });
    expect(log.includes('key applied')).toBe(completes);
    expect(outcome).toBe('done');
  });

  test('of an open try is a failure with what the look-up said', () => {
    const told = (_: unknown, failure: Failure) => ({ ...failure, advice: 'Looked once.' });
    expect(refuseForEarlierTry(runOf({ lookUps: { told } }).shared, requestOf(), open)).toMatchObject({
      kind: 'failed',
      remembered: true,
      failure: { advice: 'Looked once.' },
    });
  });
});

describe('a request that reads', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());
  const list = { list: { fields: [], identity: 'id' }, limit: undefined };
  const page = (from: number, length: number) => Array.from({ length }, (_, at) => ({ id: String(from + at) }));

  test('is sent again after a fault that passes, and is not remembered', async () => {
    const { asked, log, process } = runOf({
      reply: (_, number) => (number === 1 ? { status: 500, data: {} } : { data: { id: '1' } }),
    });
    const result = process(reading());
    await jest.advanceTimersByTimeAsync(5000);
    expect(await result).toMatchObject({ kind: 'done', records: [{ id: '1' }] });
    expect(asked).toHaveLength(2);
    expect(log).not.toContain('memory enters');
    expect(log).not.toContain('journal notes');
  });

  test('of a list gives the records of all pages, and what is missing', async () => {
    const reply = ({ query }: Asked) => ({
      data: query.page === 0 ? page(0, 100) : page(100, 5),
      totalPages: 2,
      totalRecords: 106,
    });
    const values = { path: {}, query: { filter: ['a,IS,b'] }, body: {}, node: {} };
    const { asked, process } = runOf({ reply });
    const result = await process(reading({ ...list, values }));
    expect(result).toMatchObject({ kind: 'done', note: expect.stringContaining('counted 106 records') as string });
    expect(result.kind === 'done' && result.records).toHaveLength(105);
    expect(asked[0]?.query).toMatchObject({ filter: ['a,IS,b'], count: 100, page: 0 });
  });

  test('of a list gives as many records as wanted', async () => {
    const { process } = runOf({ reply: () => ({ data: page(0, 3), totalPages: 1, totalRecords: 3 }) });
    const result = await process(reading({ ...list, limit: 2 }));
    expect(result.kind === 'done' && result.records.map(({ id }) => id)).toEqual(['0', '1']);
  });

  test('of a list fails if a page cannot be read', async () => {
    const { process } = runOf({ reply: () => ({ status: 403, data: {} }) });
    expect(await process(reading(list))).toMatchObject({ items: [0], kind: 'failed', failure: { httpStatus: 403 } });
  });
});
