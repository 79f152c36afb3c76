import { operationOf } from '../requests';
import { edited, execution, leaveOpen, request, withOptions } from './memory-bench';

let open: ReturnType<typeof execution>;
beforeEach(() => void (open = execution()));

describe('data that the memory stores', () => {
  test('stored data contains nothing that was sent', () => {
    const secret = { values: { ...request().values, body: { card_number: '4111111111111111', cvv2: 98765 } } };
    open({ parameters: { card_number: '4111111111111111' } }).sending(request(secret));
    open({ parameters: { card_number: '4111111111111111' } });
    expect(open.text()).not.toMatch(/4111111111111111|98765|pay\.example|"key"/);
    expect(open.text()).toContain('card_number');
  });

  test('stored data contains no secret of a result but records that it is missing', () => {
    open().done(request(), [{ id: 1, list: [{ security_key: 'S1' }], auth: { user_password: 'S2', user_name: 'u' } }]);
    expect(open().recall(request())).toEqual({
      outcome: 'done',
      records: [{ id: 1, list: [{}], auth: { user_name: 'u' } }],
      withoutSecrets: ['security_key', 'user_password'],
    });
    expect(open.text()).not.toMatch(/S1|S2/);
  });

  test('stored data records which secrets the output omitted', () => {
    open().done(request(), [{ id: 1, security_key: 'S1' }], undefined, ['user_password']);
    expect(open().recall(request())).toMatchObject({ withoutSecrets: ['security_key', 'user_password'] });
  });

  test('only the IDs of records beyond eight million characters are stored', () => {
    const big = { text: 'x'.repeat(7_999_000), invoice_id: 1 };
    open().done(request({ items: [0] }), [big]);
    open().done(request({ items: [1] }), [{ text: 'x'.repeat(1000), invoice_id: 2, rcode: '000', rmsg: 'no' }]);
    expect(open().recall(request({ items: [0] }))).toMatchObject({ records: [big] });
    expect(open().recall(request({ items: [1] }))).toMatchObject({ records: [{ invoice_id: 2, rcode: '000' }] });
    expect(open().recall(request({ items: [1] }))).not.toMatchObject({ records: [{ rmsg: 'no' }] });
  });

  test('stored data contains IDs, references and added names of the records beyond the limit', () => {
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
    for (const runIndex of [8, 9, 10, 11]) open({ runIndex }).done(request(), [{ runIndex }]);
    expect([8, 9, 10, 11].map((runIndex) => open({ runIndex }).recall(request()) !== undefined)).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  test('stored data contains whole records up to eight million characters', () => {
    const rest = JSON.stringify([{ text: '', invoice_id: 1 }]).length;
    const big = { text: 'x'.repeat(8_000_000 - rest), invoice_id: 1 };
    open().done(request(), [big]);
    expect(open().recall(request())).toMatchObject({ records: [big] });
  });

  test('keeps its names in every version, because waiting executions store them', () => {
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
              sent: { pgIdOrig: '1', amt_tran: '2' },
              payment: expect.stringMatching(/^[\w-]{16}$/) as string,
              cents: 200,
            },
          },
          names: ['a', 'amt_tran', 'pgIdOrig'],
          size: 0,
        },
      },
    });
  });

  test('stored data contains only the attempt with an unknown outcome after another attempt was not applied', () => {
    leaveOpen(open());
    const before = open.text();
    leaveOpen(open(), withOptions({ unknownOutcome: 'resend' }));
    expect(open.text()).not.toBe(before);
    open().notApplied(request());
    expect(open.text()).toBe(before);
  });

  test('stored data contains each account once', () => {
    for (const item of [0, 1, 2])
      for (const account of [{}, { digestKey: 'other' }]) open({ account }).sending(request({ items: [item] }));
    expect(open.stored()).toMatchObject({ accounts: { length: 2 } });
  });

  test('a complete run stores nothing, and an incomplete run stores all writes', () => {
    open().done(request(), [{}]);
    open().end(false);
    expect(open().recall(request())).toBeDefined();
    open().end(true);
    expect(open().recall(request())).toBeUndefined();
    expect(open.text()).not.toContain('entries');
  });

  test("stored data isn't changed by the end of an attempt that was never recorded", () => {
    open().notApplied(request());
    expect(open().recall(request())).toBeUndefined();
  });
});

test('stores up to 200 field names per loop iteration to detect edits', () => {
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
