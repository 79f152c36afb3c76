import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { ExecutionMemory } from '../../../nodes/PaymentPlatform/once/execution-memory';
import type { ItemOptions, Resolution } from '../../../nodes/PaymentPlatform/model/option-types';
import type { Account, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { endRound } from '../../../nodes/PaymentPlatform/n8n/count-rounds';
import { operationOf } from '../requests';

const account: Account = {
  environment: 'test',
  baseUrl: 'https://pay.example.com/v1',
  merchantId: '1',
  digestKey: 'key',
};

interface Try {
  parameters?: INodeParameters;
  account?: Partial<Account>;
  input?: IDataObject[];
  runIndex?: number;
  mode?: string;
}

/**
 * Creates the persistent state of an execution, which n8n stores as JSON between attempts. A new run index starts a new
 * round.
 */
function execution() {
  let kept = {};
  let lastIndex: number | undefined;
  const open = ({ parameters = {}, account: changes = {}, input = [{}], runIndex = 0, mode = 'trigger' }: Try = {}) => {
    kept = JSON.parse(JSON.stringify(kept)) as object;
    const context = {
      getContext: (type: string) => {
        if (type !== 'node') throw new Error(`The context "${type}" belongs to all nodes`);
        return kept;
      },
      evaluateExpression: (expression: string) => (expression === '{{ $runIndex }}' ? runIndex : undefined),
      getInputData: () => input.map((json) => ({ json })),
      getMode: () => mode,
      getNode: () => ({ parameters }),
    } as unknown as IExecuteFunctions;
    if (lastIndex !== undefined && runIndex > lastIndex) endRound(context);
    lastIndex = runIndex;
    return ExecutionMemory.open(context, { ...account, ...changes });
  };
  return Object.assign(open, {
    text: () => JSON.stringify(kept),
    stored: () => (kept as { paymentPlatformWrites: object }).paymentPlatformWrites,
  });
}

const operation = { request: {}, fields: [{ name: 'amt_tran', label: 'Amount' }] };

const request = (changes: Partial<PlannedRequest> = {}): PlannedRequest =>
  ({
    items: [0],
    part: 0,
    operation,
    options: { unknownOutcome: 'lookUp', testEnvironmentOnly: false },
    method: 'POST',
    path: '/pg/refund/1',
    values: { path: { pgIdOrig: '1' }, query: { a: 1 }, body: { amt_tran: 2 }, node: {} },
    ...changes,
  }) as PlannedRequest;

const withOptions = (options: Partial<ItemOptions>, changes: Partial<PlannedRequest> = {}) =>
  request({ options: { unknownOutcome: 'lookUp', testEnvironmentOnly: false, ...options }, ...changes });
const resolving = (code: string, finding: Resolution, changes: Partial<PlannedRequest> = {}) =>
  withOptions({ resolved: new Map([[code, finding]]) }, changes);
const otherAmount = { values: { ...request().values, body: { amt_tran: 3 } } };
const codeOf = (memory: ExecutionMemory, wanted = request()) => (memory.recall(wanted) as { code: string }).code;

/** Sends without receiving a response. */
const leaveOpen = (memory: ExecutionMemory, sent = request()) => {
  expect(memory.recall(sent)).toBeUndefined();
  expect(memory.sending(sent)).toBeUndefined();
};
/** An edited attempt whose request and parameters both differ. */
const edited: Try = { parameters: { amount: 'edited' } };

describe('writes that the memory recognizes', () => {
  test('a write at another place is recognized although the node generated another reference for the place', () => {
    const open = execution();
    const generated = (item: number, reference: string) =>
      request({
        items: [item],
        generatedReference: reference,
        values: { ...request().values, body: { amt_tran: 2, merch_ref_num: reference } },
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
    expect(execution()().recall(request())).toBeUndefined();
  });

  test('remembered writes return the result of a completed request', () => {
    const open = execution();
    leaveOpen(open());
    open().done(request(), [{ pg_id: 'a', rmsg: 'ok' }]);
    expect(open().recall(request())).toEqual({ outcome: 'done', records: [{ pg_id: 'a', rmsg: 'ok' }] });
  });

  test('remembered writes return a partial failure with the result', () => {
    const open = execution();
    const partialFailure = {
      text: 't',
      about: 'a',
      failure: { outcome: 'declined' as const, message: 'm', advice: '' },
    };
    open().done(request(), [{}], partialFailure);
    expect(open().recall(request())).toEqual({ outcome: 'done', records: [{}], partialFailure });
  });

  test('remembered writes are unknown if they were sent without a response', () => {
    const open = execution();
    leaveOpen(open());
    expect(open().recall(request())).toEqual({
      outcome: 'unknown',
      code: expect.stringMatching(/^0-\w{5}$/) as string,
    });
  });

  test('remembered writes can be sent with any content if they were not applied', () => {
    const open = execution();
    leaveOpen(open());
    open().notApplied(request());
    expect(open().recall(request())).toBeUndefined();
    expect(open(edited).recall(request(otherAmount))).toBeUndefined();
    expect(open().openTries(request())).toBe(0);
  });

  test('remembered writes include the same request from edited parameters', () => {
    const open = execution();
    open().done(request(), [{ id: 1 }]);
    expect(open(edited).recall(request())).toMatchObject({ outcome: 'done' });
  });

  test('remembered writes include another request from the same parameters and input, as with $now', () => {
    const open = execution();
    open().done(request(), [{ id: 1 }]);
    expect(open().recall(request(otherAmount))).toMatchObject({ outcome: 'done' });
  });

  test.each(['options', 'simplify', 'returnAll', 'limit'])(
    "remembered writes don't depend on the parameter %s",
    (name) => {
      const open = execution();
      open({ parameters: { amount: 1 } }).done(request(), [{}]);
      expect(open({ parameters: { amount: 1, [name]: { changed: 1 } } }).recall(request(otherAmount))).toMatchObject({
        outcome: 'done',
      });
    },
  );

  test('remembered writes are edited if another input item leads to another request', () => {
    const open = execution();
    open({ input: [{ a: 1 }] }).done(request(), [{}]);
    expect(open({ input: [{ a: 2 }] }).recall(request(otherAmount))).toMatchObject({ outcome: 'edited' });
    expect(open({ input: [{ a: 1 }, { a: 9 }] }).recall(request(otherAmount))).toMatchObject({ outcome: 'done' });
  });

  test('remembered writes have separate entries for items, steps and runs', () => {
    const open = execution();
    open({ input: [{}, {}] }).done(request({ items: [0] }), [{ id: 0 }]);
    expect(open({ input: [{}, {}] }).recall(request({ items: [1] }))).toBeUndefined();
    expect(open().recall(request({ part: 1 }))).toBeUndefined();
    expect(open({ runIndex: 1 }).recall(request())).toBeUndefined();
    expect(open({ runIndex: 0 }).recall(request())).toBeDefined();
  });
});

describe('the amount that an execution moved or may have moved', () => {
  test("an execution's moved amount counts sent amounts in cents over all runs", () => {
    const open = execution();
    expect(open().movedCents).toBe(0);
    leaveOpen(open());
    leaveOpen(open({ runIndex: 1 }), request(otherAmount));
    expect(open({ runIndex: 2 }).movedCents).toBe(500);
    open().done(request(), [{}]);
    open().end(true);
    expect(open().movedCents).toBe(500);
  });

  test("an execution's moved amount excludes requests that were not applied or never recorded", () => {
    const open = execution();
    leaveOpen(open());
    leaveOpen(open(), withOptions({ unknownOutcome: 'resend' }));
    expect(open().movedCents).toBe(400);
    open().notApplied(request());
    open().notApplied(request({ part: 7 }));
    expect(open().movedCents).toBe(200);
  });

  test("an execution's moved amount excludes requests that move nothing", () => {
    const open = execution();
    leaveOpen(open(), request({ values: { ...request().values, body: { label: 'a' } } }));
    expect(open.stored()).not.toHaveProperty('moved');
    expect(open.text()).not.toContain('"cents":');
  });
});

describe('an item that can no longer be planned', () => {
  test('an item that can no longer be planned has no state if it was never sent', () => {
    const open = execution();
    expect(open().standing(0)).toBeUndefined();
    leaveOpen(open());
    leaveOpen(open(), request({ items: [12], part: 10 }));
    expect(open().standing(1)).toBeUndefined();
    expect(open().standing(12)).toEqual({ outcome: 'unknown' });
    expect(open({ runIndex: 1 }).standing(0)).toBeUndefined();
  });

  test('an item that can no longer be planned is unknown, or done with its result', () => {
    const open = execution();
    leaveOpen(open());
    expect(open().standing(0)).toEqual({ outcome: 'unknown' });
    open().done(request(), [{ id: 1 }]);
    expect(open().standing(0)).toEqual({ outcome: 'done', records: [{ id: 1 }] });
  });

  test('an item that can no longer be planned has no state if the user released it and it was rejected', () => {
    const open = execution();
    leaveOpen(open());
    const code = codeOf(open());
    leaveOpen(open(), resolving(code, 'notApplied'));
    expect(open().standing(0)).toEqual({ outcome: 'unknown' });
    open().notApplied(request());
    expect(open().standing(0)).toBeUndefined();
  });
});

describe('a share whose object another item sent', () => {
  const share = (item: number, more: Partial<PlannedRequest> = {}): PlannedRequest =>
    request({ items: [item], isSentOnce: true, whole: request(), ...more });

  test('is done with the records of that item', () => {
    const open = execution();
    const first = open();
    first.sending(share(0));
    first.done(share(0), [{ pg_id: '7' }]);
    const later = open({ parameters: { edited: true } });
    expect(later.recall(share(1))).toMatchObject({ outcome: 'done', records: [{ pg_id: '7' }], ofOther: true });
    expect(later.recall(share(1, { isSentOnce: false }))).toBeUndefined();
  });

  test('is unknown with the same code, and is sent after a person released it', () => {
    const open = execution();
    open().sending(share(0));
    const own = open({ parameters: { edited: true } }).recall(share(0));
    const later = open({ parameters: { edited: true } });
    expect(later.recall(share(1))).toEqual(own);
    const { code = '' } = own as { code?: string };
    const options = { ...request().options, resolved: new Map([[code, 'notApplied' as const]]) };
    expect([0, 1].map((item) => later.recall(share(item, { options })))).toEqual([undefined, undefined]);
  });

  test("is known although n8n's database knows of another write at its place", () => {
    const open = execution();
    const memory = open();
    memory.witnessed(share(0), 'done');
    expect(memory.witnessed(share(1), 'otherContent')).toMatchObject({ outcome: 'done', byDatabase: true });
    memory.notApplied(share(0));
    expect(open().recall(share(1))).toMatchObject({ outcome: 'unknown', witness: 'otherContent' });
  });
});

test('keeps a completed item whatever the user states', () => {
  const open = execution();
  open().done(request(), [{ id: 1 }]);
  for (const code of ['', 'undefined'])
    expect(open().recall(resolving(code, 'notApplied'))).toEqual({ outcome: 'done', records: [{ id: 1 }] });
});

describe('an item that the user edited', () => {
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
      const open = execution();
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

  test("an item that the user edited is sent only if the user releases it by the attempt's code", () => {
    const open = execution();
    open().done(request(), [{ pg_id: 'a' }]);
    const code = codeOf(open(edited), request(otherAmount));
    expect(open(edited).recall(resolving('0-wrong', 'notApplied', otherAmount))).toMatchObject({ outcome: 'edited' });
    expect(open(edited).recall(withOptions({ unknownOutcome: 'resend' }, otherAmount))).toMatchObject({
      outcome: 'edited',
    });
    leaveOpen(open(edited), resolving(code, 'notApplied', otherAmount));
    expect(open(edited).recall(resolving(code, 'notApplied', otherAmount))).toMatchObject({ outcome: 'unknown' });
  });
});

describe("the user's statement about an unknown item", () => {
  test('completes an applied item permanently', () => {
    const open = execution();
    leaveOpen(open());
    const code = codeOf(open());
    const done = {
      outcome: 'done',
      byWord: true,
      records: [{ confirmed_by_person: true, pgIdOrig: '1', amt_tran: '2' }],
    };
    expect(open().recall(resolving(code, 'applied'))).toEqual(done);
    expect(open().recall(request())).toEqual(done);
  });

  test('sends an item once that was not applied, and then invalidates its code', () => {
    const open = execution();
    leaveOpen(open());
    const code = codeOf(open());
    leaveOpen(open(), resolving(code, 'notApplied'));
    const next = open().recall(resolving(code, 'notApplied'));
    expect(next).toMatchObject({ outcome: 'unknown' });
    expect((next as { code: string }).code).not.toBe(code);
    expect(open().openTries(request())).toBe(1);
  });

  test("doesn't restore a code after the released attempt was rejected", () => {
    const open = execution();
    leaveOpen(open());
    const code = codeOf(open());
    leaveOpen(open(), resolving(code, 'notApplied'));
    open().notApplied(request());
    expect(open().openTries(request())).toBe(0);
    leaveOpen(open(), resolving(code, 'notApplied'));
    expect(open().recall(resolving(code, 'notApplied'))).toMatchObject({ outcome: 'unknown' });
  });

  test('keeps the time of the first attempt for a look-up if it was not applied', () => {
    const open = execution();
    jest.useFakeTimers({ now: 1000 });
    leaveOpen(open());
    jest.setSystemTime(2000);
    const code = codeOf(open());
    leaveOpen(open(), resolving(code, 'notApplied'));
    expect(open().sentAt(request())).toBe(1000);
    open().notApplied(request());
    expect(open().sentAt(request())).toBe(1000);
    jest.useRealTimers();
  });

  test('counts the amount once if the record is found although it was not applied', () => {
    const open = execution();
    leaveOpen(open());
    const code = codeOf(open());
    expect(open().recall(resolving(code, 'notApplied'))).toBeUndefined();
    expect(open().movedCents).toBe(0);
    open().done(request(), [{ pg_id: 'a' }]);
    expect(open().movedCents).toBe(200);
    expect(open().recall(request())).toEqual({ outcome: 'done', records: [{ pg_id: 'a' }] });
  });

  test("doesn't look up what was completed before an edit", () => {
    const open = execution();
    open().done(request(), [{ pg_id: 'a' }]);
    const code = codeOf(open(edited), request(otherAmount));
    expect(open(edited).recall(resolving(code, 'notApplied', otherAmount))).toBeUndefined();
    expect(open(edited).sentAt(request(otherAmount))).toBeUndefined();
  });

  test("doesn't apply a code to another item, run or request", () => {
    const open = execution();
    const input = [{}, {}];
    leaveOpen(open({ input }), request({ items: [0] }));
    leaveOpen(open({ input }), request({ items: [1] }));
    leaveOpen(open({ input, runIndex: 1 }), request({ items: [0] }));
    const codes = [
      codeOf(open({ input }), request({ items: [0] })),
      codeOf(open({ input }), request({ items: [1] })),
      codeOf(open({ input, runIndex: 1 }), request({ items: [0] })),
    ];
    expect(new Set(codes).size).toBe(3);
    expect(codes.map((code) => code.split('-')[0])).toEqual(['0', '1', '0']);
  });
});

describe('the option to send again', () => {
  test("doesn't repeat a step that n8n's database reports as done", () => {
    const step = withOptions(
      { unknownOutcome: 'resend' },
      { operation: { ...operation, steps: { each: [{}, {}] } } as never },
    );
    const memory = execution()();
    expect(memory.witnessed(step, 'done')).toMatchObject({ outcome: 'unknown', witness: 'done' });
    expect(memory.witnessed({ ...step, items: [1] }, 'begun')).toBeUndefined();
  });

  const again = withOptions({ unknownOutcome: 'resend' });

  test('sends an unknown item and keeps the earlier attempt unknown', () => {
    const open = execution();
    leaveOpen(open());
    leaveOpen(open(), again);
    expect(open().openTries(request())).toBe(2);
    open().done(again, [{ pg_id: 'b' }]);
    expect(open().recall(request())).toEqual({ outcome: 'done', records: [{ pg_id: 'b' }], openTries: 1 });
    expect(open().openTries(request())).toBe(1);
  });

  test('keeps the earlier attempt unknown if the new one was not applied', () => {
    const open = execution();
    leaveOpen(open());
    for (const open_ of [1, 2]) {
      leaveOpen(open(), again);
      expect(open().openTries(request())).toBe(2);
      open().notApplied(again);
      expect([open_, open().openTries(request())]).toEqual([open_, 1]);
      expect(open().recall(request())).toMatchObject({ outcome: 'unknown' });
    }
  });

  test('counts every open attempt', () => {
    const open = execution();
    leaveOpen(open());
    leaveOpen(open(), again);
    leaveOpen(open(), again);
    expect(open().openTries(request())).toBe(3);
    open().notApplied(again);
    expect(open().openTries(request())).toBe(2);
  });

  test('keeps the time of the first open attempt, so that a look-up reads far enough back', () => {
    const open = execution();
    jest.useFakeTimers({ now: 1000 });
    leaveOpen(open());
    for (const now of [2000, 3000]) {
      jest.setSystemTime(now);
      leaveOpen(open(), again);
      expect(open().sentAt(request())).toBe(1000);
    }
    open().done(again, [{ pg_id: 'b' }]);
    expect(open().sentAt(request())).toBeUndefined();
    jest.useRealTimers();
  });

  test("sending again doesn't affect completed items", () => {
    const open = execution();
    open().done(request(), [{}]);
    expect(open().recall(again)).toMatchObject({ outcome: 'done' });
  });
});

describe('another account', () => {
  test.each([
    ['secret', { digestKey: 'other' }],
    ['merchant', { merchantId: '2' }],
    ['environment', { environment: 'production' as const }],
    ['host', { baseUrl: 'https://pay.example.org/v1' }],
    ['path of the base URL', { baseUrl: 'https://pay.example.com/v2' }],
  ])('refuses items as unrecognizable after the %s changed, even if they are to be sent again', (_, changes) => {
    const open = execution();
    open().done(request(), [{}]);
    expect(open({ account: changes }).recall(withOptions({ unknownOutcome: 'resend' }))).toMatchObject({
      outcome: 'unrecognisable',
    });
    expect(open().recall(request())).toMatchObject({ outcome: 'done' });
  });

  test.each(['https://PAY.example.com/v1', 'https://pay.example.com:443/v1', 'https://pay.example.com/v1/'])(
    'treats the spelling %s of an address as the same account',
    (baseUrl) => {
      const open = execution();
      open().done(request(), [{}]);
      expect(open({ account: { baseUrl } }).recall(request())).toMatchObject({ outcome: 'done' });
    },
  );

  test('lets the user release an item that another credential sent', () => {
    const open = execution();
    const other: Try = { account: { digestKey: 'other' } };
    leaveOpen(open());
    const code = codeOf(open(other));
    leaveOpen(open(other), resolving(code, 'notApplied'));
    open(other).done(request(), [{ id: 1 }]);
    expect(open(other).recall(request())).toMatchObject({ outcome: 'done', records: [{ id: 1 }] });
    expect(open().recall(request())).toMatchObject({ outcome: 'unrecognisable' });
  });
});

describe("the total of an execution's payments", () => {
  test('counts sent items in all runs and repeated ones again, but not those that were not applied', () => {
    const open = execution();
    leaveOpen(open());
    expect(open().movedCents).toBe(200);
    leaveOpen(open({ runIndex: 1 }), request(otherAmount));
    expect(open().movedCents).toBe(500);
    open().notApplied(request());
    expect(open().movedCents).toBe(300);
    open().notApplied(request());
    expect(open().movedCents).toBe(300);
    leaveOpen(open({ runIndex: 1 }), withOptions({ unknownOutcome: 'resend' }, otherAmount));
    open({ runIndex: 1 }).end(true);
    expect(open().movedCents).toBe(600);
  });
});

test('keeps counting a completed item that the user released after an edit', () => {
  const open = execution();
  leaveOpen(open());
  leaveOpen(open(), withOptions({ unknownOutcome: 'resend' }));
  open().done(request(), [{}]);
  const code = codeOf(open(edited), request(otherAmount));
  open(edited).recall(resolving(code, 'notApplied', otherAmount));
  expect(open().movedCents).toBe(400);
});

test('excludes an attempt that the user states was not applied', () => {
  const open = execution();
  leaveOpen(open());
  leaveOpen(open(), withOptions({ unknownOutcome: 'resend' }));
  expect(open().movedCents).toBe(400);
  const unknown = codeOf(open());
  open().recall(resolving(unknown, 'notApplied'));
  expect(open().movedCents).toBe(0);
  leaveOpen(open());
  open().done(request(), [{}]);
  const code = codeOf(open(edited), request(otherAmount));
  open(edited).recall(resolving(code, 'notApplied', otherAmount));
  expect(open().movedCents).toBe(200);
});

describe('data that the memory stores', () => {
  test('stored data contains nothing that was sent', () => {
    const open = execution();
    const secret = { values: { ...request().values, body: { card_number: '4111111111111111', cvv2: 98765 } } };
    open({ parameters: { card_number: '4111111111111111' } }).sending(request(secret));
    open({ parameters: { card_number: '4111111111111111' } });
    expect(open.text()).not.toMatch(/4111111111111111|98765|pay\.example|"key"/);
    expect(open.text()).toContain('card_number');
  });

  test('stored data contains no secret of a result but records that it is missing', () => {
    const open = execution();
    open().done(request(), [{ id: 1, list: [{ security_key: 'S1' }], auth: { user_password: 'S2', user_name: 'u' } }]);
    expect(open().recall(request())).toEqual({
      outcome: 'done',
      records: [{ id: 1, list: [{}], auth: { user_name: 'u' } }],
      withoutSecrets: ['security_key', 'user_password'],
    });
    expect(open.text()).not.toMatch(/S1|S2/);
  });

  test("doesn't record a hidden secret as missing", () => {
    const open = execution();
    open().done(request(), [{ user_password: '***' }]);
    expect(open().recall(request())).toEqual({ outcome: 'done', records: [{ user_password: '***' }] });
  });

  test('stored data contains only IDs of records beyond eight million characters', () => {
    const open = execution();
    const big = { text: 'x'.repeat(7_999_000), invoice_id: 1 };
    open().done(request({ items: [0] }), [big]);
    open().done(request({ items: [1] }), [{ text: 'x'.repeat(1000), invoice_id: 2, rcode: '000', rmsg: 'no' }]);
    expect(open().recall(request({ items: [0] }))).toMatchObject({ records: [big] });
    expect(open().recall(request({ items: [1] }))).toMatchObject({ records: [{ invoice_id: 2, rcode: '000' }] });
    expect(open().recall(request({ items: [1] }))).not.toMatchObject({ records: [{ rmsg: 'no' }] });
  });

  test('stored data contains IDs, references and added names of the records beyond the limit', () => {
    const open = execution();
    open().done(request({ items: [0] }), [{ text: 'x'.repeat(8_000_000) }]);
    const ids = { pgId: '7', plan_code: 'P1', invoice_number: 'INV-1', archived_plan_id: 3, merchant_id: '1' };
    const adding = operationOf({ addedBySimplify: ['archived_plan_id'] });
    open().done(request({ items: [1], operation: adding }), [{ ...ids, reference_id: 'said', tran_id: 'of nobody' }]);
    expect(open().recall(request({ items: [1], operation: adding }))).toMatchObject({ records: [ids] });
    expect(open().recall(request({ items: [1], operation: adding }))).not.toMatchObject({
      records: [{ tran_id: 'of nobody' }],
    });
  });

  test('stored data contains the three latest runs of a loop', () => {
    const open = execution();
    for (const runIndex of [8, 9, 10, 11]) open({ runIndex }).done(request(), [{ runIndex }]);
    expect([8, 9, 10, 11].map((runIndex) => open({ runIndex }).recall(request()) !== undefined)).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  test('stored data contains whole records up to eight million characters', () => {
    const open = execution();
    const rest = JSON.stringify([{ text: '', invoice_id: 1 }]).length;
    const big = { text: 'x'.repeat(8_000_000 - rest), invoice_id: 1 };
    open().done(request(), [big]);
    expect(open().recall(request())).toMatchObject({ records: [big] });
  });

  test('keeps its names in every version, because waiting executions store them', () => {
    const open = execution();
    for (const count of [1, 2, 3]) {
      leaveOpen(open({ input: [{}, {}] }), request({ items: [count] }));
      if (count > 1) open({ input: [{}, {}] }).notApplied(request({ items: [count] }));
    }
    expect(open.stored()).toEqual({
      account: expect.stringMatching(/^[\w-]{16}$/) as string,
      accounts: [expect.stringMatching(/^[\w-]{16}$/)],
      moved: 200,
      runs: {
        0: {
          entries: {
            '1.0': {
              request: expect.stringMatching(/^[\w-]{16}$/) as string,
              origin: expect.stringMatching(/^[\w-]{16}$/) as string,
              fields: expect.stringMatching(/^[\w-]{9}$/) as string,
              sentAt: expect.any(Number) as number,
              cents: 200,
            },
          },
          names: ['a', 'amt_tran', 'pgIdOrig'],
          size: 0,
        },
      },
    });
  });

  test('stored data contains only the open attempt after another one was not applied', () => {
    const open = execution();
    leaveOpen(open());
    const before = open.text();
    leaveOpen(open(), withOptions({ unknownOutcome: 'resend' }));
    expect(open.text()).not.toBe(before);
    open().notApplied(request());
    expect(open.text()).toBe(before);
  });

  test('stored data contains each account once', () => {
    const open = execution();
    for (const item of [0, 1, 2])
      for (const account of [{}, { digestKey: 'other' }]) open({ account }).sending(request({ items: [item] }));
    expect(open.stored()).toMatchObject({ accounts: { length: 2 } });
  });

  test('stored data contains nothing of a complete run and everything of an incomplete one', () => {
    const open = execution();
    open().done(request(), [{}]);
    open().end(false);
    expect(open().recall(request())).toBeDefined();
    open().end(true);
    expect(open().recall(request())).toBeUndefined();
    expect(open.text()).not.toContain('entries');
  });

  test("stored data isn't changed by the end of an attempt that was never recorded", () => {
    const open = execution();
    open().notApplied(request());
    expect(open().recall(request())).toBeUndefined();
  });
});

describe('the account of the first attempt', () => {
  const other: Try = { account: { merchantId: '2' } };
  const obstacle = { outcome: 'otherAccount', code: expect.stringMatching(/^account-\w{5}$/) as string };

  test('is that of the first attempt that planned its items, even if nothing was sent', () => {
    const open = execution();
    open().withAccount();
    open(other).withAccount();
    expect(open(other).recall(request())).toEqual(obstacle);
    expect(open().recall(request())).toBeUndefined();
  });

  test('is that of the first attempt that sent', () => {
    const open = execution();
    leaveOpen(open());
    expect(open(other).recall(request({ items: [1] }))).toEqual(obstacle);
    open(other).sending(request({ items: [1] }));
    expect(open().recall(request({ items: [2] }))).toBeUndefined();
  });

  test('is unknown in a retry, because a kill loses it', () => {
    const open = execution();
    open({ mode: 'retry' }).withAccount();
    expect(open(other).recall(request())).toBeUndefined();
  });

  test('is no obstacle after the user confirmed the new one', () => {
    const open = execution();
    open().withAccount();
    const { code } = open(other).recall(request()) as { code: string };
    expect(open(other).recall(resolving(code, 'notApplied'))).toBeUndefined();
  });
});

describe('a request that items share', () => {
  const card = (id: string) => ({ values: { ...request().values, body: { cards: [{ id }] } } });
  /** Returns the shared request of two cards of item 0 and one card of item 1. */
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
  ])('gives each item its own part of the records %j', (records, expected) => {
    const [open, whole] = [execution(), shared('a', 'b', 'c')];
    open().sending(whole);
    open().done(whole, records);
    const known = sharesOf(whole).map((share) => open().recall(share));
    expect(known).toEqual(expected.map((own) => ({ outcome: 'done', records: own })));
    expect(open().recall(whole)).toBeUndefined();
  });

  test('gives the records of a request without shares to its first item', () => {
    const open = execution();
    open().done(request({ items: [0, 1] }), [{ n: 0 }, { n: 1 }]);
    expect(open().recall(request())).toEqual({ outcome: 'done', records: [{ n: 0 }, { n: 1 }] });
  });

  test('has one code for all of its objects, which no other shared request has', () => {
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

  test('is unknown for each of its objects until it was not applied', () => {
    const [open, whole] = [execution(), shared('a', 'b', 'c')];
    open().sending(whole);
    expect(open().openTries(whole)).toBe(1);
    expect(open().sentAt(whole)).toBeUndefined();
    open().notApplied(whole);
    expect(sharesOf(whole).map((share) => open().recall(share))).toEqual([undefined, undefined, undefined]);
  });

  test('moved the sum of its objects', () => {
    const open = execution();
    const whole = request();
    whole.shares = [request({ whole }), request({ whole, part: 1 })];
    expect(open().moved(whole)).toBe(0);
    open().sending(whole);
    expect(open().moved(whole)).toBe(400);
  });
});

describe('the amount that a write moved', () => {
  test('stays the same when the write is done, and is 0 after it was not applied', () => {
    const open = execution();
    expect(open().moved(request())).toBe(0);
    leaveOpen(open());
    expect(open().moved(request())).toBe(200);
    const code = codeOf(open());
    open().recall(resolving(code, 'notApplied'));
    expect(open().moved(request())).toBe(0);
    open().done(request(), [{}]);
    expect(open().moved(request())).toBe(200);
  });

  test('stays the same when the user states that the write was applied', () => {
    const open = execution();
    leaveOpen(open());
    const code = codeOf(open());
    open().recall(resolving(code, 'applied'));
    expect(open().moved(request())).toBe(200);
  });
});

test('an attempt has the number of statements and of open attempts before it', () => {
  const open = execution();
  const attempts = [open().attempt(request())];
  leaveOpen(open());
  attempts.push(open().attempt(request()));
  for (let release = 0; release < 2; release += 1) {
    const code = codeOf(open());
    expect(open().recall(resolving(code, 'notApplied'))).toBeUndefined();
    attempts.push(open().attempt(request()));
    open().sending(request());
  }
  expect(attempts).toEqual(['0.0', '0.1', '1.0', '2.0']);
});

test("a request over the limit per execution isn't sent or recorded", () => {
  const open = execution();
  const limited = (item: number) => withOptions({ limitPerExecution: 3 }, { items: [item] });
  expect(open().sending(limited(0))).toBeUndefined();
  expect(open().sending(limited(1))).toMatchObject({ outcome: 'invalid' });
  expect(open().recall(limited(1))).toBeUndefined();
  expect(open().movedCents).toBe(200);
});

describe("what n8n's database knows", () => {
  const code = expect.stringMatching(/^0-\w{5}$/) as string;
  const again = withOptions({ unknownOutcome: 'resend' });
  const stepsOf = (count: number): Partial<PlannedRequest> => ({
    operation: { ...operation, steps: { each: Array.from({ length: count }, () => ({})) } } as never,
  });

  test('completes a write that an earlier attempt did, with the references of the item', () => {
    const open = execution();
    const done = {
      outcome: 'done',
      byDatabase: true,
      records: [{ done_by_earlier_try: true, pgIdOrig: '1', amt_tran: '2' }],
    };
    expect(open().witnessed(request(), 'done')).toEqual(done);
    expect(open().recall(request())).toEqual(done);
    expect(open().movedCents).toBe(200);
  });

  test('completes the last step of an item only', () => {
    for (const [count, part, outcome] of [
      [1, 0, 'done'],
      [2, 0, 'unknown'],
      [2, 1, 'done'],
    ] as const)
      expect(execution()().witnessed(request({ ...stepsOf(count), part }), 'done')).toMatchObject({ outcome });
  });

  test('leaves a write open that was begun', () => {
    const open = execution();
    expect(open().witnessed(request(), 'begun')).toEqual({ outcome: 'unknown', code, witness: 'begun' });
    expect(open().sentAt(request())).toEqual(expect.any(Number));
    expect(open().recall(again)).toBeUndefined();
  });

  test('never lets a write be sent again that may be done', () => {
    expect(execution()().witnessed(again, 'sameContent')).toMatchObject({ outcome: 'unknown', witness: 'sameContent' });
    expect(execution()().witnessed(again, 'begun')).toBeUndefined();
  });

  test('names the code of another account', () => {
    const open = execution();
    const known = open().witnessed(request(), 'otherAccount');
    expect(known).toEqual({ outcome: 'otherAccount', code: expect.stringMatching(/^account-\w{5}$/) as string });
    expect(open().movedCents).toBe(0);
    open().withAccount();
    expect(open({ account: { merchantId: '2' } }).recall(request())).not.toEqual(known);
  });

  test('makes a write of another credential unrecognizable until the user releases it', () => {
    const open = execution();
    expect(open().witnessed(request(), 'otherCredential')).toEqual({ outcome: 'unrecognisable', code });
    expect(open().sentAt(request())).toEqual(expect.any(Number));
    expect(open().recall(again)).toEqual({ outcome: 'unrecognisable', code });
    const own = codeOf(open());
    leaveOpen(open(), resolving(own, 'notApplied'));
    expect(open().recall(request())).toEqual({ outcome: 'unknown', code });
  });
});

describe('a write that is blocked because a record can belong to its earlier attempt', () => {
  test('is unknown again and counts again after the user released it', () => {
    const open = execution();
    leaveOpen(open());
    const code = codeOf(open());
    open().recall(resolving(code, 'notApplied'));
    expect(open().movedCents).toBe(0);
    expect(open().reopen(request())).toMatchObject({ outcome: 'unknown' });
    expect(open().movedCents).toBe(200);
    expect(open().recall(request())).toMatchObject({ outcome: 'unknown' });
  });

  test('does not change otherwise', () => {
    const open = execution();
    expect(open().reopen(request())).toBeUndefined();
    leaveOpen(open());
    const before = open.text();
    expect(open().reopen(request())).toMatchObject({ outcome: 'unknown', code: codeOf(open()) });
    expect(open.text()).toBe(before);
  });
});

describe('the code of an item', () => {
  test('consists of the item and five letters and digits', () => {
    const open = execution();
    for (let item = 0; item < 50; item += 1) {
      open().sending(request({ items: [item] }));
      expect(codeOf(open(), request({ items: [item] }))).toMatch(new RegExp(`^${item}-[A-Za-z0-9]{5}$`));
    }
  });

  test('names the part of an item with several requests', () => {
    const open = execution();
    open().sending(request({ items: [10], part: 2 }));
    expect(codeOf(open(), request({ items: [10], part: 2 }))).toMatch(/^10\.2-\w{5}$/);
  });

  test('stays the same in every version, because users enter it later', () => {
    const open = execution();
    const items = [0, 3, 11].map((item) => request({ items: [item] }));
    for (const one of items) open().sending(one);
    expect(items.map((one) => codeOf(open(), one))).toEqual(['0-AAH7G', '3-rAFSG', '11-5uzVj']);
  });
});

test('names up to 200 fields of a round that an edit can change', () => {
  const fields = (value: number) =>
    request({
      values: {
        path: {},
        query: {},
        body: Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`f${index}`, value])),
        node: {},
      },
    });
  const open = execution();
  open().sending(fields(1));
  const known = open(edited).recall(fields(2));
  expect(known).toMatchObject({ outcome: 'edited', differs: { length: 200 } });
});
