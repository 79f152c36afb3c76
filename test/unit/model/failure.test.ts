import {
  isAbsent,
  isLimitedApproval,
  paymentOutcomeOf,
  readCode,
  readRcode,
  refused,
  type Failure,
} from '../../../nodes/PaymentPlatform/model/failure';

const failure: Failure = { outcome: 'invalid', message: 'm', advice: 'a' };

/** Codes by outcome (service.md#codes). */
test.each([
  ['approved', ['000', '008', '011', '0Y1', '0Y3', '8', 11, '0y1']],
  ['partlyApproved', ['010', '10', 10]],
  ['open', ['004', '085', '998', '999', 998, undefined, null, '', '0', 0, '?', {}]],
  ['declined', ['001', '005', '051', '100', 5]],
])('a payment is %s with the codes %j', (outcome, codes) => {
  for (const code of codes) expect([code, paymentOutcomeOf(code)]).toEqual([code, outcome]);
});

test.each([
  [true, ['010', '10', 10, '008', 8]],
  [false, ['000', '011', '051', '', 0, undefined, {}]],
])('an approval is limited (%j) with the codes %j', (isLimited, codes) => {
  for (const code of codes) expect([code, isLimitedApproval(code)]).toEqual([code, isLimited]);
});

test.each([
  [51, '051'],
  ['5', '005'],
  ['0y1', '0Y1'],
  [0, undefined],
  ['000', undefined],
  [1000, undefined],
  ['0Y12', undefined],
  ['a5', undefined],
  [' 51', undefined],
  [['051'], undefined],
  [{}, undefined],
])('reads the gateway code %j as %j', (rcode, text) => expect(readRcode(rcode)).toBe(text));

test.each([
  [7, 7],
  [-7, -7],
  ['7', 7],
  ['-12', -12],
  ['123456789', 123_456_789],
  [0, undefined],
  ['0', undefined],
  ['1234567890', undefined],
  ['7a', undefined],
  ['a7', undefined],
  ['', undefined],
  [7.5, undefined],
  [true, undefined],
])('reads the platform code %j as %j', (code, number) => expect(readCode(code)).toBe(number));

test('a record is absent after HTTP 404 or the code for an unknown path', () => {
  const isAbsentAfter = (more: Partial<Failure>) => isAbsent({ ...failure, ...more });
  expect([isAbsentAfter({ httpStatus: 404 }), isAbsentAfter({ httpStatus: 200, code: 7 })]).toEqual([true, true]);
  expect([isAbsentAfter({}), isAbsentAfter({ httpStatus: 400, code: 8 })]).toEqual([false, false]);
});

test('a refused request was not sent', () => expect(refused(failure)).toEqual({ ok: false, failure, isUnsent: true }));
