import type { IDataObject } from 'n8n-workflow';

import { Preview } from '../../../nodes/PaymentPlatform/output/describe-previews';
import { findEarlierResult } from '../../../nodes/PaymentPlatform/run/attempt-write';
import { processWrite } from '../../../nodes/PaymentPlatform/run/process-write';
import { Gate, NotStarted } from '../../../nodes/PaymentPlatform/service/gate';
import type { Failure } from '../../../nodes/PaymentPlatform/model/failure';
import type { Operation, PlannedRequest, RequestDeclaration, Step } from '../../../nodes/PaymentPlatform/model/types';
import type { Remembered } from '../../../nodes/PaymentPlatform/model/write-memory';
import { done, failing, failureOf, open, requestOf, runOf, type Setting } from '../fake-run';
import type { Asked, Reply } from '../fake-service';

const write = (method: 'POST' | 'PUT', path: string): RequestDeclaration => ({
  method,
  path,
  family: 'platform',
  effect: 'writesOnce',
});
const create = write('POST', '/platform/plan');
const change = write('PUT', '/platform/subscription');

const itemOf = (each: Step[], operation: Partial<Operation> = {}): PlannedRequest =>
  requestOf({ items: [4] }, { request: create, steps: { sends: [create, change], each }, ...operation });

const looking: Step = {
  look: () => ({ path: '/platform/record', family: 'platform' }),
  decide: ([found]) => ({ request: { to: create, body: { name: found?.name ?? 'none' } } }),
};
const creating: Step = { decide: () => ({ request: { to: create, body: { step: 1 } } }) };
const changing: Step = { decide: () => ({ request: { to: change, body: { step: 2 } } }) };

const service = ({ method, path }: Asked): Reply =>
  method === 'GET' ? { data: { name: 'Gold' } } : { data: { plan_id: path.split('/').at(-1) } };
const failsOn =
  (wanted: string, status = 500) =>
  (asked: Asked): Reply =>
    asked.method === wanted ? { status, data: {} } : service(asked);
const run = (setting: Setting = {}) => {
  const all = runOf({ reply: service, ...setting });
  return {
    ...all,
    process: async (item: PlannedRequest) => await processWrite(all.shared, item),
    sent: () =>
      all.asked.map(({ method, path, body }) => [method, path, ...(body === undefined ? [] : [body])].join(' ')),
  };
};
const knowing = (...known: Array<Remembered | undefined>) => ({ recall: ({ part }: PlannedRequest) => known[part] });
const broken = () => {
  throw new Error('broken');
};
const messageOf = (result: object) => (result as { failure?: Failure }).failure?.message;

describe('an item with steps', () => {
  test('an item with steps reads the record and sends the request that the record requires', async () => {
    const { process, sent } = run();
    expect(await process(itemOf([looking]))).toMatchObject({
      kind: 'done',
      items: [4],
      records: [{ plan_id: 'plan' }],
    });
    expect(sent()).toEqual(['GET /platform/record', 'POST /platform/plan {"name":"Gold"}']);
  });

  test('an item with steps sends its writes in order and returns the records of the last write', async () => {
    const decide = jest.fn(changing.decide);
    const { process, sent } = run();
    const result = await process(itemOf([creating, { decide }]));
    expect(result).toMatchObject({ kind: 'done', records: [{ plan_id: 'subscription' }] });
    expect(result).not.toHaveProperty('openAttempts');
    expect(sent()).toEqual(['POST /platform/plan {"step":1}', 'PUT /platform/subscription {"step":2}']);
    expect(decide).toHaveBeenCalledWith([], expect.anything(), [expect.objectContaining({ plan_id: 'plan' })]);
  });

  test('a look-up receives the records of earlier steps', async () => {
    const look = jest.fn(() => undefined);
    const { process } = run();
    await process(itemOf([creating, { ...changing, look }]));
    expect(look).toHaveBeenCalledWith(expect.anything(), [expect.objectContaining({ plan_id: 'plan' })]);
  });

  test('counts the unknown attempts of all writes of an item', async () => {
    const { process } = run({ memory: { openAttempts: ({ part }) => part + 1 } });
    expect(await process(itemOf([creating, changing]))).toMatchObject({ kind: 'done', openAttempts: 3 });
  });

  test('a failure names the failed step', async () => {
    const { process, sent } = run({ reply: failsOn('PUT', 400) });
    const result = await process(itemOf([creating, changing]));
    expect(messageOf(result)).toMatch(/^Completed 1 of 2 steps \(plan_id plan\)\. The next step was not completed: /);
    expect(sent()).toHaveLength(2);
  });

  test('a failed step ends a run that stops at the first failure', async () => {
    const { process, asked } = run({ goOn: false, reply: failsOn('POST', 400) });
    const results = await Promise.all([itemOf([creating, changing]), itemOf([creating])].map(process));
    expect(results.map(({ kind }) => kind)).toEqual(['failed', 'notStarted']);
    expect(asked).toHaveLength(1);
  });

  test('an item without steps sends its own request', async () => {
    const { process, sent } = run();
    expect(await process(requestOf())).toMatchObject({ kind: 'done', records: [{ plan_id: 'invoice' }] });
    expect(sent()).toEqual(['POST /platform/invoice {"memo":"x"}']);
  });

  test('an item sends only requests that its operation declares', async () => {
    const stray: Step = { decide: () => ({ request: { to: write('PUT', '/other') } }) };
    const { process, asked } = run();
    expect(await process(itemOf([stray]))).toMatchObject({ kind: 'failed', failure: { outcome: 'invalid' } });
    expect(asked).toEqual([]);
  });
});

describe('a step that needs no request', () => {
  const already: Step = { decide: () => ({ done: { plan_id: 'same' } }) };

  test('a step without a request returns the record that it read, and its key is recorded', async () => {
    const recordDone = jest.fn(async () => await Promise.resolve(undefined));
    const { process, sent, log } = run({ keys: { oncePerKey: { recordDone } } });
    expect(await process(itemOf([already, changing]))).toMatchObject({ records: [{ plan_id: 'subscription' }] });
    expect(sent()).toEqual(['PUT /platform/subscription {"step":2}']);
    expect(recordDone).toHaveBeenCalledTimes(1);
    expect(log.filter((one) => one === 'memory keeps')).toHaveLength(2);
    expect(await process(itemOf([already]))).toMatchObject({ kind: 'done', records: [{ plan_id: 'same' }] });
  });

  test('a step without a request fails if its key is not recorded', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const { process } = run({
      keys: { oncePerKey: { recordDone: async () => await Promise.resolve(failureOf('notSent', 'No key')) } },
    });
    const result = process(itemOf([already]));
    await jest.advanceTimersByTimeAsync(60_000);
    jest.useRealTimers();
    expect(await result).toMatchObject({ kind: 'failed', failure: { message: 'No key' } });
  });
});

describe('a step that refuses', () => {
  const refusing: Step = { decide: () => ({ refuse: 'The plan is archived' }) };
  const earlierIs = (obstacle: string | undefined) => ({ earlier: async () => await Promise.resolve(obstacle) });

  test('a refusing step fails with its reason, and nothing is sent', async () => {
    const { process, asked } = run({ keys: earlierIs(undefined) });
    expect(await process(itemOf([refusing]))).toMatchObject({
      kind: 'failed',
      failure: { outcome: 'invalid', message: 'The plan is archived' },
    });
    expect(asked).toEqual([]);
  });

  test('a refusing step counts as completed if an earlier attempt made the change', async () => {
    const { process } = run({ keys: earlierIs('done'), memory: { addEvidence: () => done } });
    expect(await process(itemOf([refusing]))).toMatchObject({
      kind: 'done',
      remembered: true,
      records: [{ invoice_id: '9' }],
    });
  });

  test("a refusing step is unknown if n8n's database can't exclude an earlier attempt", async () => {
    const { process, asked } = run({ keys: { earlier: async () => await Promise.reject(new Error('gone')) } });
    const result = await process(itemOf([refusing]));
    expect(result).toMatchObject({ kind: 'failed', failure: { outcome: 'unknown' } });
    expect(messageOf(result)).toBe(
      "n8n's database failed, so the node can't tell whether an earlier attempt sent this item. This attempt was refused: The plan is archived",
    );
    expect(asked).toEqual([]);
  });

  test("no step follows a step whose record can't be read", async () => {
    const broken: Step = {
      decide: () => {
        throw new TypeError('no list');
      },
    };
    const { process, asked } = run({ keys: earlierIs(undefined) });
    expect(messageOf(await process(itemOf([broken])))).toBe(
      'The node could not read the current record, so nothing was sent',
    );
    expect(asked).toEqual([]);
  });
});

describe('a failed look-up in a step', () => {
  test('a failed look-up never hides that an earlier attempt sent the write', async () => {
    const earlier = async () => await Promise.resolve('begun');
    const known: Remembered = { outcome: 'unknown', evidence: 'begun' };
    const { process, sent } = run({
      reply: failsOn('GET'),
      maxTries: 1,
      keys: { earlier },
      memory: { addEvidence: () => known },
    });
    expect(await process(itemOf([looking]))).toMatchObject({ kind: 'failed', failure: { outcome: 'unknown' } });
    expect(sent()).toEqual(['GET /platform/record']);
  });

  test('a failed look-up in a step sends nothing more', async () => {
    const { process, sent } = run({ reply: failsOn('GET'), maxTries: 1 });
    const first = await process(itemOf([looking]));
    expect(first).toMatchObject({ kind: 'failed', failure: { outcome: 'notSent' } });
    expect(messageOf(first)).toMatch(
      /^The node could not read the current records of the service, so nothing was sent: ./,
    );
    const second = messageOf(await process(itemOf([creating, { ...changing, look: looking.look }])));
    expect(second).toContain('The node could not read the current records of the service, so nothing more was sent: ');
    expect(second).toMatch(/^Completed 1 of 2 steps/);
    expect(sent().filter((one) => !one.startsWith('GET'))).toEqual(['POST /platform/plan {"step":1}']);
  });

  test('a step sends nothing if the service returned only a part of a list', async () => {
    const look: Step['look'] = () => ({ path: '/platform/list', family: 'platform', list: { identity: 'id' } });
    const { process, sent } = run({
      reply: () => ({ data: [{ id: '1' }], totalPages: 1, totalRecords: 2 }),
      maxTries: 1,
    });
    expect(messageOf(await process(itemOf([{ ...creating, look }])))).toContain('announced 2 records');
    expect(sent().filter((one) => !one.startsWith('GET'))).toEqual([]);
  });

  test('a look-up in a step slows the run down if the service is busy', async () => {
    const gate = new Gate({ most: 1, longestWaitMs: 60_000 });
    const slowDown = jest.spyOn(gate, 'slowDown');
    await run({ gate, reply: failsOn('GET', 429), maxTries: 1 }).process(itemOf([looking]));
    expect(slowDown).toHaveBeenCalled();
  });

  test('a look-up in a step does not start after the gate closed', async () => {
    const gate = new Gate({ most: 1, longestWaitMs: 60_000 });
    const closing: Step = {
      decide: () => {
        gate.close('The service is busy');
        return { done: {} };
      },
    };
    const { process, asked } = run({
      gate,
      keys: { oncePerKey: { recordDone: async () => await Promise.resolve(undefined) } },
    });
    const result = await process(itemOf([closing, { ...changing, look: looking.look }]));
    expect(result).toMatchObject({ kind: 'failed', items: [4], failure: { outcome: 'notSent' } });
    expect(messageOf(result)).toBe(
      'Completed 1 of 2 steps. The next step was not completed: The step was not started. The service is busy',
    );
    expect(asked).toEqual([]);
    const again = run({
      gate: new Gate({ most: 1, longestWaitMs: 60_000 }),
      memory: { ...knowing(done), openAttempts: () => 1 },
    });
    again.shared.gate.close('The service is busy');
    expect(await again.process(itemOf([creating, changing]))).toMatchObject({
      kind: 'failed',
      items: [4],
      failure: { outcome: 'unknown', message: expect.stringContaining('The item was not sent again') as string },
    });
  });
});

describe('the number of sent requests in a failure', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  const unrecorded = async () => await Promise.reject(new Error('Connection terminated'));
  const inDatabase = (...begins: Array<() => Promise<undefined>>) => ({
    begin: async () => await (begins.shift() ?? unrecorded)(),
  });
  const recorded = async () => await Promise.resolve(undefined);
  const busy = () => ({ status: 429, data: {} });
  const failureAfterRetries = async (setting: Setting, item: PlannedRequest) => {
    const { process, log } = run({ maxTries: 3, ...setting });
    const result = process(item);
    await jest.advanceTimersByTimeAsync(60_000);
    const { failure } = (await result) as { failure?: Failure };
    return { failure, writes: log.filter((one) => /^(POST|PUT) /.test(one)).length };
  };

  test.each<[string, Setting, PlannedRequest]>([
    ["n8n's database does not record the write", { keys: inDatabase() }, itemOf([creating])],
    ["n8n's database does not record the day's total", { over: failureOf('notSent') }, itemOf([creating])],
    ['the search for a duplicate fails', { existing: { failure: failureOf('notSent') } }, itemOf([creating])],
    ["the node can't read the current record", { reply: failsOn('GET') }, itemOf([looking])],
  ])('the failure contains no number if %s', async (_, setting, item) => {
    const { failure, writes } = await failureAfterRetries(setting, item);
    expect(failure).toMatchObject({ outcome: 'notSent' });
    expect(failure).not.toHaveProperty('tries');
    expect(writes).toBe(0);
  });

  test('the failure counts only the requests that the node sent', async () => {
    const keys = inDatabase(recorded, recorded);
    const { failure, writes } = await failureAfterRetries({ keys, reply: busy }, itemOf([creating]));
    expect(failure).toMatchObject({ outcome: 'notSent', tries: 2 });
    expect(writes).toBe(2);
  });
});

describe('a record that must not change before the write', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());
  const careful: Step = { ...looking, unchanged: true };

  test('a record that must not change is read again right before the write', async () => {
    const { process, sent } = run();
    expect(await process(itemOf([careful]))).toMatchObject({ kind: 'done' });
    expect(sent()).toEqual(['GET /platform/record', 'GET /platform/record', 'POST /platform/plan {"name":"Gold"}']);
  });

  test('a changed record prevents the write', async () => {
    const { process, sent } = run({ reply: (_, number) => ({ data: { name: `Gold ${number}` } }) });
    expect(messageOf(await process(itemOf([careful])))).toBe(
      'The record changed after the node read it, so the node did not overwrite the record',
    );
    expect(sent()).toHaveLength(2);
  });

  test("a record that can't be read again prevents the write", async () => {
    const { process, sent } = run({
      reply: (_, number) => (number === 1 ? { data: { name: 'Gold' } } : { status: 500 }),
      maxTries: 1,
    });
    expect(await process(itemOf([careful]))).toMatchObject({ kind: 'failed', failure: { outcome: 'notSent' } });
    expect(sent()).toHaveLength(2);
  });

  test('a repeated write compares the record with the first reading', async () => {
    let name = 'Gold';
    const { process, sent } = run({
      reply: ({ method }) => {
        if (method === 'GET') return { data: { name } };
        name = 'Silver';
        return { status: 429, data: {} };
      },
    });
    const result = process(itemOf([careful]));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(messageOf(await result)).toMatch(/^The record changed after the node read it/);
    expect(sent().map((one) => one.split(' ')[0])).toEqual(['GET', 'GET', 'POST', 'GET']);
  });
});

describe('an item that an earlier attempt started', () => {
  test('an item continues after its completed steps', async () => {
    const decide = jest.fn(changing.decide);
    const { process, sent } = run({ memory: knowing(done) });
    expect(await process(itemOf([creating, { decide }]))).toMatchObject({ records: [{ plan_id: 'subscription' }] });
    expect(sent()).toEqual(['PUT /platform/subscription {"step":2}']);
    expect(decide).toHaveBeenCalledWith([], expect.anything(), [{ invoice_id: '9' }]);
  });

  test('an item whose steps are all completed is completed without a look-up', async () => {
    const earlier = jest.fn();
    const { process, asked } = run({
      memory: knowing(done, { outcome: 'done', records: [{ id: 'last' }] }),
      lookUps: { canFind: () => true, earlier },
    });
    expect(await process(itemOf([creating, changing]))).toMatchObject({
      kind: 'done',
      remembered: true,
      records: [{ id: 'last' }],
    });
    expect(asked).toEqual([]);
    expect(earlier).not.toHaveBeenCalled();
  });

  test("a completed step that only n8n's database shows is recorded as applied in its own place", async () => {
    const recordApplied = jest.fn();
    const byDatabase: Remembered = { outcome: 'done', records: [{ id: 'last' }], byDatabase: true };
    const { process } = run({ memory: knowing(done, byDatabase), keys: { recordApplied } });
    await process(itemOf([creating, changing]));
    expect(recordApplied.mock.calls).toEqual([[expect.objectContaining({ part: 1 }), true]]);
  });

  test('a failure names the completed steps if the next step is unknown', async () => {
    const { process, asked } = run({ memory: knowing(done, open) });
    const result = await process(itemOf([creating, changing]));
    expect(result).toMatchObject({ kind: 'failed', remembered: true, failure: { outcome: 'unknown' } });
    expect(messageOf(result)).toMatch(/^Completed 1 of 2 steps/);
    expect(asked).toEqual([]);
  });

  test('a failure names the completed steps if the database contains the next step', async () => {
    const { process } = run({ memory: { ...knowing(done), addEvidence: () => open }, evidence: 'begun' });
    const result = await process(itemOf([creating, changing]));
    expect(result).toMatchObject({ kind: 'failed', remembered: true, failure: { outcome: 'unknown' } });
    expect(messageOf(result)).toMatch(/^Completed 1 of 2 steps/);
  });

  test('an item continues with the next step if the database reports a step as completed', async () => {
    const keys = { begin: async ({ part }: PlannedRequest) => await Promise.resolve(part === 0 ? 'done' : undefined) };
    const { process, sent } = run({ memory: { addEvidence: () => done }, keys });
    expect(await process(itemOf([creating, changing]))).toMatchObject({
      kind: 'done',
      records: [{ plan_id: 'subscription' }],
    });
    expect(sent()).toEqual(['PUT /platform/subscription {"step":2}']);
  });

  test('an item continues after a step whose record was found', async () => {
    const earlier = async ({ part }: PlannedRequest) =>
      await Promise.resolve(part === 0 ? { ok: true, record: { plan_id: 'found' } } : undefined);
    const memory = knowing({ outcome: 'unknown', code: 'a' });
    const { process, sent } = run({ memory, lookUps: { canFind: () => true, earlier } });
    expect(await process(itemOf([creating, changing]))).toMatchObject({
      kind: 'done',
      records: [{ plan_id: 'subscription' }],
    });
    expect(sent()).toEqual(['PUT /platform/subscription {"step":2}']);
  });
});

test('a step that a person approved is not sent again if a record may belong to its earlier attempt', async () => {
  const { process, asked } = run({
    memory: { ...knowing(done), openAttempts: () => 1, reopen: () => open },
    lookUps: { earlier: async () => await Promise.resolve(failing('unknown')) },
  });
  const result = await process(itemOf([creating, changing]));
  expect(result).toMatchObject({ kind: 'failed', remembered: true, failure: { outcome: 'unknown' } });
  expect(messageOf(result)).toMatch(/^Completed 1 of 2 steps/);
  expect(asked).toEqual([]);
});

describe("a write that only n8n's database shows as done", () => {
  const byDatabase: Remembered = { outcome: 'done', records: [{ invoice_id: '9' }], byDatabase: true };
  const setting = (found?: IDataObject): Setting => ({
    memory: { recall: () => byDatabase },
    lookUps: {
      canFind: () => true,
      earlier: async () => await Promise.resolve(found && { ok: true, record: found }),
    },
  });

  test("a write that only n8n's database shows as completed returns the service's record if the node finds it", async () => {
    const { process, asked } = run(setting({ invoice_id: 'found' }));
    expect(await process(requestOf())).toMatchObject({ kind: 'done', records: [{ invoice_id: 'found' }] });
    expect(asked).toEqual([]);
  });

  test("a write that only n8n's database shows as completed returns the remembered result if no record is found", async () => {
    const { process, asked } = run(setting());
    expect(await process(requestOf())).toMatchObject({
      kind: 'done',
      byDatabase: true,
      records: [{ invoice_id: '9' }],
    });
    expect(asked).toEqual([]);
  });
});

describe('an unknown step that may have made the change', () => {
  const again = (
    decision: Step['decide'],
    operation: Partial<Operation> = {},
    standing: Remembered = open,
    setting: Setting = {},
  ) => {
    const notAsAsked = jest.fn();
    const sighted = jest.fn((_: unknown, { record }: { record: IDataObject }) => ({ ok: true, record }));
    const { process, asked } = run({ memory: knowing(standing), lookUps: { notAsAsked, sighted }, ...setting });
    const item = itemOf([{ ...looking, decide: decision }], operation);
    return { result: process(item), notAsAsked, sighted, asked };
  };

  test('an unknown step counts as completed if nothing is left to send', async () => {
    const { result, sighted, notAsAsked } = again(([found]) => ({ done: { ...found, plan_id: 'same' } }));
    expect(await result).toMatchObject({ kind: 'done', records: [{ plan_id: 'same' }] });
    expect(sighted).toHaveBeenCalledWith(expect.anything(), {
      record: { name: 'Gold', plan_id: 'same' },
      agreement: 'the service already has the requested values',
      kind: 'earlier',
    });
    expect(notAsAsked).not.toHaveBeenCalled();
  });

  test.each<[string, Step['decide']]>([
    ['a request is left', creating.decide],
    ['the step refuses', () => ({ refuse: 'No' })],
  ])('an unknown step stays unknown if %s', async (_, decision) => {
    const { result, notAsAsked, asked } = again(decision);
    expect(await result).toMatchObject({ kind: 'failed', remembered: true, failure: { outcome: 'unknown' } });
    expect(notAsAsked).toHaveBeenCalledWith(expect.anything(), undefined);
    expect(asked.map(({ method }) => method)).toEqual(['GET']);
  });

  test("an unknown step stays unknown if the record can't be read", async () => {
    const { result, notAsAsked } = again(() => ({ done: {} }), {}, open, { reply: failsOn('GET'), maxTries: 1 });
    expect(await result).toMatchObject({ kind: 'failed', remembered: true });
    expect(notAsAsked).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ outcome: 'notSent' }));
  });

  test.each<[string, Partial<Operation>, Remembered]>([
    ['if a list shows its record', { footprint: { list: {} } as Operation['footprint'] }, open],
    ['if another content was sent', {}, { outcome: 'unknown', code: 'abc', evidence: 'otherContent' }],
    ['if the credential changed', {}, { outcome: 'unrecognisable', code: 'abc' }],
  ])('the record of an unknown step is not read %s', async (_, operation, standing) => {
    const { result, asked } = again(() => ({ done: {} }), operation, standing);
    expect(await result).toMatchObject({ kind: 'failed', remembered: true });
    expect(asked).toEqual([]);
  });

  test('the record of an unknown step is not read if the user chose Fail Immediately', async () => {
    const { process, asked } = run({ memory: knowing(open) });
    const step: Step = { ...looking, decide: () => ({ done: {} }) };
    const item = { ...itemOf([step]), options: { unknownOutcome: 'refuse' as const, testEnvironmentOnly: true } };
    expect(await process(item)).toMatchObject({ kind: 'failed', remembered: true, failure: { outcome: 'unknown' } });
    expect(asked).toEqual([]);
  });

  test.each([
    ['an unknown step reads nothing', itemOf([{ decide: () => ({ done: {} }) }])],
    ['an unknown item has no steps', requestOf()],
  ])('no record is read if %s', async (_, item) => {
    const { process, asked } = run({ memory: knowing(open) });
    expect(await process(item)).toMatchObject({ kind: 'failed', remembered: true });
    expect(asked).toEqual([]);
  });

  test('an unknown step stays unknown if the look-up throws an error', async () => {
    const notAsAsked = () => {
      throw new Error('broken');
    };
    const { process } = run({ memory: knowing(open), lookUps: { notAsAsked } });
    expect(await process(itemOf([looking]))).toMatchObject({ kind: 'failed', remembered: true });
  });
});

test('no search for an earlier attempt runs if no list shows the record', async () => {
  const earlier = jest.fn();
  const { shared } = runOf({ lookUps: { canFind: () => false, earlier } });
  expect(await findEarlierResult(shared, requestOf(), open)).toBeUndefined();
  expect(earlier).not.toHaveBeenCalled();
});

test.each<[string, Remembered | undefined, number, boolean]>([
  ['runs before the node sends an unknown write again', undefined, 1, true],
  ['does not run before the first attempt', undefined, 0, false],
  ['does not run if the node does not send the write again', open, 1, false],
])('the search for an earlier attempt %s, if no list shows the record', async (_, standing, openAttempts, isRun) => {
  const earlier = jest.fn(async () => await Promise.resolve(undefined));
  const lookUps = { canFind: () => false, earlier };
  const { shared } = runOf({ memory: { openAttempts: () => openAttempts }, lookUps });
  await findEarlierResult(shared, requestOf(), standing);
  expect(earlier).toHaveBeenCalledTimes(isRun ? 1 : 0);
});

test('a failed search for an earlier attempt prevents sending the write again', async () => {
  const lookUps = { canFind: () => true, earlier: async () => await Promise.reject(new Error('no')) };
  expect(await findEarlierResult(runOf({ lookUps }).shared, requestOf(), undefined)).toEqual({
    ok: false,
    failure: { outcome: 'unknown', message: 'The node could not look up the earlier attempt', advice: '' },
  });
});

test('an item is not started if the run ends before its first write', async () => {
  const { process, shared } = run();
  shared.gate.run = async () => await Promise.reject(new NotStarted('The service is busy'));
  expect(await process(itemOf([creating, changing]))).toEqual({
    items: [4],
    kind: 'notStarted',
    reason: 'The service is busy',
  });
});

test.each<[string, Setting, string]>([
  ['before its first step', { memory: { recall: broken } }, ''],
  [
    'after a completed step',
    { memory: knowing(done), lookUps: { begins: broken } },
    'Completed 1 of 2 steps (invoice_id 9). The next step was not completed: ',
  ],
])('an item is unknown after an internal error %s, and its records stay reserved', async (_, setting, steps) => {
  const { process, log } = run(setting);
  const result = await process(itemOf([creating, changing]));
  expect(result).toMatchObject({ kind: 'failed', items: [4], failure: { outcome: 'unknown' } });
  expect(messageOf(result)).toBe(`${steps}The node could not process the response`);
  expect(log.at(-1)).toBe('left open');
});

test('a preview keeps no record of a request, and shows a record that already matches', async () => {
  const { shared, process, sent } = run();
  shared.preview = new Preview();
  expect(await process(itemOf([looking]))).toMatchObject({ kind: 'done', records: [] });
  expect(shared.preview.requests.get(4)?.[0]?.values.body).toEqual({ name: 'Gold' });
  const matching = run();
  matching.shared.preview = new Preview();
  const keys = { recordDone: async () => await Promise.resolve(undefined) };
  Object.assign(matching.shared.keys, { oncePerKey: keys });
  const item = itemOf([{ ...looking, decide: ([found]) => ({ done: found ?? {} }) }]);
  expect(await matching.process(item)).toMatchObject({ kind: 'done', records: [{ name: 'Gold' }] });
  expect(matching.shared.preview.requests.size).toBe(0);
  expect([...sent(), ...matching.sent()]).toEqual(['GET /platform/record', 'GET /platform/record']);
});

test('in a preview, an item depends on the first other item that changes the record it reads', async () => {
  const { shared, process, sent } = run();
  const preview = (shared.preview = new Preview());
  const item = (index: number, more: Partial<PlannedRequest>, step = looking) => ({
    ...itemOf([step]),
    items: [index],
    ...more,
  });
  const changes = { objectKey: 'plan:GOLD' };
  for (const index of [0, 1, 2]) await process(item(index, changes));
  await process(item(3, { objectKey: 'plan:TIN' }));
  await process(item(4, {}));
  await process(item(5, changes, creating));
  expect([...preview.requests.keys()]).toEqual([0, 3, 4, 5]);
  const reason = 'changes the same record';
  expect([...preview.earlier]).toEqual([
    [1, { item: 0, reason }],
    [2, { item: 0, reason }],
  ]);
  await process(item(6, { ...changes, family: 'gateway' }));
  expect(preview.requests.has(6)).toBe(true);
  expect(sent().filter((path) => !path.startsWith('GET'))).toEqual([]);
});
