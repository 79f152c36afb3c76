import {
  decode,
  findPartialFailure,
  findRecords,
  findRecordsOfWrite,
  readRecords,
} from '../../../nodes/PaymentPlatform/service/decode-response';
import { networkFailure } from '../../../nodes/PaymentPlatform/messages/describe-answers';
import type { DataValue } from '../../../nodes/PaymentPlatform/shared/objects';
import type { Family, PlannedRequest, RecordShape } from '../../../nodes/PaymentPlatform/model/types';

const answer = (family: Family, status: number, body: unknown, headers: Record<string, unknown> = {}) =>
  decode(family, { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
const failure = (...given: Parameters<typeof answer>) => {
  const decoded = answer(...given);
  if (decoded.ok) throw new Error('decoded as a success');
  return decoded.failure;
};

test('returns a gateway response with rcode "000" as its own record', () => {
  const record = { rcode: '000', rmsg: 'ok', pg_id: '1' };
  expect(answer('gateway', 200, record)).toEqual({ ok: true, record });
});

test.each([200, 402])('treats every other rcode as a decline with HTTP status %d', (status) => {
  expect(failure('gateway', status, { rcode: '051', rmsg: 'Insufficient funds', pg_id: '9' })).toMatchObject({
    outcome: 'declined',
    rcode: '051',
    message: 'The account has insufficient funds',
    said: 'Insufficient funds (code 051)',
    pgId: '9',
  });
});

test.each([
  ['a gateway timeout', 509, { rcode: '998', rmsg: 'Timeout' }],
  ['a gateway system error', 200, { rcode: '999', rmsg: 'Internal Error' }],
  ['a success code at an error status', 500, { rcode: '000' }],
  ['a truncated answer', 200, '{"rcode":"000","pg_'],
  ['an HTML page with status 200', 200, '<html>'],
  ['an HTML page with status 502', 502, '<html>'],
  ['an empty answer', 200, ''],
  ['JSON without an envelope', 200, {}],
  ['a redirect', 302, ''],
])('reports an unknown outcome for %s', (_, status, body) => {
  expect(failure('gateway', status, body).outcome).toBe('unknown');
});

test.each([
  ['no code', { pg_id: '1' }, 'unknown'],
  ["the gateway's code", { pg_id: '1', rcode: '000' }, undefined],
  ["the platform's code", { code: 0, data: { pg_id: '1' } }, undefined],
])('an API Request that pays succeeds only with a code: %s', (_, body, outcome) => {
  const paid = decode('any', { status: 200, headers: {}, body: JSON.stringify(body) }, { needsCode: true });
  expect(paid.ok ? undefined : paid.failure.outcome).toBe(outcome);
});

test('returns the data and totals of a platform response with code 0', () => {
  expect(answer('platform', 200, { code: 0, message: 'Success', data: [1], totalPages: 2, totalRecords: 101 })).toEqual(
    {
      ok: true,
      record: [1],
      totalPages: 2,
      totalRecords: 101,
    },
  );
});

test('removes the envelope from a platform response without a record, except for API requests', () => {
  expect(answer('platform', 200, { code: 0, message: 'Success' })).toEqual({ ok: true, record: {} });
  expect(answer('platform', 200, { code: 0, message: 'Success', email: 'sent' })).toEqual({
    ok: true,
    record: { email: 'sent' },
  });
  expect(answer('any', 200, { code: 0, message: 'Success' })).toEqual({
    ok: true,
    record: { code: 0, message: 'Success' },
  });
});

test('names the fields of a platform refusal', () => {
  const found = failure('platform', 400, {
    code: 2,
    message: 'Validation failed',
    data: { customer_id: 'is required' },
  });
  expect(found).toMatchObject({ outcome: 'declined', code: 2 });
  expect(found).toMatchObject({
    message: '"customer_id" is required',
    advice: '',
    said: 'Validation failed (code 2). "customer_id" is required',
  });
});

test('treats every other platform code as a failure, even with HTTP status 200', () => {
  expect(failure('platform', 200, { code: 11, message: 'no' }).outcome).toBe('declined');
  expect(failure('platform', 200, { code: 99, message: 'no' }).outcome).toBe('unknown');
});

test('returns a response without an envelope as the record unless it contains a code', () => {
  expect(answer('bare', 200, { type_id: 'S' })).toEqual({ ok: true, record: { type_id: 'S' } });
  expect(failure('bare', 400, { code: 2, message: 'no' }).code).toBe(2);
});

test('treats 429 as rejected unread and reads Retry-After as seconds or a date', () => {
  expect(failure('platform', 429, '', { 'retry-after': '3' })).toMatchObject({
    outcome: 'notSent',
    retryAfterMs: 3000,
  });
  const soon = failure('platform', 429, '', { 'retry-after': new Date(Date.now() + 5000).toUTCString() });
  expect(soon.retryAfterMs).toBeGreaterThan(2000);
});

test("removes card numbers, account numbers and tokens from the service's text", () => {
  const { said } = failure('gateway', 400, {
    rcode: '108',
    rmsg: 'Bad card 4111 1111 1111 1111, 5555555555554444, Basic YWJjOmRlZg==, masked 4111xxxxxxxx1111',
  });
  expect(said).not.toMatch(/4111 1111|555555|YWJj/);
  expect(said).toContain('4111xxxxxxxx1111');
});

test.each(['ENOTFOUND', 'EAI_AGAIN', 'CERT_HAS_EXPIRED'])('treats %s as proof that the request never left', (code) => {
  expect(networkFailure({ cause: { code } }).outcome).toBe('notSent');
});

test.each([
  ['ENOTFOUND', 'no host has this name'],
  ['EAI_AGAIN', 'the host name could not be resolved'],
  ['ERR_INVALID_URL', 'the URL is invalid'],
  ['CERT_HAS_EXPIRED', 'the certificate of the host is invalid'],
  ['ECONNREFUSED', 'nothing responds at this address'],
])('describes %s in plain words with the code', (code, why) => {
  const { message, advice } = networkFailure({ cause: { code, syscall: 'connect' } });
  expect(message).toBe(`The node could not reach the service, because ${why} (${code.toLowerCase()})`);
  expect(advice).toBe('Check the Base URL in the credential for typos, and check the network connection.');
});

describe.each(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'])('the system error %s', (code) => {
  const fault = (syscall?: string) => ({ cause: { code, cause: { code, syscall } } });

  test('a system error proves that the request never left if connecting failed at every address', () => {
    expect(networkFailure(fault('connect')).outcome).toBe('notSent');
    const addresses = [
      { code, syscall: 'connect' },
      { code, syscall: 'connect' },
    ];
    expect(networkFailure({ cause: { code, errors: addresses } }).outcome).toBe('notSent');
  });

  test('a system error is recognized in n8n 1, which keeps only a message', () => {
    const error = (step: string) => ({ httpCode: code, messages: [`${step} ${code} 10.0.0.1:443`, 'other words'] });
    expect(networkFailure(error('connect')).outcome).toBe('notSent');
    expect(networkFailure(error('read')).outcome).toBe('unknown');
    expect(networkFailure({ httpCode: code, messages: [] }).outcome).toBe('unknown');
  });

  test.each(['read', 'write', undefined])(
    'a system error leaves the outcome unknown on an open connection (%s)',
    (syscall) => {
      expect(networkFailure(fault(syscall)).outcome).toBe('unknown');
    },
  );
});

test.each(['ECONNRESET', 'ETIMEDOUT', 'ECONNABORTED', 'ERR_CANCELED', undefined])(
  'leaves the outcome unknown after %s',
  (code) => {
    expect(networkFailure({ cause: { code, config: { headers: { authorization: 'Basic x' } } } }).outcome).toBe(
      'unknown',
    );
  },
);

test.each(['004', '008', '010', '011', '085', '0Y1', '0Y3'])(
  "doesn't treat the issuer code %s as a decline, because money may have moved",
  (rcode) => {
    const answer = decode('gateway', {
      status: 200,
      headers: {},
      body: JSON.stringify({ rcode, rmsg: 'Approved', pg_id: 'a1' }),
    });
    expect(answer).toMatchObject({ ok: false, failure: { outcome: 'unknown', rcode, pgId: 'a1' } });
  },
);

describe('responses with more than one reading', () => {
  test('treats "code" as part of the envelope on a platform path', () => {
    expect(failure('platform', 200, { code: 5, customer: 1 })).toMatchObject({ outcome: 'declined', code: 5 });
  });

  test.each(['a0', '0a', 'SPRING', 'x5'])(
    'reads a `code` of "%s" as a field of the record on a path without an envelope',
    (code) => {
      expect(answer('bare', 200, { code, label: 'a' })).toEqual({ ok: true, record: { code, label: 'a' } });
    },
  );

  test.each(['SPRING', '00', '', 'a0'])('returns a gateway success with its own field `code` of "%s"', (code) => {
    const record = { rcode: '000', pg_id: 'a', code };
    expect(answer('gateway', 200, record)).toEqual({ ok: true, record });
  });

  test('returns a gateway success with any number in `code` if the request only reads', () => {
    const record = { rcode: '000', code: 5, balance: 1 };
    const response = { status: 200, headers: {}, body: JSON.stringify(record) };
    expect(decode('gateway', response, { reads: true })).toEqual({ ok: true, record });
  });

  test('reads a gateway refusal with a number in `code` as a refusal', () => {
    const record = { rcode: '051', rmsg: 'Insufficient funds', pg_id: 'a', code: 5 };
    expect(failure('gateway', 402, record)).toMatchObject({ outcome: 'declined', rcode: '051' });
  });

  test('returns a response with success codes of both conventions unchanged', () => {
    const record = { rcode: '000', code: 0, data: [1] };
    expect(answer('any', 200, record)).toEqual({ ok: true, record });
  });

  test("keeps a record's own field `data` without a code", () => {
    const record = { data: [1], type_id: 'S' };
    expect(answer('bare', 200, record)).toEqual({ ok: true, record });
  });
});

const NEITHER = 'The response shows neither success nor an error';

test.each<[string, Family, number, object]>([
  ['a gateway success and a platform refusal', 'any', 200, { rcode: '000', code: 5, data: {} }],
  ['a gateway success and a refusal in the same response', 'gateway', 200, { rcode: '000', code: 5 }],
  ['a gateway success with a refusal as text', 'gateway', 200, { rcode: '000', pg_id: 'a', code: '5' }],
  ['a gateway refusal and a platform success', 'any', 402, { rcode: '051', code: 0, data: {} }],
  ['a gateway code that is none', 'gateway', 200, { rcode: '0' }],
  ['a gateway code that is none beside a platform success', 'any', 200, { rcode: 0, code: 0, data: {} }],
  ['a platform code that is none', 'platform', 200, { code: '0' }],
  ['a platform code that is none beside a gateway success', 'any', 200, { rcode: '000', code: 'x', data: {} }],
  ['a gateway success at an error status', 'gateway', 500, { rcode: '000' }],
  ['a platform success at an error status', 'platform', 500, { code: 0 }],
  ['a gateway success at a redirect', 'gateway', 300, { rcode: '000' }],
  ['a gateway success at an informational status', 'gateway', 100, { rcode: '000' }],
])('reports an unknown outcome, because the response contradicts itself, for %s', (_, family, status, body) => {
  expect(failure(family, status, body)).toMatchObject({ outcome: 'unknown', message: NEITHER });
});

test.each<[string, Family, number, string]>([
  ['a success and a refusal', 'gateway', 200, '{"rcode":"051","rmsg":"no","rcode":"000","pg_id":"a"}'],
  ['two IDs', 'gateway', 200, '{"rcode":"000","pg_id":"a","pg_id":"b"}'],
  ['two equal codes', 'gateway', 402, '{"rcode":"051","rcode":"051"}'],
  ['two platform codes', 'platform', 200, '{"code":5,"message":"no","code":0,"data":{}}'],
  ['two records', 'platform', 200, '{"code":0,"data":{"id":1},"data":{"id":2}}'],
  ['two IDs of a record', 'platform', 200, '{"code":0,"data":{"id":1,"id":2}}'],
  ['a key that is written otherwise', 'bare', 200, '{"payee_id":"a","payee\\u005fid":"b"}'],
])('a response that repeats a key leaves the outcome of a write unknown: %s', (_, family, status, body) => {
  const { outcome, message } = failure(family, status, body);
  expect({ outcome, message: message.slice(0, NEITHER.length) }).toEqual({ outcome: 'unknown', message: NEITHER });
});

test.each([
  '{"code":0,"data":[{"id":1}],"data":[]}',
  '{"code":0,"totalRecords":7,"totalRecords":0,"data":[]}',
  '{"code":0,"data":[{"id":1,"id":2}]}',
  '{"code":0,"message":"m","code":7}',
])('a response that repeats a key is unreadable only if the node decides with it: %s', (body) => {
  const response = { status: 200, headers: {}, body };
  const message = expect.stringContaining('The node could not read the response') as string;
  expect(decode('platform', response, { reads: true, decides: true })).toMatchObject({ failure: { message } });
  expect(decode('platform', response, { reads: true })).not.toMatchObject({ failure: { message } });
});

describe('a number in `code` beside other fields, on a path without an envelope', () => {
  const read = (code: unknown, reads?: boolean) =>
    decode('bare', { status: 200, headers: {}, body: JSON.stringify({ code, label: 'a' }) }, { reads });

  test.each([5, '5', '00', '000'])('a number in "code" leaves the outcome of a write unknown: %p', (code) => {
    for (const reads of [undefined, false])
      expect(read(code, reads)).toMatchObject({ ok: false, failure: { outcome: 'unknown', message: NEITHER } });
  });

  test.each([5, '00'])('a number in "code" is a field of a record that was read: %p', (code) => {
    expect(read(code, true)).toEqual({ ok: true, record: { code, label: 'a' } });
  });

  test('a 0 in "code" means success', () => {
    expect(read(0)).toEqual({ ok: true, record: { code: 0, label: 'a' } });
  });
});

test('returns the data of a platform response to an API request', () => {
  expect(answer('any', 200, { code: 0, message: 'Success', data: { id: 1 } })).toEqual({ ok: true, record: { id: 1 } });
});

test('returns the record of a response that was only read', () => {
  const body = JSON.stringify({ code: 0, message: 'Success', data: [{ id: 1 }] });
  expect(decode('platform', { status: 200, headers: {}, body }, { reads: true })).toEqual({
    ok: true,
    record: [{ id: 1 }],
  });
});

test.each<[unknown, object]>([
  [null, {}],
  [' ', {}],
  [' 7 ', { totalPages: 7, totalRecords: 7 }],
  ...['many', '7.0', '1,234', -1, 2.5, [2], { n: 2 }, true, '1234567890123456'].map((total): [unknown, object] => [
    total,
    { totalPages: NaN, totalRecords: NaN },
  ]),
])('reads the total %j, which is NaN if it is unreadable', (total, totals) => {
  expect(answer('platform', 200, { code: 0, data: [], totalPages: total, totalRecords: total })).toEqual({
    ok: true,
    record: [],
    ...totals,
  });
});

describe('the records of a list', () => {
  const read = (
    record: unknown,
    shape: RecordShape = {},
    { page = 0, ...totals }: Partial<Record<'page' | 'totalPages' | 'totalRecords', number>> = {},
  ) => {
    const records = readRecords({ ok: true, record: record as DataValue, ...totals }, shape, page);
    return Array.isArray(records) ? records : records.failure.message.replace(/^.*because it contains /, '');
  };
  const id = { identity: 'id' };

  test.each<[string, unknown, RecordShape]>([
    ['a list', [{ id: 1 }, { id: 2 }], id],
    ['an empty list', [], id],
    ['a list with a record without an ID', [{ id: 1 }, { name: 'a' }, {}], id],
    ['a list without IDs', [{ name: 'a' }], {}],
  ])('can be %s', (_, record, shape) => {
    expect(read(record, shape)).toEqual(record);
  });

  test.each<[string, unknown, RecordShape]>([
    ['its ID', { id: 1 }, id],
    ['the ID 0', { id: 0 }, id],
    ['a known field', { name: 'a' }, { fields: [{ value: 'other' }, { value: 'name' }] }],
    ['any field if no field is known', { name: 'a' }, { fields: [], identity: '' }],
  ])('can be a single object with %s', (_, record, shape) => {
    expect(read(record, shape)).toEqual([record]);
  });

  test.each<[string, unknown, RecordShape, string]>([
    ['a string', 'x', id, 'a string instead of records'],
    ['a number', 5, {}, 'a number instead of records'],
    ['a boolean', true, {}, 'a boolean instead of records'],
    ['null', null, {}, 'a null value instead of records'],
    ['an empty object', {}, id, 'an empty object instead of records'],
    ['an empty object without a known field', {}, {}, 'an empty object instead of records'],
    ['an object without an ID', { rows: [] }, id, 'an object without id instead of records'],
    ['an object with an empty ID', { id: '' }, id, 'an object without id instead of records'],
    [
      'an object without a known field',
      { rows: [] },
      { fields: [{ value: 'a' }] },
      'an unknown object instead of records',
    ],
    ['an entry that is null', [{ id: 1 }, null], id, 'a null value instead of records'],
    ['an entry that is a list', [[{ id: 1 }]], id, 'a list instead of records'],
    ['an entry that is an empty list', [[]], {}, 'an empty list instead of records'],
    ['a number after a record', [{ id: 1 }, 7, null], {}, 'a number instead of records'],
  ])('cannot be %s', (_, record, shape, message) => {
    expect(read(record, shape)).toBe(message);
  });

  test.each([[[{ id: 1 }, { name: 'a' }]], [[{ id: null }]], [[{ id: 'undefined' }]], [[{ id: [1] }]]])(
    'need IDs if the node decides with them: %j',
    (record) => {
      expect(read(record, { ...id, needsIds: true })).toBe('an object without id instead of records');
      expect(read([{ id: 1 }], { ...id, needsIds: true })).toEqual([{ id: 1 }]);
    },
  );

  test('are missing if an empty first page announces records or further pages', () => {
    for (const totals of [
      { totalRecords: 1 },
      { totalPages: 2 },
      { totalRecords: 1, totalPages: 1 },
      { totalRecords: NaN },
      { totalRecords: 0, totalPages: NaN },
    ]) {
      expect(read([], id, totals)).toBe('an empty list instead of records');
      expect(read([], id, { ...totals, page: 1 })).toEqual([]);
    }
    expect(read([{ id: 1 }], id, { totalRecords: 7, totalPages: 2 })).toEqual([{ id: 1 }]);
    for (const totals of [{ totalRecords: 0 }, { totalPages: 1 }, { totalPages: 0, totalRecords: 0 }])
      expect(read([], id, totals)).toEqual([]);
  });

  test('can be nothing if the service announces 0 records', () => {
    for (const nothing of [null, {}]) {
      expect(read(nothing, id, { totalRecords: 0 })).toEqual([]);
      expect(read(nothing, id, { totalRecords: 1 })).toContain('instead of records');
    }
    expect(read('', id, { totalRecords: 0 })).toBe('a string instead of records');
    expect(read({ rows: [] }, id, { totalRecords: 0 })).toBe('an object without id instead of records');
  });

  test('are described without their content', () => {
    const failed = readRecords({ ok: true, record: '4111111111111111' }, id);
    expect(failed).toEqual({
      ok: false,
      failure: {
        outcome: 'unknown',
        message: 'The node could not read the response, because it contains a string instead of records',
        advice: 'Check the base URL in the credential, and check whether a proxy modifies responses.',
        httpStatus: 200,
      },
    });
  });
});

describe('the header Retry-After', () => {
  const asked = (header: unknown) => failure('platform', 429, '', { 'retry-after': header }).retryAfterMs;

  beforeEach(() => void jest.useFakeTimers({ now: Date.UTC(2026, 0, 1) }));
  afterEach(() => void jest.useRealTimers());

  test.each([
    ['3', 3000],
    [5, 5000],
    ['0.5', 500],
    ['-3', 0],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5000],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
  ])('reads the header %j as %d ms', (header, wanted) => {
    expect(asked(header)).toBe(wanted);
  });

  test.each([undefined, null, 'soon', ['3'], true, {}])('ignores the header %j', (header) => {
    expect(asked(header)).toBeUndefined();
  });
});

describe('a response that is nested too deeply', () => {
  const deep = '['.repeat(2000) + ']'.repeat(2000);
  const read = (body: string, reads: boolean) => decode('gateway', { status: 200, headers: {}, body }, { reads });

  test('a deeply nested response to a write is decoded without its deep values, because its codes determine the outcome', () => {
    expect(read(`{"rcode":"000","pg_id":"1","deep":${deep}}`, false)).toEqual({
      ok: true,
      record: { rcode: '000', pg_id: '1' },
    });
  });

  test.each([
    ['after a read', `{"rcode":"000","deep":${deep}}`, true],
    ['as a list', deep, false],
  ])("a response that is nested too deeply can't be read %s", (_, body, reads) => {
    expect(read(body, reads)).toMatchObject({ ok: false, failure: { outcome: 'unknown' } });
  });
});

describe('code 085 of an issuer', () => {
  const isApproved = (status: number, checksCard?: boolean) =>
    decode('gateway', { status, headers: {}, body: '{"rcode":"085"}' }, { checksCard }).ok;

  test('code 085 approves a card check only with a successful status', () => {
    expect([isApproved(200, true), isApproved(402, true), isApproved(200, false), isApproved(200)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test('code 085 is the only code besides success that approves a card check', () => {
    const reading = { checksCard: true };
    expect(decode('gateway', { status: 200, headers: {}, body: '{"rcode":"051"}' }, reading).ok).toBe(false);
    expect(decode('gateway', { status: 200, headers: {}, body: '{"rcode":"000"}' }, reading).ok).toBe(true);
  });
});

describe('the records of a response', () => {
  const success = (record: DataValue) => ({ ok: true as const, record });

  test.each<[string, DataValue, object[]]>([
    ['a record', { id: 1 }, [{ id: 1 }]],
    ['a list', [{ id: 1 }, 'text', null], [{ id: 1 }, { data: 'text' }, {}]],
    ['an empty list', [], [{}]],
    ['nothing', undefined, [{}]],
    ['null', null, [{}]],
    ['a bare value', 7, [{ data: 7 }]],
  ])('a response has at least one record: %s', (_, record, records) =>
    expect(findRecords(success(record))).toEqual(records),
  );

  test('the records of a response are read from their field', () => {
    const wrapped = { payments: [{ id: 1 }, { id: 2 }], other: 1 };
    expect(findRecords(success(wrapped), 'payments')).toEqual([{ id: 1 }, { id: 2 }]);
    expect(findRecords(success({ other: 1 }), 'payments')).toEqual([]);
  });

  test('a partial failure is found in any record with the values of the request', () => {
    const found = (partialFailure: object | undefined) =>
      findPartialFailure(
        { operation: { partialFailure }, values: { body: { amount: 2 } } } as unknown as PlannedRequest,
        {
          ...success([{ id: 1 }, { id: 2 }, { id: 3 }]),
        },
      );
    const find = ({ id }: { id: number }, { body }: { body: { amount: number } }) =>
      id < body.amount ? undefined : id;
    expect(found({ find })).toBe(2);
    expect(found({ find: () => undefined })).toBeUndefined();
    expect(found(undefined)).toBeUndefined();
    const broken = () => {
      throw new Error('broken');
    };
    expect(found({ find: broken })).toBeUndefined();
  });

  test('a write returns the record that the operation finds, or all if it finds none', () => {
    const records = [{ id: 1 }, { id: 2 }];
    const written = (made?: (all: unknown[]) => unknown, held?: string) =>
      findRecordsOfWrite(
        { operation: { made, request: { records: held } }, values: {} } as unknown as PlannedRequest,
        success(held === undefined ? records : { [held]: records }),
      );
    expect(written()).toEqual(records);
    expect(written(undefined, 'payments')).toEqual(records);
    expect(written((all) => all[1])).toEqual([{ id: 2 }]);
    const broken = () => {
      throw new Error('broken');
    };
    expect(written(broken)).toEqual(records);
  });
});
