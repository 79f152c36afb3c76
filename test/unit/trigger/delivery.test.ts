import { deliveryIdentity, readPayload, recordsOf } from '../../../nodes/PaymentPlatform/trigger/delivery';

test.each(['', 'x', '[]', '[{"event":"a"}]', 'null', '"text"', '42', '{"event":', '{}', '{"event":""}', '{"event":7}'])(
  'refuses the body %p as a bad request',
  (text) => {
    expect(readPayload(Buffer.from(text))).toMatchObject({ refusal: { status: 400 } });
  },
);

test('refuses a call without a readable body', () => {
  expect(readPayload(undefined)).toMatchObject({ refusal: { status: 400 } });
});

test.each([
  [98, false],
  [99, true],
  [3_000, true],
  [100_000, true],
])('refuses data that is nested %d levels deep: %s', (levels, isRefused) => {
  const body = (open: string, close: string) =>
    `{"event":"a","data":${open.repeat(levels + 1)}1${close.repeat(levels + 1)}}`;
  for (const text of [body('{"a":', '}'), body('[', ']')])
    expect('refusal' in readPayload(Buffer.from(text))).toBe(isRefused);
});

test('ignores brackets in texts when it counts levels', () => {
  const text = `${'['.repeat(500)}"${'{'.repeat(500)}\\`;
  expect(readPayload(Buffer.from(JSON.stringify({ event: 'a', text })))).toEqual({ payload: { event: 'a', text } });
});

test('accepts a payload unchanged', () => {
  const payload = { event: 'a', reason: 'b', data: { refusal: 1 } };
  expect(readPayload(Buffer.from(JSON.stringify(payload)))).toEqual({ payload });
});

describe('the identity of a delivery', () => {
  const text = '{"webhook_id":21001,"db_timestamp":"2026-01-01 00:00:00","event":"a","data":{"id":1}}';
  const identity = (body: string) => deliveryIdentity(Buffer.from(body));

  test('the identity of a delivery is equal for equal bodies, whichever webhook of the node delivers them', () => {
    expect(identity(text)).toBe(identity(text));
    expect(identity(text.replace('21001', '21002'))).toBe(identity(text));
  });

  test.each([
    ['"id":1', '"id":2'],
    ['00:00:00', '00:00:01'],
    ['"event":"a"', '"event":"b"'],
  ])('the identity of a delivery differs if %s is changed to %s', (from, to) => {
    expect(identity(text.replace(from, to))).not.toBe(identity(text));
  });

  test('the identity of a delivery ignores only the outermost webhook_id', () => {
    const nested = (id: number) => `{"data":{"webhook_id":${id}},"webhook_id":21001,"event":"webhook_suspended"}`;
    expect(identity(nested(501))).not.toBe(identity(nested(502)));
    expect(identity(nested(501))).toBe(identity(nested(501).replace('21001', '21002')));
    const inText = (id: number) => JSON.stringify({ event: `"webhook_id":${id},`, webhook_id: 1 });
    expect(identity(inText(501))).not.toBe(identity(inText(502)));
  });

  test("the identity of a delivery includes bytes that aren't UTF-8", () => {
    const named = (byte: number) =>
      Buffer.concat([Buffer.from('{"event":"a","name":"'), Buffer.from([byte]), Buffer.from('"}')]);
    expect(deliveryIdentity(named(0xe9))).not.toBe(deliveryIdentity(named(0xe8)));
  });

  test('the identity of a delivery stays the same in later versions of the node', () => {
    expect(identity(text)).toBe('KiIkHW8tFrvklfVv');
  });

  test('the identity of a delivery reveals nothing of the content', () => {
    expect(identity(text)).toMatch(/^[\w-]{16}$/);
  });
});

describe('the records of a delivery', () => {
  const records = [{ pg_id: '1' }, { pg_id: '2' }];

  test('the records of a delivery are the transactions of a status change', () => {
    expect(recordsOf({ event: 'transaction_status_updated', data: { transactions: records, note: 'x' } })).toBe(
      records,
    );
  });

  test('the records of a delivery are an array that is the only content of data', () => {
    expect(recordsOf({ event: 'new_event', data: { rows: records } })).toBe(records);
    expect(recordsOf({ event: 'new_event', data: records })).toBe(records);
  });

  test.each([
    { invoice_id: 1, line_items: records },
    { rows: [] },
    { rows: ['a'] },
    { pg_id: '1' },
    undefined,
    null,
    [],
  ])('the records of a delivery are a single record in %p', (data) => {
    expect(recordsOf({ event: 'invoice_paid', data })).toBeUndefined();
  });
});
