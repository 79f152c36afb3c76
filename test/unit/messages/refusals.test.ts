import { FEWER_AT_ONCE } from '../../../nodes/PaymentPlatform/messages/describe-answers';
import { decode } from '../../../nodes/PaymentPlatform/service/decode-response';
import type { Family } from '../../../nodes/PaymentPlatform/model/types';

type Reading = Parameters<typeof decode>[2];

const decoded = (family: Family, body: object, status = 200, reading?: Reading) =>
  decode(family, { status, headers: {}, body: JSON.stringify(body) }, reading);
const outcome = (...given: Parameters<typeof decoded>) => {
  const answer = decoded(...given);
  return answer.ok ? 'done' : answer.failure.outcome;
};

const families: Family[] = ['gateway', 'platform', 'bare', 'any'];

describe.each(families)('a response in the family %s', (family) => {
  test.each([
    [{ rcode: '101', rmsg: 'no' }, '101'],
    [{ rcode: 101 }, '101'],
    [{ rcode: '051' }, '051'],
    [{ rcode: 51 }, '051'],
    [{ rcode: 5 }, '005'],
    [{ rcode: '5' }, '005'],
    [{ rcode: '0n7' }, '0N7'],
    [{ rcode: '777' }, '777'],
    [{ rcode: '101', type_id: 'S', tr_number: '021000021' }, '101'],
  ])("the gateway's response %j is a refusal", (body, rcode) => {
    expect(decoded(family, body)).toMatchObject({ ok: false, failure: { outcome: 'declined', rcode } });
  });

  test.each([
    [{ code: 4 }, 4],
    [{ code: '4' }, 4],
    [{ code: 11, message: 'no' }, 11],
    [{ code: '2', message: 'no', data: { a: 'b' } }, 2],
    [{ code: 7, data: {} }, 7],
    [{ code: -1, message: 'no' }, -1],
  ])("the platform's response %j is a refusal", (body, code) => {
    expect(decoded(family, body)).toMatchObject({ ok: false, failure: { outcome: 'declined', code } });
  });

  test.each([
    ...[0, '0', '00', '0000', '', ' 000', '000 ', null, true, false, [], {}, 0.5, -5, 1000, '1000', 'toolong', 'é'].map(
      (rcode) => ({ rcode }),
    ),
    ...['0', '00', '', null, true, false, [], {}, 0.5, 'nonsense', '1e1', '0x4'].map((code) => ({
      code,
      message: 'm',
    })),
    { rcode: '998' },
    { rcode: 999 },
    { code: 99, message: 'm' },
    { code: '99', message: 'm' },
    { rcode: '000', code: 4, message: 'm' },
    { rcode: '101', code: 0, message: 'm', data: {} },
  ])('a response with %j has an unknown outcome', (body) => {
    expect(outcome(family, body)).toBe('unknown');
  });

  test('a success code with an error status means an unknown outcome', () => {
    for (const status of [199, 300, 400, 402, 409, 429, 500, NaN])
      for (const body of [{ rcode: '000' }, { code: 0, message: 'Success', data: {} }])
        expect(outcome(family, body, status)).toBe('unknown');
  });

  test('a request rejected by rate limiting was not applied, unless the response contains an approval', () => {
    for (const body of [{ rcode: '999' }, { rcode: '101' }, { code: 99, message: 'm' }, { code: 4 }, {}])
      expect(outcome(family, body, 429)).toBe('notSent');
    for (const body of [{ rcode: '010' }, { rcode: '085' }, { rcode: '' }, { code: '0', message: 'm' }])
      expect(outcome(family, body, 429)).toBe('unknown');
  });

  test.each([408, 500, 502, 503, 504])('the status %s alone gives no advice to check the base URL', (status) => {
    expect(decode(family, { status, headers: {}, body: '' })).toMatchObject({
      failure: { outcome: 'unknown', advice: '' },
    });
  });

  test('a request that was rejected unread gets no advice about an applied request', () => {
    for (const body of [{ rcode: '999' }, { code: 99, message: 'm' }, {}])
      expect(decoded(family, body, 429)).toMatchObject({ failure: { advice: FEWER_AT_ONCE } });
    expect(decoded(family, { rcode: '010' }, 429)).toMatchObject({
      failure: { advice: expect.stringMatching(/Do not charge the full amount again/) as string },
    });
  });

  test('a refusal with a server error status means an unknown outcome', () => {
    for (const body of [{ rcode: '101' }, { code: 4, message: 'm' }])
      expect(outcome(family, body, 500)).toBe('unknown');
  });

  test('a response without a code is evaluated by its status', () => {
    const told = { 400: 'declined', 404: 'declined', 499: 'declined', 408: 'unknown', 500: 'unknown', 302: 'unknown' };
    for (const [status, expected] of Object.entries(told)) expect(outcome(family, {}, Number(status))).toBe(expected);
    for (const status of [NaN, 0, 101, 199, 600]) expect(outcome(family, {}, status)).toBe('unknown');
    expect(outcome(family, {}, 429)).toBe('notSent');
  });
});

test("doesn't accept the other family's success code", () => {
  expect(outcome('platform', { rcode: '000' })).toBe('unknown');
  expect(outcome('gateway', { code: 0, message: 'Success', data: {} })).toBe('unknown');
  expect(outcome('platform', { customer_id: 'A' })).toBe('unknown');
  expect(outcome('gateway', { pg_id: 'A' })).toBe('unknown');
});

test.each(['bare', 'any'] as const)('accepts either success code for a path without a convention (%s)', (family) => {
  expect(decoded(family, { rcode: '000', a: 1 })).toEqual({ ok: true, record: { rcode: '000', a: 1 } });
  expect(decoded(family, { code: 0, message: 'Success', data: { a: 1 } })).toEqual({ ok: true, record: { a: 1 } });
  expect(decoded(family, { code: 0, type_id: 'S' })).toMatchObject({ ok: true, record: { type_id: 'S' } });
  expect(decoded(family, { type_id: 'S' })).toEqual({ ok: true, record: { type_id: 'S' } });
});

describe.each(['bare', 'any'] as const)('a record without an envelope (%s) but with a "code" field', (family) => {
  test('a "code" of words is part of the record', () => {
    const coupon = { code: 'WELCOME', name: 'Welcome' };
    expect(decoded(family, coupon)).toEqual({ ok: true, record: coupon });
    expect(decoded(family, { code: null, name: 'Welcome' })).toMatchObject({ ok: true });
  });

  test('a "code" of digits is part of the record for a read and makes the outcome unknown for a write', () => {
    for (const code of ['4', 4, '0', '00']) {
      const coupon = { code, name: 'Welcome' };
      expect(decoded(family, coupon, 200, { reads: true })).toEqual({ ok: true, record: coupon });
      expect(outcome(family, coupon, 200, { reads: false })).toBe('unknown');
      expect(outcome(family, coupon)).toBe('unknown');
    }
  });

  test('a response with only the field "code" has an unknown outcome', () => {
    expect(outcome(family, { code: 'DENIED' })).toBe('unknown');
  });
});

test('keeps a "code" field in a gateway record', () => {
  const record = { rcode: '000', code: 'A1', pg_id: '1' };
  for (const family of ['gateway', 'any', 'bare'] as const)
    expect(decoded(family, record)).toEqual({ ok: true, record });
});

describe('the issuer code 085', () => {
  const approval = { rcode: '085', rmsg: 'Not declined', card_id: 'abc' };

  test.each(['gateway', 'any', 'bare'] as const)('the issuer code 085 approves a card check (%s)', (family) => {
    expect(decoded(family, approval, 200, { checksCard: true })).toEqual({ ok: true, record: approval });
    expect(decoded(family, { ...approval, rcode: 85 }, 200, { checksCard: true })).toMatchObject({ ok: true });
  });

  test('the issuer code 085 leaves the outcome of a payment unknown', () => {
    for (const reading of [undefined, {}, { checksCard: false }]) {
      const answer = decoded('gateway', approval, 200, reading);
      expect(answer).toMatchObject({ ok: false, failure: { outcome: 'unknown', rcode: '085' } });
      if (!answer.ok)
        expect(answer.failure.advice).toMatch(/does not show whether the customer was charged.*Do not charge again/);
    }
  });

  test('the issuer code 085 leaves the outcome unknown with an error status or a refusal', () => {
    expect(outcome('gateway', approval, 402, { checksCard: true })).toBe('unknown');
    expect(outcome('gateway', { ...approval, code: 4, message: 'm' }, 200, { checksCard: true })).toBe('unknown');
  });

  test('the issuer code 085 is the only code besides 000 that completes a card check', () => {
    for (const rcode of ['005', '010', '008', '011', '004'])
      expect(outcome('gateway', { rcode }, 200, { checksCard: true })).not.toBe('done');
  });
});
