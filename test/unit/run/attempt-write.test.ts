import { createHash } from 'node:crypto';

import { Preview } from '../../../nodes/PaymentPlatform/output/describe-previews';
import { FileToSend } from '../../../nodes/PaymentPlatform/fields/kinds/file';
import { findEarlierAttempt, recordWrite, sendWrite } from '../../../nodes/PaymentPlatform/run/attempt-write';
import type { Completion, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import type { Remembered } from '../../../nodes/PaymentPlatform/model/write-memory';
import { refused, type Answer } from '../../../nodes/PaymentPlatform/model/failure';
import { KEY_DONE } from '../../../nodes/PaymentPlatform/once/once-per-key';
import { Gate } from '../../../nodes/PaymentPlatform/service/gate';
import { done, failing, failureOf, open, requestOf, runOf } from '../fake-run';
import type { Asked } from '../fake-service';

type Recording = Parameters<typeof recordWrite>[0];

const request = requestOf();

function recording(known: number, sentAnew: number, found?: Answer) {
  let tries = 0;
  const asked: string[] = [];
  const keys = {
    settle: () => undefined,
    begin: async (_request: PlannedRequest, attempt: string) => {
      asked.push(attempt);
      return await Promise.resolve(asked.length <= known ? 'begun' : undefined);
    },
  };
  const memory = {
    attempt: () => String(tries),
    openAttempts: () => 0,
    sentAt: () => 1000,
    addEvidence: () => void (tries += tries < sentAnew ? 1 : 0),
  };
  const looked: unknown[] = [];
  const lostAnswers = {
    earlier: async (...given: unknown[]) => {
      looked.push(given);
      return await Promise.resolve(found);
    },
  };
  return { asked, looked, given: { keys, memory, lostAnswers, earlier: new Map() } as unknown as Recording };
}

test("checks the keys of repeated attempts in n8n's database until a key is new", async () => {
  const { asked, given } = recording(2, 2);
  expect(await recordWrite(given, request)).toBeUndefined();
  expect(asked).toEqual(['0', '1', '2']);
});

test('reports an unresolvable conflict between the database and the memory as unknown', async () => {
  const { asked, given } = recording(Infinity, 0);
  expect(await recordWrite(given, request)).toEqual({
    ok: false,
    isUnsent: true,
    failure: {
      outcome: 'unknown',
      message: 'An earlier attempt in this execution started this item, and its outcome is unknown',
      advice: 'Look up the record at the service before you send the item again.',
    },
  });
  expect(asked).toEqual(['0']);
});

test('before sending, looks up an attempt that the user sent again and completes it by its record', async () => {
  const found: Answer = { ok: true, record: { pg_id: 'a' } };
  const { asked, looked, given } = recording(1, 1, found);
  expect(await recordWrite(given, request)).toBe(found);
  expect(looked).toEqual([[request, undefined, 1000]]);
  expect(asked).toEqual(['0']);
});

test("sends nothing if n8n's database did not record the write", async () => {
  const begin = async () => await Promise.reject(new Error('Connection terminated'));
  const { shared, log } = runOf({ keys: { begin } });
  expect(await recordWrite(shared, request)).toEqual({
    ok: false,
    isUnsent: true,
    failure: {
      outcome: 'notSent',
      message: "n8n's database did not record this item, so the item was not sent",
      advice: "Run this item again when n8n's database works.",
    },
  });
  expect(log).toEqual(['database refused']);
});

describe('an attempt that may have been applied and was sent again', () => {
  const given = (memory: object) =>
    runOf({
      evidence: 'begun',
      memory: { addEvidence: () => undefined, ...memory },
      lookUps: { earlier: async () => await Promise.resolve(failing('unknown')) },
    });

  test('an attempt that may have been applied stays unknown after the user sends it again', async () => {
    const { shared } = given({ reopen: () => open });
    expect(await recordWrite(shared, request)).toMatchObject({ ok: false, failure: { resolveCode: 'abc' } });
    expect(shared.earlier.get(request)).toBe(open);
  });

  test("an attempt of a tool's call is unknown, because no person sends it again", async () => {
    const { shared } = given({});
    expect(await recordWrite(shared, request)).toMatchObject({
      failure: { message: expect.stringContaining('started this item, and its outcome is unknown') as string },
    });
  });
});

describe('the key of Once per Key', () => {
  const keyed = requestOf({ options: { oncePerKey: 'deal 7' } });
  const withKey = (found: unknown, lookUps: object = {}) => {
    const begin = jest.fn(async () => await Promise.resolve(found));
    const run = runOf({ keys: { oncePerKey: { begin } }, lookUps });
    return { ...run, begin };
  };
  const unknown = (isApproved: boolean, then?: unknown) => ({
    state: 'unknown',
    code: 'key-a1b2c',
    isApproved,
    resume: async () => await Promise.resolve(then),
  });

  test('an item without a key records none', async () => {
    const { shared, begin } = withKey({ state: 'done' });
    expect(await recordWrite(shared, request)).toBeUndefined();
    expect(begin).not.toHaveBeenCalled();
  });

  test('an item with a free key may be sent', async () => {
    const { shared, log, begin } = withKey(undefined);
    expect(await recordWrite(shared, keyed)).toBeUndefined();
    expect(begin).toHaveBeenCalledWith(keyed, '0');
    expect(log).toEqual(['database notes']);
  });

  test('a completed key returns the record, or fails the item if the node finds no record', async () => {
    const record: Answer = { ok: true, record: { pg_id: 'a' } };
    const doneWithKey = async () => await Promise.resolve(record);
    const { shared, log } = withKey({ state: 'done' }, { doneWithKey });
    expect(await recordWrite(shared, keyed)).toBe(record);
    expect(log).toEqual(['database notes', 'database refused']);
    const lost = withKey({ state: 'done' }, { doneWithKey: async () => await Promise.resolve(undefined) });
    expect(await recordWrite(lost.shared, keyed)).toEqual(refused(KEY_DONE));
  });

  test('a key that is under way refuses the item, and no person can resolve it', async () => {
    const { shared } = withKey({ state: 'underWay' });
    const answer = await recordWrite(shared, keyed);
    expect(answer).toMatchObject({ isUnsent: true, failure: { outcome: 'unknown' } });
    expect(answer).not.toHaveProperty('failure.resolveCode');
    expect(shared.earlier.get(keyed)).toEqual({ outcome: 'unknown', evidence: 'underWay' });
  });

  test('a key that a person confirmed returns a record that says so, and a retry finds it in the memory', async () => {
    const { shared, log } = withKey({ state: 'applied' });
    expect(await recordWrite(shared, keyed)).toMatchObject({ failure: { outcome: 'doneBefore' } });
    expect(shared.earlier.get(keyed)).toMatchObject({
      outcome: 'done',
      byWord: true,
      records: [{ confirmed_by_person: true }],
    });
    expect(log).toEqual(['database notes', 'database refused', 'memory keeps']);
  });

  test('a failure of the key fails the item', async () => {
    const { shared, log } = withKey(failureOf('invalid', 'Another payment'));
    expect(await recordWrite(shared, keyed)).toEqual(refused(failureOf('invalid', 'Another payment')));
    expect(log).toEqual(['database notes', 'database refused']);
  });

  test('a key with an unknown outcome is looked up, and sent only if the look-up allows it', async () => {
    const ofKey = jest.fn(async () => await Promise.resolve<Answer | undefined>(failing('unknown')));
    const stays = withKey(unknown(true), { ofKey });
    expect(await recordWrite(stays.shared, keyed)).toMatchObject({
      failure: {
        resolveCode: 'key-a1b2c',
        message: expect.stringContaining('already started an item with the same key') as string,
      },
    });
    expect(stays.log).toEqual(['database notes', 'database refused']);
    expect(ofKey).toHaveBeenCalledWith(keyed, true);
    const record: Answer = { ok: true, record: { pg_id: 'a' } };
    ofKey.mockResolvedValue(record);
    expect(await recordWrite(withKey(unknown(false), { ofKey }).shared, keyed)).toBe(record);
    ofKey.mockResolvedValue(undefined);
    expect(await recordWrite(withKey(unknown(true), { ofKey }).shared, keyed)).toBeUndefined();
    const taken = withKey(unknown(true, { state: 'underWay' }), { ofKey });
    expect(await recordWrite(taken.shared, keyed)).toMatchObject({ failure: { outcome: 'unknown' } });
    expect(taken.log).toEqual(['database notes', 'database refused']);
  });

  test('the key of a write that this execution started is not checked', async () => {
    const begin = jest.fn();
    const { shared, log } = runOf({
      evidence: 'begun',
      memory: { addEvidence: () => open },
      keys: { oncePerKey: { begin } },
    });
    await recordWrite(shared, keyed);
    expect(log).toEqual(['database notes']);
    expect(begin).not.toHaveBeenCalled();
  });
});

test("a write that the memory refuses doesn't count as sent, although an equal call's outcome is unknown", async () => {
  const { shared, log } = runOf({ memory: { sending: () => failureOf('unknown') } });
  expect(await sendWrite(shared, request)).toMatchObject({ failure: { outcome: 'unknown' }, isUnsent: true });
  expect(log).toEqual(expect.arrayContaining(['database refused', 'day limit gives back']));
});

test('a write that an earlier attempt completed returns its result', async () => {
  const { shared } = runOf({ evidence: 'done', memory: { addEvidence: () => done } });
  expect(await recordWrite(shared, request)).toEqual({
    ok: false,
    isUnsent: true,
    failure: {
      outcome: 'doneBefore',
      message: 'An earlier attempt in this execution completed this item',
      advice: '',
    },
  });
  expect(shared.earlier.get(request)).toBe(done);
});

describe('a request that items share', () => {
  const whole = requestOf();
  const shares = [requestOf({ whole }), requestOf({ whole, items: [1] }), requestOf({ whole, items: [2] })];
  whole.shares = shares;
  const sending = async (...known: number[]) => {
    const freed: unknown[] = [];
    const began: unknown[] = [];
    const run = runOf({
      memory: { addEvidence: () => open },
      keys: {
        begin: async (share: PlannedRequest) => {
          began.push(share.items[0]);
          return await Promise.resolve(known.includes(share.items[0] ?? 0) ? 'begun' : undefined);
        },
        settle: (one: PlannedRequest, became: string) => void (became === 'refused' && freed.push(one.items[0])),
      },
    });
    return { answer: await sendWrite(run.shared, whole), freed, began, ...run };
  };

  test('a shared request is sent if the database records all of its objects', async () => {
    const { answer, began, asked } = await sending();
    expect(answer.ok).toBe(true);
    expect(began).toEqual([0, 1, 2]);
    expect(asked).toHaveLength(1);
  });

  test.each([
    [[0], [1, 2]],
    [[1], [0, 2]],
    [[1, 2], [0]],
  ])(
    "a shared request isn't sent if an earlier attempt started the objects %j, and the keys of the other objects are freed",
    async (known, others) => {
      const { answer, freed, asked, shared } = await sending(...known);
      expect(answer).toMatchObject({ ok: false, failure: { outcome: 'unknown' } });
      expect(asked).toEqual([]);
      expect(freed).toEqual(others);
      expect(shared.earlier.get(whole)).toBe(open);
      expect(shares.map((share) => shared.earlier.has(share))).toEqual([0, 1, 2].map((item) => known.includes(item)));
    },
  );

  test('a shared request is not looked up without an earlier attempt', async () => {
    const earlier = jest.fn();
    const { shared } = runOf({
      keys: { begin: async () => await Promise.reject(new Error('gone')) },
      lookUps: { earlier },
    });
    expect(await sendWrite(shared, whole)).toMatchObject({ failure: { outcome: 'notSent' } });
    expect(earlier).not.toHaveBeenCalled();
  });
});

test.each([
  ['unchanged', 1],
  ['changed', 0],
])('a file that is %s since the check is sent in %d requests', async (content, times) => {
  const sha256 = createHash('sha256').update('unchanged').digest('hex');
  const file = new FileToSend('data', { fileName: 'a.pdf', mimeType: 'application/pdf', bytes: 1, sha256 });
  const { shared, asked, log } = runOf();
  Object.assign(shared.context.helpers, {
    getBinaryDataBuffer: async () => await Promise.resolve(Buffer.from(content)),
  });
  const upload = requestOf(
    { values: { ...request.values, body: { file } } },
    { request: { ...request.operation.request, encoding: 'multipart' } },
  );
  expect(await sendWrite(shared, upload)).toMatchObject(
    times === 1
      ? { ok: true }
      : { failure: { message: expect.stringContaining('was changed or deleted after the node checked it') as string } },
  );
  expect(asked).toHaveLength(times);
  expect(log).toContain(times === 1 ? 'database done' : 'database refused');
});

describe('the checks right before a write leaves', () => {
  test('a write without limits and without a check for duplicates is sent', async () => {
    const { shared, asked } = runOf();
    Object.assign(shared, { dayLimit: undefined, executionLimit: undefined, duplicates: undefined });
    expect(await sendWrite(shared, request)).toMatchObject({ ok: true });
    expect(asked).toHaveLength(1);
  });

  test('a write beyond the limit of the execution is not sent', async () => {
    const { shared, asked } = runOf();
    Object.assign(shared, { executionLimit: { take: () => failureOf('invalid', 'Too much') } });
    expect(await sendWrite(shared, request)).toEqual(refused(failureOf('invalid', 'Too much')));
    expect(asked).toEqual([]);
  });

  test('the node checks a write again after each wait, and does not send it if another process has begun it', async () => {
    const own = [true, true, false];
    const gate = new Gate({ most: 1, longestWaitMs: 60_000 });
    gate.waitUntilUnblocked = async () => await Promise.resolve(true);
    const { shared, asked } = runOf({ gate, keys: { renew: async () => await Promise.resolve(own.shift()) } });
    expect(await sendWrite(shared, request)).toMatchObject({ isUnsent: true, failure: { outcome: 'unknown' } });
    expect(shared.earlier.get(request)).toEqual({ outcome: 'unknown', evidence: 'underWay' });
    expect([own, asked]).toEqual([[], []]);
  });

  test("a write is sent with the customer's fields that complete it, and not sent if they can't be read", async () => {
    const completion: Completion = { look: () => ({ path: '/c', family: 'platform' }), add: (found) => found };
    const sending = async (status: number) => {
      const reply = ({ method }: Asked) => (method === 'GET' ? { status, data: { name: 'Ana' } } : { data: {} });
      const { shared, asked } = runOf({ reply });
      const answer = await sendWrite(shared, requestOf({}, { completion }));
      return { answer, sent: asked.flatMap(({ body }) => body ?? []) };
    };
    expect(await sending(200)).toMatchObject({ answer: { ok: true }, sent: ['{"memo":"x","name":"Ana"}'] });
    expect(await sending(503)).toMatchObject({ answer: { failure: { outcome: 'notSent' } }, sent: [] });
  });

  test("a response with another item's record is unknown", async () => {
    const { shared } = runOf();
    Object.assign(shared.recordMatcher, { isOfOther: (_: unknown, id: string) => id === '1' });
    expect(await sendWrite(shared, requestOf({}, { creates: 'invoice_id' }))).toMatchObject({
      failure: { outcome: 'unknown', message: expect.stringContaining('the invoice_id of another item') as string },
    });
  });
});

describe('an earlier attempt of a write with nothing left to send', () => {
  const finding = async (obstacle: unknown, known?: Remembered, record?: Answer) => {
    const addEvidence = jest.fn(() => known);
    const run = runOf({
      keys: {
        earlier: async () =>
          obstacle instanceof Error ? await Promise.reject(obstacle) : await Promise.resolve(obstacle),
      },
      memory: { addEvidence },
      lookUps: { earlier: async () => await Promise.resolve(record) },
    });
    return { found: await findEarlierAttempt(run.shared, request), addEvidence, ...run };
  };

  test('the outcome of an item is unknown if the database fails', async () => {
    await expect(finding(new Error('gone'), open)).rejects.toThrow('gone');
  });

  test('an item has no earlier attempt if it began nothing', async () => {
    const { found, addEvidence, shared } = await finding(undefined, open);
    expect(found).toBeUndefined();
    expect(addEvidence).not.toHaveBeenCalled();
    expect(shared.earlier.size).toBe(0);
  });

  test('an item that the user resolved has no earlier attempt', async () => {
    const { found, shared } = await finding('begun');
    expect(found).toBeUndefined();
    expect(shared.earlier.size).toBe(0);
  });

  test('an earlier attempt left a record or changed a state', async () => {
    const record: Answer = { ok: true, record: { pg_id: 'a' } };
    expect((await finding('begun', open, record)).found).toBe(record);
    const { found, shared } = await finding('begun', open);
    expect(found).toMatchObject({ ok: false, failure: { outcome: 'unknown', resolveCode: 'abc' } });
    expect(shared.earlier.get(request)).toBe(open);
    expect((await finding('done', done)).found).toMatchObject({ failure: { outcome: 'doneBefore' } });
  });
});

describe('a preview', () => {
  test('runs all checks, keeps the request and sends nothing', async () => {
    const { shared, log, asked } = runOf();
    shared.preview = new Preview();
    const several = requestOf({ items: [2, 5] });
    expect(await sendWrite(shared, several)).toEqual({ ok: true, record: {} });
    expect(asked).toEqual([]);
    expect([...shared.preview.requests]).toEqual([
      [2, [several]],
      [5, [several]],
    ]);
    expect(log).toEqual([
      'database notes',
      'looks for what exists',
      'day limit measures',
      'memory enters',
      'day limit settles',
      'database done',
    ]);
  });

  test('shows a completed body', async () => {
    const completion: Completion = {
      look: () => ({ path: '/platform/record', family: 'platform' }),
      add: () => ({ name: 'Ana' }),
    };
    const { shared } = runOf({ reply: () => ({ data: { name: 'Ana' } }) });
    shared.preview = new Preview();
    await sendWrite(shared, requestOf({}, { completion }));
    expect(shared.preview.requests.get(0)?.[0]?.values.body).toEqual({ memo: 'x', name: 'Ana' });
  });

  test('keeps no request that a check refuses', async () => {
    const { shared } = runOf({ over: failureOf('invalid', 'Too much') });
    shared.preview = new Preview();
    expect(await sendWrite(shared, request)).toMatchObject({ ok: false, failure: { message: 'Too much' } });
    expect(shared.preview.requests.size).toBe(0);
  });

  test('never sends an item with the option, even in a run that is no preview', async () => {
    const { shared, asked } = runOf();
    expect(await sendWrite(shared, requestOf({ options: { previewOnly: true } }))).toEqual(
      refused({ outcome: 'notSent', message: '"Preview Only" is on, so the item was not sent', advice: '' }),
    );
    expect(asked).toEqual([]);
  });
});
