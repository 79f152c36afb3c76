import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import {
  codeOf,
  edited,
  execution,
  leaveOpen,
  operation,
  otherAmount,
  request,
  resolving,
  withOptions,
} from './memory-bench';

let open: ReturnType<typeof execution>;
beforeEach(() => void (open = execution()));

describe('writes that the memory recognizes', () => {
  test('a write at another position is recognized even with another generated reference', () => {
    const generated = (item: number, reference: string) =>
      request({
        items: [item],
        values: {
          ...request().values,
          body: { amt_tran: 2, merch_ref_num: reference },
          reference: { name: 'merch_ref_num', value: reference, isLasting: true },
        },
      });
    const memory = open({ input: [{ row: 0 }, { row: 1 }] });
    leaveOpen(memory, generated(0, 'REF0'));
    memory.done(generated(0, 'REF0'), [{ pg_id: '7' }]);
    const later = open({ ...edited, input: [{ row: 0 }, { row: 1 }] });
    const moved = generated(1, 'REF1');
    later.followItems([request({ ...otherAmount, items: [0] }), moved]);
    expect(later.recall(moved)).toMatchObject({ outcome: 'done', records: [{ pg_id: '7' }] });
  });

  test("remembered writes don't include a request that was never sent", () => {
    open().followItems([request()]);
    expect(open().recall(request())).toBeUndefined();
  });

  test('remembered writes return the result of a completed request', () => {
    leaveOpen(open());
    open().done(request(), [{ pg_id: 'a', rmsg: 'ok' }]);
    expect(open().recall(request())).toEqual({ outcome: 'done', records: [{ pg_id: 'a', rmsg: 'ok' }] });
  });

  test('remembered writes return a partial failure with the result', () => {
    const partialFailure = {
      text: 't',
      about: 'a',
      failure: { outcome: 'declined' as const, message: 'm', advice: '' },
    };
    open().done(request(), [{}], partialFailure);
    expect(open().recall(request())).toEqual({ outcome: 'done', records: [{}], partialFailure });
  });

  test('remembered writes count only the approved part of an amount', () => {
    const failure = { outcome: 'declined' as const, message: 'm', advice: '' };
    open().sending(request());
    const before = open().movedCents;
    for (let times = 0; times < 2; times += 1) {
      open().done(request(), [{}], { text: 't', about: 'a', failure, unmovedCents: 150 });
      expect([before - open().movedCents, before - open().moved(request())]).toEqual([150, 150]);
    }
  });

  test('remembered writes are unknown if they were sent without a response', () => {
    leaveOpen(open());
    expect(open().recall(request())).toEqual({
      outcome: 'unknown',
      code: expect.stringMatching(/^0-\w{5}$/) as string,
      sent: { pgIdOrig: '1', amt_tran: '2' },
    });
  });

  test('remembered writes can be sent with any content if they were not applied', () => {
    leaveOpen(open());
    open().notApplied(request());
    expect(open().recall(request())).toBeUndefined();
    expect(open(edited).recall(request(otherAmount))).toBeUndefined();
    expect(open().openAttempts(request())).toBe(0);
  });

  test('remembered writes include the same request from edited parameters', () => {
    open().done(request(), [{ id: 1 }]);
    expect(open(edited).recall(request())).toMatchObject({ outcome: 'done' });
  });

  test('remembered writes include another request from the same parameters and input, as with $now', () => {
    open().done(request(), [{ id: 1 }]);
    expect(open().recall(request(otherAmount))).toMatchObject({ outcome: 'done' });
  });

  test.each(['options', 'simplify', 'returnAll', 'limit'])(
    "remembered writes don't depend on the parameter %s",
    (name) => {
      open({ parameters: { amount: 1 } }).done(request(), [{}]);
      expect(open({ parameters: { amount: 1, [name]: { changed: 1 } } }).recall(request(otherAmount))).toMatchObject({
        outcome: 'done',
      });
    },
  );

  test('a remembered write counts as edited if another input item leads to another request', () => {
    open({ input: [{ a: 1 }] }).done(request(), [{}]);
    expect(open({ input: [{ a: 2 }] }).recall(request(otherAmount))).toMatchObject({ outcome: 'edited' });
    expect(open({ input: [{ a: 1 }, { a: 9 }] }).recall(request(otherAmount))).toMatchObject({ outcome: 'done' });
  });

  test('remembered writes have separate entries for items, steps and runs', () => {
    open({ input: [{}, {}] }).done(request({ items: [0] }), [{ id: 0 }]);
    expect(open({ input: [{}, {}] }).recall(request({ items: [1] }))).toBeUndefined();
    expect(open().recall(request({ part: 1 }))).toBeUndefined();
    expect(open({ runIndex: 1 }).recall(request())).toBeUndefined();
    expect(open({ runIndex: 0 }).recall(request())).toBeDefined();
  });
});

test('an item that can no longer be planned has no state if it was never sent', () => {
  expect(open().standing(0)).toBeUndefined();
  leaveOpen(open());
  leaveOpen(open(), request({ items: [12], part: 10 }));
  expect(open().standing(1)).toBeUndefined();
  expect(open().standing(12)).toEqual({ outcome: 'unknown' });
  expect(open({ runIndex: 1 }).standing(0)).toBeUndefined();
});

test('an item that can no longer be planned is unknown, or completed with its result', () => {
  leaveOpen(open());
  expect(open().standing(0)).toEqual({ outcome: 'unknown' });
  open().done(request(), [{ id: 1 }]);
  expect(open().standing(0)).toEqual({ outcome: 'done', records: [{ id: 1 }] });
});

test('an item that can no longer be planned has no state if the user resolved it as not applied and it was rejected', () => {
  leaveOpen(open());
  const code = codeOf(open());
  leaveOpen(open(), resolving(code, 'notApplied'));
  expect(open().standing(0)).toEqual({ outcome: 'unknown' });
  open().notApplied(request());
  expect(open().standing(0)).toBeUndefined();
});

describe('an object that another item sent', () => {
  const share = (item: number, more: Partial<PlannedRequest> = {}): PlannedRequest =>
    request({ items: [item], isSentOnce: true, whole: request(), ...more });

  test('an object is completed with the records of the item that sent an equal object', () => {
    const first = open();
    first.sending(share(0));
    first.done(share(0), [{ pg_id: '7' }]);
    const later = open({ parameters: { edited: true } });
    expect(later.recall(share(1))).toMatchObject({ outcome: 'done', records: [{ pg_id: '7' }], ofOther: true });
    expect(later.recall(share(1, { isSentOnce: false }))).toBeUndefined();
  });

  test('an equal object has the same unknown outcome and code, and is sent after a person states that it was not applied', () => {
    open().sending(share(0));
    const own = open({ parameters: { edited: true } }).recall(share(0));
    const later = open({ parameters: { edited: true } });
    expect(later.recall(share(1))).toEqual(own);
    const { code = '' } = own as { code?: string };
    const options = { ...request().options, resolved: new Map([[code, 'notApplied' as const]]) };
    expect([1, 0].map((item) => later.recall(share(item, { options })))).toEqual([undefined, undefined]);
  });

  test('an object that its own item sent keeps its outcome, even if another item completed an equal object', () => {
    const memory = execution()();
    for (const item of [0, 1]) memory.sending(share(item));
    memory.done(share(0), [{ pg_id: '7' }]);
    expect(memory.recall(share(1))).toMatchObject({ outcome: 'unknown' });
  });

  test("an equal object is recognized even if n8n's database contains another write at its position", () => {
    const memory = open();
    memory.addEvidence(share(0), 'done');
    expect(memory.addEvidence(share(1), 'otherContent')).toMatchObject({ outcome: 'done', byDatabase: true });
    memory.notApplied(share(0));
    expect(open().recall(share(1))).toMatchObject({ outcome: 'unknown', evidence: 'otherContent' });
  });
});

test.each([
  ['method', { method: 'PUT' }, []],
  ['path', { path: '/pg/refund/2', values: { ...request().values, path: { pgIdOrig: '2' } } }, ['pgIdOrig']],
  ['query', { values: { ...request().values, query: { a: 2 } } }, ['a']],
  ['amount', otherAmount, ['amt_tran']],
  ['a field more', { values: { ...request().values, body: { amt_tran: 2, note: 'x' } } }, ['note']],
  ['a field less', { values: { ...request().values, body: {} } }, ['amt_tran']],
] as Array<[string, Partial<PlannedRequest>, string[]]>)(
  "an item that the user edited isn't sent again if its %s differs, and the difference is named",
  (_, changes, differs) => {
    leaveOpen(open());
    expect(open(edited).recall(request(changes))).toMatchObject({ outcome: 'edited', differs });
    open().done(request(), [{ pg_id: 'a' }]);
    expect(open(edited).recall(request(changes))).toEqual({
      outcome: 'edited',
      differs,
      code: expect.any(String) as string,
      finished: { outcome: 'done', records: [{ pg_id: 'a' }] },
    });
  },
);

test('an edited item is sent only if the user resolves the earlier attempt as not applied', () => {
  open().done(request(), [{ pg_id: 'a' }]);
  const code = codeOf(open(edited), request(otherAmount));
  expect(open(edited).recall(resolving('0-wrong', 'notApplied', otherAmount))).toMatchObject({ outcome: 'edited' });
  expect(open(edited).recall(withOptions({ unknownOutcome: 'resend' }, otherAmount))).toMatchObject({
    outcome: 'edited',
  });
  leaveOpen(open(edited), resolving(code, 'notApplied', otherAmount));
  expect(open(edited).recall(resolving(code, 'notApplied', otherAmount))).toMatchObject({ outcome: 'unknown' });
});

describe('a request that items share', () => {
  const card = (id: string) => ({ values: { ...request().values, body: { cards: [{ id }] } } });
  const shared = (...ids: string[]) => {
    const whole = request({ items: [0, 1], values: { ...request().values, body: { cards: ids } } });
    const [a = '', b = '', c = ''] = ids;
    whole.shares = [
      request({ ...card(a), whole }),
      request({ ...card(b), whole, part: 1 }),
      request({ ...card(c), whole, items: [1] }),
    ];
    return whole;
  };
  const sharesOf = (whole: PlannedRequest) => whole.shares ?? [];

  test.each([
    [
      [{ n: 0 }, { n: 1 }],
      [[{ n: 0 }], [], [{ n: 1 }]],
    ],
    [
      [{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }],
      [[{ n: 0 }, { n: 1 }], [], [{ n: 2 }, { n: 3 }]],
    ],
  ])("a shared request returns each item's own part of the records %j", (records, expected) => {
    const [open, whole] = [execution(), shared('a', 'b', 'c')];
    open().sending(whole);
    open().done(whole, records);
    const known = sharesOf(whole).map((share) => open().recall(share));
    expect(known).toEqual(expected.map((own) => ({ outcome: 'done', records: own })));
    expect(open().recall(whole)).toBeUndefined();
  });

  test("a request that items don't share returns its records to its first item", () => {
    open().done(request({ items: [0, 1] }), [{ n: 0 }, { n: 1 }]);
    expect(open().recall(request())).toEqual({ outcome: 'done', records: [{ n: 0 }, { n: 1 }] });
  });

  test('a shared request has one unique code for all its objects', () => {
    const codesOf = (whole: PlannedRequest) => {
      const open = execution();
      open().sending(whole);
      return sharesOf(whole).map((share) => codeOf(open(), share));
    };
    const codes = codesOf(shared('a', 'b', 'c'));
    expect(codes).toEqual([codes[0], codes[0], codes[0]]);
    expect(codes[0]).toMatch(/^0-\w{5}$/);
    expect(codesOf(shared('a', 'b', 'd'))[0]).not.toBe(codes[0]);
  });

  test('a shared request has an unknown outcome for each of its objects unless it was not applied', () => {
    const [open, whole] = [execution(), shared('a', 'b', 'c')];
    open().sending(whole);
    expect(open().openAttempts(whole)).toBe(1);
    expect(open().sentAt(whole)).toBeUndefined();
    open().notApplied(whole);
    expect(sharesOf(whole).map((share) => open().recall(share))).toEqual([undefined, undefined, undefined]);
  });

  test('a shared request moves the sum of its objects', () => {
    const whole = request();
    whole.shares = [request({ whole }), request({ whole, part: 1 })];
    expect(open().moved(whole)).toBe(0);
    open().sending(whole);
    expect(open().moved(whole)).toBe(400);
  });
});

describe("writes that are only in n8n's database", () => {
  const code = expect.stringMatching(/^0-\w{5}$/) as string;
  const sent = { pgIdOrig: '1', amt_tran: '2' };
  const again = withOptions({ unknownOutcome: 'resend' });
  const stepsOf = (count: number): Partial<PlannedRequest> => ({
    operation: { ...operation, steps: { each: Array.from({ length: count }, () => ({})) } } as never,
  });

  test('a write that an earlier attempt completed gets the references of its item', () => {
    const done = {
      outcome: 'done',
      byDatabase: true,
      records: [{ done_by_earlier_try: true, pgIdOrig: '1', amt_tran: '2' }],
    };
    expect(open().addEvidence(request(), 'done')).toEqual(done);
    for (const one of [request(), again]) expect(open().recall(one)).toEqual(done);
    expect(open().movedCents).toBe(200);
  });

  test("n8n's database completes only the last step of an item", () => {
    for (const [count, part, outcome] of [
      [1, 0, 'done'],
      [2, 0, 'unknown'],
      [2, 1, 'done'],
    ] as const)
      expect(execution()().addEvidence(request({ ...stepsOf(count), part }), 'done')).toMatchObject({ outcome });
  });

  test('a started write keeps its unknown outcome', () => {
    expect(open().addEvidence(request(), 'begun')).toEqual({ outcome: 'unknown', code, evidence: 'begun', sent });
    expect(open().sentAt(request())).toEqual(expect.any(Number));
    expect(open().recall(again)).toBeUndefined();
  });

  test('a write that may be completed is never sent again', () => {
    expect(execution()().addEvidence(again, 'sameContent')).toMatchObject({
      outcome: 'unknown',
      evidence: 'sameContent',
    });
    expect(execution()().addEvidence(again, 'begun')).toBeUndefined();
  });

  test('a refusal names the code that confirms another account', () => {
    const known = open().addEvidence(request(), 'otherAccount');
    expect(known).toEqual({ outcome: 'otherAccount', code: expect.stringMatching(/^account-\w{5}$/) as string });
    expect(open().movedCents).toBe(0);
    open().withAccount();
    expect(open({ account: { merchantId: '2' } }).recall(request())).not.toEqual(known);
  });

  test("a write with another credential can't be recognized until the user resolves it as not applied", () => {
    expect(open().addEvidence(request(), 'otherCredential')).toEqual({ outcome: 'unrecognisable', code });
    expect(open().sentAt(request())).toEqual(expect.any(Number));
    expect(open().recall(again)).toEqual({ outcome: 'unrecognisable', code });
    const own = codeOf(open());
    leaveOpen(open(), resolving(own, 'notApplied'));
    expect(open().recall(request())).toEqual({ outcome: 'unknown', code, sent });
  });
});

describe('a write that is blocked because a record may belong to its earlier attempt', () => {
  test('a blocked write is unknown and counts again after the user resolved it as not applied', () => {
    leaveOpen(open());
    const code = codeOf(open());
    open().recall(resolving(code, 'notApplied'));
    expect(open().movedCents).toBe(0);
    expect(open().reopen(request())).toMatchObject({ outcome: 'unknown' });
    expect(open().movedCents).toBe(200);
    expect(open().recall(request())).toMatchObject({ outcome: 'unknown' });
  });

  test('blocking changes no other write', () => {
    expect(open().reopen(request())).toBeUndefined();
    leaveOpen(open());
    const before = open.text();
    expect(open().reopen(request())).toMatchObject({ outcome: 'unknown', code: codeOf(open()) });
    expect(open.text()).toBe(before);
  });
});
