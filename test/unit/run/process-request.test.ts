import type { IDataObject } from 'n8n-workflow';

import { Gate, NotStarted } from '../../../nodes/PaymentPlatform/service/gate';
import { findEarlierResult, sendWrite } from '../../../nodes/PaymentPlatform/run/attempt-write';
import { processRequest } from '../../../nodes/PaymentPlatform/run/send-all';
import {
  failed,
  notStarted,
  recalled,
  recordSuccess,
  refuseForEarlierAttempt,
  reviewed,
  stillOpen,
  stopsRun,
} from '../../../nodes/PaymentPlatform/run/write-results';
import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import type { Remembered } from '../../../nodes/PaymentPlatform/model/write-memory';
import type { Field } from '../../../nodes/PaymentPlatform/fields/types';
import type { Operation, PartialFailure } from '../../../nodes/PaymentPlatform/model/types';
import type { Answer, Failure } from '../../../nodes/PaymentPlatform/model/failure';
import { done, failing, failureOf, open, reading, requestOf, runOf, type Setting } from '../fake-run';

describe('a write', () => {
  const beforeSending = [
    'database notes',
    'looks for what exists',
    'day limit measures',
    'memory enters',
    'look-ups see it leave',
  ];

  test('the node records a write before sending it and records the outcome afterwards', async () => {
    const { log, asked, process } = runOf();
    expect(await process(requestOf())).toMatchObject({ kind: 'done', items: [0], records: [{ invoice_id: '1' }] });
    expect(log).toEqual([
      ...beforeSending,
      'POST /platform/invoice',
      ...['day limit settles', 'database done', 'memory keeps', 'its own records'],
    ]);
    expect(asked[0]?.body).toBe('{"memo":"x"}');
  });

  test('a write is removed from the memory if the service refuses it, so that it may be sent again', async () => {
    const { log, process } = runOf({ reply: () => ({ status: 400, code: 2, data: {} }) });
    expect(await process(requestOf())).toMatchObject({ kind: 'failed', failure: { outcome: 'declined' } });
    expect(log).toEqual([
      ...beforeSending,
      ...['POST /platform/invoice', 'day limit settles', 'memory removes', 'database refused', 'not applied'],
    ]);
  });

  test('a write is sent once and stays unknown if its response is lost', async () => {
    const { log, process } = runOf({ reply: () => ({ status: 500, data: {} }) });
    expect(await process(requestOf())).toMatchObject({ kind: 'failed', failure: { outcome: 'unknown' } });
    expect(log).toEqual([
      ...beforeSending,
      ...['POST /platform/invoice', 'day limit settles', 'database unknown', 'left open'],
    ]);
  });

  test('other attempts see a write under way until its look-up ends', async () => {
    const seen: boolean[] = [];
    const settle = async () => {
      seen.push(log.includes('database unknown'));
      return await Promise.resolve({ ok: true, record: { invoice_id: '7' } });
    };
    const { log, process } = runOf({ reply: () => ({ status: 500, data: {} }), lookUps: { settle } });
    await process(requestOf());
    expect([...seen, log.includes('database unknown')]).toEqual([false, true]);
  });

  test('a write is done if its record is found after a lost response', async () => {
    const settle = async () => await Promise.resolve({ ok: true, record: { invoice_id: '7' } });
    const { process } = runOf({ reply: () => ({ status: 500, data: {} }), lookUps: { settle } });
    expect(await process(requestOf())).toMatchObject({ kind: 'done', records: [{ invoice_id: '7' }] });
  });

  test.each([['DELETE'], ['GET']])('a write has no body with %s', async (method) => {
    const { asked, process } = runOf();
    await process(requestOf({ method }));
    expect(asked[0]?.body).toBeUndefined();
  });

  test('a write is remembered like any other if its response contains a list', async () => {
    const { log, process } = runOf();
    await process(requestOf({ list: { fields: [] } }));
    expect(log).toContain('memory keeps');
  });
});

describe("writes that aren't sent", () => {
  test.each<[string, Setting]>([
    ['if the service has the write already', { existing: { failure: failureOf('invalid', 'No room') } }],
    ['if it goes over the limit of the day', { over: failureOf('invalid', 'No room') }],
    [
      'if the memory finds an obstacle at the last moment',
      { memory: { sending: () => failureOf('invalid', 'No room') } },
    ],
  ])('sends nothing %s', async (_, setting) => {
    const { asked, log, process } = runOf(setting);
    expect(await process(requestOf())).toMatchObject({ kind: 'failed', failure: { message: 'No room' } });
    expect(asked).toEqual([]);
    expect(log).toContain('database refused');
  });

  test('sends nothing if the service already has the record, and completes the item', async () => {
    const { asked, process } = runOf({ existing: { record: { invoice_id: '5' } } });
    expect(await process(requestOf())).toMatchObject({ kind: 'done', records: [{ invoice_id: '5' }] });
    expect(asked).toEqual([]);
  });

  test('returns the result of an earlier attempt', async () => {
    const { asked, log, process } = runOf({ memory: { recall: () => done } });
    expect(await process(requestOf())).toMatchObject({
      kind: 'done',
      remembered: true,
      records: [{ invoice_id: '9' }],
    });
    expect(asked).toEqual([]);
    expect(log).toEqual(['its own records']);
  });

  test('sends nothing if an earlier attempt is unknown', async () => {
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
  ])('sends nothing if only the database shows that an earlier attempt %s', async (_, known, result) => {
    const { asked, process } = runOf({ evidence: 'begun', memory: { addEvidence: () => known } });
    expect(await process(requestOf())).toMatchObject(result);
    expect(asked).toEqual([]);
  });

  test('sends nothing after the gate closed and says why', async () => {
    const gate = new Gate({ most: 1, longestWaitMs: 1 });
    gate.close('The service is busy');
    const { asked, process } = runOf({ gate });
    expect(await process(requestOf())).toEqual({ items: [0], kind: 'notStarted', reason: 'The service is busy' });
    expect(asked).toEqual([]);
  });

  test("sends nothing if the record that completes the body can't be read", async () => {
    const completion = { look: () => ({ path: '/platform/vault', family: 'platform' }), add: () => ({}) };
    const { asked, process } = runOf({ reply: () => ({ status: 500, data: {} }), maxTries: 1 });
    const request = requestOf({}, { completion } as unknown as Partial<Operation>);
    expect(await process(request)).toMatchObject({ kind: 'failed', failure: { outcome: 'notSent' } });
    expect(asked.map(({ method }) => method)).toEqual(['GET']);
  });
});

describe("an item that wasn't started", () => {
  const { memory } = runOf({ memory: { openAttempts: () => 1 } }).shared;

  test('an unstarted item is unknown if the user chose to send its unknown attempt again', () => {
    expect(notStarted(memory, requestOf(), 'The service is busy')).toMatchObject({
      kind: 'failed',
      remembered: true,
      failure: {
        outcome: 'unknown',
        message: expect.stringMatching(/not sent again\. The service is busy$/) as string,
      },
    });
  });

  test("an unstarted item isn't unknown if it only reads or was never sent", () => {
    expect(notStarted(memory, reading())).toEqual({ items: [0], kind: 'notStarted', reason: undefined });
    expect(notStarted(runOf().shared.memory, requestOf())).toMatchObject({ kind: 'notStarted' });
  });
});

test('reports an unknown outcome if the node fails after sending', async () => {
  const settle = () => {
    throw new Error('broken');
  };
  const { log, process } = runOf({ reply: () => ({ status: 500, data: {} }), lookUps: { settle } });
  expect(await process(requestOf())).toMatchObject({
    items: [0],
    kind: 'failed',
    failure: { outcome: 'unknown', message: 'The node could not process the response' },
  });
  expect(log.at(-1)).toBe('left open');
});

describe('an attempt that throws', () => {
  const throwing = (error: Error) => {
    const run = runOf({ memory: { sending: throws(error) } });
    run.shared.gate.waitUntilUnblocked = async () =>
      error instanceof NotStarted ? await Promise.reject(error) : await Promise.resolve(false);
    return { ...run, sending: sendWrite(run.shared, requestOf()) };
  };
  const throws = (error: Error) => (): never => {
    throw error;
  };

  test('an attempt that throws before sending frees its key and amount', async () => {
    const { log, sending } = throwing(new NotStarted());
    await expect(sending).rejects.toBeInstanceOf(NotStarted);
    expect(log.slice(-2)).toEqual(['day limit gives back', 'database refused']);
  });

  test('an attempt that throws for any other reason keeps its key and amount', async () => {
    const { log, sending } = throwing(new Error('broken'));
    await expect(sending).rejects.toThrow('broken');
    expect(log.slice(-1)).toEqual(['database unknown']);
  });

  test("an attempt is not sent if n8n's database fails while it waits for its turn", async () => {
    const { shared, log } = runOf({ keys: { renew: async () => await Promise.reject(new Error('locked')) } });
    expect(await sendWrite(shared, requestOf())).toMatchObject({
      isUnsent: true,
      failure: { message: "n8n's database did not record this item, so the item was not sent" },
    });
    expect(log.slice(-2)).toEqual(['day limit gives back', 'database refused']);
  });

  test('an attempt is not sent if another process began another attempt while it waited', async () => {
    const { shared } = runOf({ keys: { renew: async () => await Promise.resolve(false) } });
    expect(await sendWrite(shared, requestOf())).toMatchObject({ isUnsent: true, failure: { outcome: 'unknown' } });
  });
});

describe('a record of an earlier attempt', () => {
  const found = {
    canFind: () => true,
    earlier: async () => await Promise.resolve({ ok: true, record: { invoice_id: '4' } }),
  };

  test('a record of an earlier attempt completes the item before anything is sent', async () => {
    const { asked, process } = runOf({ lookUps: found });
    expect(await process(requestOf())).toMatchObject({ kind: 'done', records: [{ invoice_id: '4' }] });
    expect(asked).toEqual([]);
  });

  test('a record that may belong to an earlier attempt blocks a write that the user sends again', async () => {
    const lookUps = { ...found, earlier: async () => await Promise.resolve(failing('unknown')) };
    const { asked, process } = runOf({ lookUps, memory: { reopen: () => open } });
    expect(await process(requestOf())).toMatchObject({ kind: 'failed', remembered: true });
    expect(asked).toEqual([]);
  });

  test('a search for an earlier attempt has no effect if it finds nothing', async () => {
    const { asked, process } = runOf({ lookUps: { ...found, earlier: async () => await Promise.resolve(undefined) } });
    expect(await process(requestOf())).toMatchObject({ kind: 'done', records: [{ invoice_id: '1' }] });
    expect(asked).toHaveLength(1);
  });

  test('a failed look-up of an earlier attempt blocks a write that the user sends again', async () => {
    const lookUps = { ...found, earlier: async () => await Promise.reject(new Error('no')) };
    const { asked, process } = runOf({ lookUps, memory: { reopen: () => open } });
    expect(await process(requestOf())).toMatchObject({ kind: 'failed', remembered: true });
    expect(asked).toEqual([]);
  });

  test.each<[string, Error, Remembered | undefined]>([
    ['an error leaves an open write as it is', new Error('no'), open],
    ['the end of the run says nothing', new NotStarted(), undefined],
  ])('a record of an earlier attempt is handled after a failed look-up: %s', async (_, error, standing) => {
    const { shared } = runOf({ lookUps: { ...found, earlier: async () => await Promise.reject(error) } });
    expect(await findEarlierResult(shared, requestOf(), standing)).toBeUndefined();
  });

  test.each<[string, Remembered | undefined, number | undefined, boolean]>([
    ['an open attempt', open, undefined, true],
    ['a try that a person had sent again', undefined, 5, true],
    ['a try that is done', done, 5, false],
    ['no try', undefined, undefined, false],
  ])('a record of an earlier attempt may appear later after %s: %s', async (_, standing, sentAt, isOpen) => {
    const { shared, log } = runOf({ memory: { sentAt: () => sentAt } });
    expect(await findEarlierResult(shared, requestOf(), standing)).toBeUndefined();
    expect(log.includes('left open')).toBe(isOpen);
  });

  test('a record of an earlier attempt is looked up after the refusal if only the database contains the attempt', async () => {
    const { shared, asked } = runOf({
      evidence: 'begun',
      memory: { addEvidence: () => open },
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
  ])('the result of a write states how its record was found: %s', (kind, says) => {
    const { shared, log } = sightedAs(kind);
    const { records, ...rest } = recordSuccess(shared, requestOf(), answer);
    expect(rest).toEqual(says);
    expect(records[0]).toMatchObject({ found_at_service: 'same number' });
    expect(log).toEqual(['memory keeps', 'its own records', 'database records as applied']);
  });

  test("the result of a write doesn't mention a look-up if the service responded", () => {
    const { shared, log } = runOf();
    const { records, ...rest } = recordSuccess(shared, requestOf(), answer);
    expect(rest).toEqual({});
    expect(records[0]).not.toHaveProperty('found_at_service');
    expect(log).toEqual(['memory keeps', 'its own records']);
  });

  test('the result of a write is returned for each item of a shared request', () => {
    const values = requestOf().values;
    expect(recordSuccess(runOf().shared, requestOf({ perItem: [values, values] }), answer).records).toHaveLength(2);
  });

  test('the result of a write names attempts that are still unknown', () => {
    expect(recordSuccess(runOf({ memory: { openAttempts: () => 2 } }).shared, requestOf(), answer)).toMatchObject({
      openAttempts: 2,
    });
  });

  test("the result of a read isn't remembered", () => {
    const { shared, log } = runOf();
    recordSuccess(shared, reading(), answer);
    expect(log).not.toContain('memory keeps');
  });

  test('the result of a write shows no secret unless the user wants full account numbers', () => {
    const record = { note: 'from 123456789012' };
    const shown = (showAccountNumbers: boolean) => {
      const values = { path: {}, query: {}, body: { account_number: '123456789012' }, node: { showAccountNumbers } };
      return JSON.stringify(recordSuccess(runOf().shared, requestOf({ values }), { ok: true, record }).records);
    };
    expect(shown(false)).not.toContain('123456789012');
    expect(shown(true)).toContain('123456789012');
  });

  test.each<[string, string[], boolean, object, string[] | undefined]>([
    ['an option that would show it is off', ['returnSecurityKey'], false, {}, ['security_key', 'user_password']],
    ['the request contains it', ['showAccountNumbers'], false, { user_password: 'P' }, ['security_key']],
    ['the option is on', ['showAccountNumbers'], true, {}, undefined],
    ['the operation has no such option', ['other'], false, {}, undefined],
  ])('the result of a write names a secret that it lacks: %s', (_, names, isOn, body, withoutSecrets) => {
    const additional = names.map((name) => ({ name, label: name })) as unknown as Field[];
    const values = { path: {}, query: {}, body, node: Object.fromEntries(names.map((name) => [name, isOn])) };
    const record = { id: 1, security_key: 'S', auth_settings: { user_password: 'P' } };
    const done = jest.fn();
    const { shared } = runOf({ memory: { done } });
    const result = recordSuccess(shared, requestOf({ values }, { additional }), { ok: true, record });
    expect(result.withoutSecrets).toEqual(withoutSecrets);
    expect(done).toHaveBeenCalledWith(expect.anything(), result.records, undefined, withoutSecrets ?? []);
  });
});

describe('a partial failure', () => {
  const wrong: PartialFailure = {
    failure: failureOf('declined', 'The card was declined'),
    text: 'a card',
    about: 'cards',
  };
  const operation = (fails: boolean, find: () => unknown = () => wrong) =>
    ({ partialFailure: { find, fails: () => fails } }) as unknown as Partial<Operation>;

  test('a partial failure is reported with the record, or fails the item if the user chose so', async () => {
    expect(await runOf().process(requestOf({}, operation(false)))).toMatchObject({
      kind: 'done',
      partialFailure: wrong,
    });
    expect(await runOf().process(requestOf({}, operation(true)))).toMatchObject({
      kind: 'failed',
      failure: { message: 'The card was declined' },
    });
  });

  test('a partial failure fails the item of an earlier attempt, too', () => {
    const request = requestOf({}, operation(true));
    expect(reviewed(request, { records: [], partialFailure: wrong, remembered: true })).toMatchObject({
      remembered: true,
    });
    expect(reviewed(request, { records: [], partialFailure: wrong })).not.toHaveProperty('remembered');
  });

  test('a partial failure is found in any record of the response', () => {
    const find = ({ id }: IDataObject) => (id === 2 ? wrong : undefined);
    const request = requestOf({}, operation(false, find as () => unknown));
    const answer = { ok: true as const, record: [{ id: 1 }, { id: 2 }] as unknown as IDataObject };
    expect(recordSuccess(runOf().shared, request, answer)).toMatchObject({ partialFailure: wrong });
  });

  test("no partial failure is found if the response can't be checked", async () => {
    const find = () => {
      throw new Error('no');
    };
    expect(await runOf().process(requestOf({}, operation(true, find)))).toMatchObject({ kind: 'done' });
  });

  test('a partial failure ends a run that stops at the first failure', () => {
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

  test('a partial failure is returned together with notices about the request', () => {
    expect(reviewed(requestOf({}, { notice: () => 'Sent to no one' }), { records: [] })).toMatchObject({
      note: 'Sent to no one',
    });
    expect(reviewed(requestOf(), { records: [] })).not.toHaveProperty('note');
  });
});

test('a run that stops at the first failure ends after a failure or an error of the node but not after a success', () => {
  const { shared } = runOf({ goOn: false });
  expect(stopsRun(shared, requestOf(), failing('declined'))).toBe(true);
  expect(stopsRun(shared, requestOf(), undefined)).toBe(true);
  expect(stopsRun(shared, requestOf(), { ok: true, record: {} })).toBe(false);
});

test("a run that stops at the first failure doesn't end because of an unknown earlier attempt", () => {
  const { shared } = runOf({ goOn: false });
  const request = requestOf();
  shared.earlier.set(request, open);
  expect(stopsRun(shared, request, failing('unknown'))).toBe(false);
});

test("a run that continues after failures doesn't end at the first failure", () =>
  expect(stopsRun(runOf({ goOn: true }).shared, requestOf(), failing('declined'))).toBe(false));

test('a run that stops at the first failure starts nothing after the failure', async () => {
  const { asked, process } = runOf({ goOn: false, reply: () => ({ status: 400, data: {} }) });
  const results = await Promise.all([requestOf(), requestOf({ items: [1] })].map(process));
  expect(results.map(({ kind }) => kind)).toEqual(['failed', 'notStarted']);
  expect(asked).toHaveLength(1);
});

describe('a failed write', () => {
  test.each<[string, Failure['outcome'], number | undefined, string]>([
    ['that leaves the outcome unknown leaves the write open', 'unknown', undefined, 'left open'],
    ['after an open attempt leaves the write open', 'declined', 5, 'left open'],
    ['of a write that was never sent before leaves nothing open', 'declined', undefined, 'not applied'],
  ])('a failed write leaves the correct state in memory and database: %s', (_, outcome, sentAt, said) => {
    const { shared, log } = runOf({ memory: { sentAt: () => sentAt } });
    expect(stillOpen(shared, requestOf(), failureOf(outcome))).toEqual(failureOf(outcome));
    expect(log).toEqual([said]);
  });

  test('a failure says that an earlier attempt is still unknown if the user sent the item again', () => {
    const { shared } = runOf({ memory: { openAttempts: () => 1 } });
    expect(stillOpen(shared, requestOf(), failureOf('declined'))).toMatchObject({
      outcome: 'unknown',
      message: expect.stringContaining('This attempt was not applied (declined)') as string,
    });
    expect(stillOpen(shared, requestOf(), failureOf('unknown')).message).toBe('m');
    expect(stillOpen(shared, reading(), failureOf('declined')).outcome).toBe('declined');
  });

  test('returns the result of an equal call that ran at the same time', () => {
    const { shared } = runOf({ memory: { recallConcurrentCall: () => done } });
    expect(failed(shared, requestOf(), failureOf('declined'))).toMatchObject({ kind: 'done', remembered: true });
    expect(failed(shared, requestOf(), failureOf('unknown'))).toMatchObject({
      kind: 'failed',
      failure: { message: 'm' },
    });
    expect(failed(shared, reading(), failureOf('declined'))).toMatchObject({ kind: 'failed' });
  });

  test.each<[string, Remembered, object]>([
    ['returns the result of', done, { kind: 'done', remembered: true, records: [{ invoice_id: '9' }] }],
    [
      'says that the outcome is unknown of',
      { outcome: 'unknown' },
      { kind: 'failed', failure: { outcome: 'unknown' } },
    ],
  ])('%s an equal call that started before this call was sent', async (_, known, result) => {
    const memory = { sending: () => failureOf('unknown', 'Equal call'), recallConcurrentCall: () => known };
    const { process, asked } = runOf({ memory });
    expect(await process(requestOf())).toMatchObject(result);
    expect(asked).toEqual([]);
  });

  test('a failure says that an equal call is still unknown', () => {
    const { shared } = runOf({ memory: { recallConcurrentCall: () => open } });
    expect(failed(shared, requestOf(), failureOf('declined'))).toMatchObject({
      kind: 'failed',
      remembered: true,
      failure: { outcome: 'unknown' },
    });
    expect(failed(runOf().shared, requestOf(), failureOf('declined'))).not.toHaveProperty('remembered');
  });
});

test.each<[string, object, boolean]>([
  ['by the memory', {}, false],
  ['by a person', { byWord: true }, true],
  ['by the database', { byDatabase: true }, true],
])('a result that is remembered %s completes its key: %s', (_, more, completes) => {
  const { shared, log } = runOf();
  const known = {
    outcome: 'done' as const,
    records: [{ invoice_id: '9' }],
    openAttempts: 1,
    withoutSecrets: ['key'],
    ...more,
  };
  const { outcome, ...kept } = known;
  expect(recalled(shared, requestOf(), known)).toEqual({ ...kept, remembered: true });
  expect(log.includes('database records as applied')).toBe(completes);
  expect(outcome).toBe('done');
});

test('a result remembered from another item gets the summary of its new item', () => {
  const item = { values: { path: {}, query: {}, body: {}, node: { own: 2 } } };
  const summary: Operation['summary'] = ({ invoice_id: id }, { node: { own } }) =>
    `Created ${asText(id)} for item ${asText(own)}`;
  const records = [{ what_happened: 'Created 9 for item 1', invoice_id: '9' }];
  const told = (more: object) =>
    recalled(runOf().shared, requestOf({ ...item, ...more }, { summary }), {
      ...{ outcome: 'done', records, ofOther: true },
    }).records;
  expect(told({})).toEqual([{ what_happened: 'Created 9 for item 2', invoice_id: '9' }]);
  const perItem = [{ ...item.values, node: { own: 3 } }];
  expect(told({ perItem })).toEqual([{ what_happened: 'Created 9 for item 3', invoice_id: '9' }]);
});

test('a remembered result is returned instead of a failure if the earlier attempt is done', () => {
  expect(refuseForEarlierAttempt(runOf().shared, requestOf({ items: [3] }), done)).toMatchObject({
    items: [3],
    kind: 'done',
    remembered: true,
    records: [{ invoice_id: '9' }],
  });
});

test("an unknown attempt returns a failure with the look-up's result", () => {
  const told = (_: unknown, failure: Failure) => ({ ...failure, advice: 'Looked once.' });
  expect(refuseForEarlierAttempt(runOf({ lookUps: { told } }).shared, requestOf(), open)).toMatchObject({
    kind: 'failed',
    remembered: true,
    failure: { advice: 'Looked once.' },
  });
});
