import {
  codeOf,
  edited,
  execution,
  leaveOpen,
  operation,
  otherAmount,
  request,
  resolving,
  type Try,
  withOptions,
} from './memory-bench';

let open: ReturnType<typeof execution>;
beforeEach(() => void (open = execution()));

test("keeps a completed item regardless of the user's statement", () => {
  open().done(request(), [{ id: 1 }]);
  for (const code of ['', 'undefined'])
    expect(open().recall(resolving(code, 'notApplied'))).toEqual({ outcome: 'done', records: [{ id: 1 }] });
});

describe("the user's statement about an unknown item", () => {
  test('an item that the user resolves as applied is completed permanently', () => {
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

  test('an item that was not applied is sent once, and then its code is invalid', () => {
    leaveOpen(open());
    const code = codeOf(open());
    leaveOpen(open(), resolving(code, 'notApplied'));
    const next = open().recall(resolving(code, 'notApplied'));
    expect(next).toMatchObject({ outcome: 'unknown' });
    expect((next as { code: string }).code).not.toBe(code);
    expect(open().openAttempts(request())).toBe(1);
  });

  test("doesn't restore a code after the attempt that the user resolved was rejected", () => {
    leaveOpen(open());
    const code = codeOf(open());
    leaveOpen(open(), resolving(code, 'notApplied'));
    open().notApplied(request());
    expect(open().openAttempts(request())).toBe(0);
    leaveOpen(open(), resolving(code, 'notApplied'));
    expect(open().recall(resolving(code, 'notApplied'))).toMatchObject({ outcome: 'unknown' });
  });

  test('keeps the time of the first attempt for a look-up if it was not applied', () => {
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

  test('counts an amount once if the record is found although the user stated that it was not applied', () => {
    leaveOpen(open());
    const code = codeOf(open());
    expect(open().recall(resolving(code, 'notApplied'))).toBeUndefined();
    expect(open().movedCents).toBe(0);
    open().done(request(), [{ pg_id: 'a' }]);
    expect(open().movedCents).toBe(200);
    expect(open().recall(request())).toEqual({ outcome: 'done', records: [{ pg_id: 'a' }] });
  });

  test("doesn't look up items that were completed before an edit", () => {
    open().done(request(), [{ pg_id: 'a' }]);
    const code = codeOf(open(edited), request(otherAmount));
    expect(open(edited).recall(resolving(code, 'notApplied', otherAmount))).toBeUndefined();
    expect(open(edited).sentAt(request(otherAmount))).toBeUndefined();
  });

  test("doesn't apply a code to another item, run or request", () => {
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
    expect(memory.addEvidence(step, 'done')).toMatchObject({ outcome: 'unknown', evidence: 'done' });
    expect(memory.addEvidence({ ...step, items: [1] }, 'begun')).toBeUndefined();
  });

  const again = withOptions({ unknownOutcome: 'resend' });

  test('sends an unknown item and keeps the earlier attempt unknown', () => {
    leaveOpen(open());
    leaveOpen(open(), again);
    expect(open().openAttempts(request())).toBe(2);
    open().done(again, [{ pg_id: 'b' }]);
    expect(open().recall(request())).toEqual({ outcome: 'done', records: [{ pg_id: 'b' }], openAttempts: 1 });
    expect(open().openAttempts(request())).toBe(1);
  });

  test('keeps the earlier attempt unknown if the new one was not applied', () => {
    leaveOpen(open());
    for (const open_ of [1, 2]) {
      leaveOpen(open(), again);
      expect(open().openAttempts(request())).toBe(2);
      open().notApplied(again);
      expect([open_, open().openAttempts(request())]).toEqual([open_, 1]);
      expect(open().recall(request())).toMatchObject({ outcome: 'unknown' });
    }
  });

  test('counts every attempt with an unknown outcome', () => {
    leaveOpen(open());
    leaveOpen(open(), again);
    leaveOpen(open(), again);
    expect(open().openAttempts(request())).toBe(3);
    open().notApplied(again);
    expect(open().openAttempts(request())).toBe(2);
  });

  test('keeps the time of the first attempt with an unknown outcome, so that a look-up reads far enough back', () => {
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
  ])("items can't be recognized after the %s changed, even with the option to send again", (_, changes) => {
    open().done(request(), [{}]);
    expect(open({ account: changes }).recall(withOptions({ unknownOutcome: 'resend' }))).toMatchObject({
      outcome: 'unrecognisable',
    });
    expect(open().recall(request())).toMatchObject({ outcome: 'done' });
  });

  test.each(['https://PAY.example.com/v1', 'https://pay.example.com:443/v1', 'https://pay.example.com/v1/'])(
    'treats the spelling %s of an address as the same account',
    (baseUrl) => {
      open().done(request(), [{}]);
      expect(open({ account: { baseUrl } }).recall(request())).toMatchObject({ outcome: 'done' });
    },
  );

  test('lets the user resolve an item that another credential sent', () => {
    const other: Try = { account: { digestKey: 'other' } };
    leaveOpen(open());
    const code = codeOf(open(other));
    leaveOpen(open(other), resolving(code, 'notApplied'));
    open(other).done(request(), [{ id: 1 }]);
    expect(open(other).recall(request())).toMatchObject({ outcome: 'done', records: [{ id: 1 }] });
    expect(open().recall(request())).toMatchObject({ outcome: 'unrecognisable' });
  });
});

describe('the account of the first attempt', () => {
  const other: Try = { account: { merchantId: '2' } };
  const obstacle = { outcome: 'otherAccount', code: expect.stringMatching(/^account-\w{5}$/) as string };

  test('the first account is that of the first attempt that planned its items, even if nothing was sent', () => {
    open().withAccount();
    open(other).withAccount();
    expect(open(other).recall(request())).toEqual(obstacle);
    expect(open().recall(request())).toBeUndefined();
  });

  test('the first account is that of the first attempt that sent a request', () => {
    leaveOpen(open());
    expect(open(other).recall(request({ items: [1] }))).toEqual(obstacle);
    open(other).sending(request({ items: [1] }));
    expect(open().recall(request({ items: [2] }))).toBeUndefined();
  });

  test('the first account is unknown in a retry after a kill', () => {
    open({ mode: 'retry' }).withAccount();
    expect(open(other).recall(request())).toBeUndefined();
  });

  test("the first account doesn't prevent sending after the user confirms the new account", () => {
    open().withAccount();
    const { code } = open(other).recall(request()) as { code: string };
    expect(open(other).recall(resolving(code, 'notApplied'))).toBeUndefined();
  });
});

test('the attempt number counts each unknown attempt that the user resolved, and each approval to repeat a write', () => {
  leaveOpen(open());
  leaveOpen(open(), withOptions({ unknownOutcome: 'resend' }));
  const unknown = codeOf(open());
  open().recall(resolving(unknown, 'notApplied'));
  expect(open().attempt(request())).toBe('2.0');
  open().sending(request());
  open().done(request(), [{}]);
  const code = codeOf(open(edited), request(otherAmount));
  open(edited).recall(resolving(code, 'notApplied', otherAmount));
  expect(open().attempt(request())).toBe('3.0');
});

test("the attempt number counts the user's statements and the unknown attempts before it", () => {
  const attempts = [open().attempt(request())];
  leaveOpen(open());
  attempts.push(open().attempt(request()));
  for (let release = 0; release < 2; release += 1) {
    const code = codeOf(open());
    expect(open().recall(resolving(code, 'notApplied'))).toBeUndefined();
    attempts.push(open().attempt(request()));
    open().sending(request());
  }
  expect(attempts).toEqual(['0.0', '1.0', '1.0', '2.0']);
});

test('the code of an item consists of the item number and five letters and digits', () => {
  for (let item = 0; item < 50; item += 1) {
    open().sending(request({ items: [item] }));
    expect(codeOf(open(), request({ items: [item] }))).toMatch(new RegExp(`^${item}-[A-Za-z0-9]{5}$`));
  }
});

test('the code of an item with several requests names the part', () => {
  open().sending(request({ items: [10], part: 2 }));
  expect(codeOf(open(), request({ items: [10], part: 2 }))).toMatch(/^10\.2-\w{5}$/);
});

test('the code of an item stays the same in every version, because users enter it later', () => {
  const items = [0, 3, 11].map((item) => request({ items: [item] }));
  for (const one of items) open().sending(one);
  expect(items.map((one) => codeOf(open(), one))).toEqual(['0-t0U3F', '3-xyoO8', '11-7herJ']);
});
