import { isAbsent, readCode, readRcode } from '../../../nodes/PaymentPlatform/model/failure';
import { gatewayVerdict, isEnvelope, platformVerdict } from '../../../nodes/PaymentPlatform/service/decode-response';

describe('gateway codes', () => {
  test.each([
    [undefined, undefined],
    ['000', 'success'],
    ['051', 'refused'],
    [51, 'refused'],
    ['51', 'refused'],
    ['0Y1', 'refused'],
    ['abc', 'refused'],
    [999, 'refused'],
    [0, 'doubtful'],
    ['0', 'doubtful'],
    ['00', 'doubtful'],
    ['', 'doubtful'],
    ['0000', 'doubtful'],
    ['1234', 'doubtful'],
    [1234, 'doubtful'],
    [-51, 'doubtful'],
    [5.5, 'doubtful'],
    ['5_1', 'doubtful'],
    ['ab', 'doubtful'],
    ['abcd', 'doubtful'],
    [' 51', 'doubtful'],
    [null, 'doubtful'],
    [true, 'doubtful'],
    [['051'], 'doubtful'],
    [{}, 'doubtful'],
  ])('evaluates the code %j as %s', (rcode, verdict) => {
    expect(gatewayVerdict({ rcode })).toBe(verdict);
  });

  test.each([
    [5, '005'],
    ['51', '051'],
    [51, '051'],
    ['051', '051'],
    ['0y1', '0Y1'],
    ['100', '100'],
    ['000', undefined],
    ['x051', undefined],
    ['051x', undefined],
    [['051'], undefined],
  ])('reads the code %j as %s', (rcode, wanted) => {
    expect(readRcode(rcode)).toBe(wanted);
  });
});

describe('platform codes', () => {
  test.each([
    [undefined, undefined],
    [0, 'success'],
    [11, 'refused'],
    [-1, 'refused'],
    [12345678901, 'refused'],
    ['11', 'refused'],
    ['-7', 'refused'],
    ['0', 'doubtful'],
    ['00', 'doubtful'],
    ['', 'doubtful'],
    [1.5, 'doubtful'],
    ['1.5', 'doubtful'],
    ['x1', 'doubtful'],
    ['1x', 'doubtful'],
    ['1234567890', 'doubtful'],
    [null, 'doubtful'],
    [false, 'doubtful'],
    [{}, 'doubtful'],
  ])('evaluates the code %j as %s', (code, verdict) => {
    expect(platformVerdict({ code })).toBe(verdict);
  });

  test.each([
    [11, 11],
    ['011', 11],
    ['-7', -7],
    ['123456789', 123456789],
    [0, undefined],
    ['--7', undefined],
  ])('reads the code %j as %s', (code, wanted) => {
    expect(readCode(code)).toBe(wanted);
  });
});

test.each([
  [{ code: 5 }, true],
  [{ code: 5, totalPages: 1, totalRecords: 2 }, true],
  [{ code: 5, message: 'no', other: 1 }, true],
  [{ code: 5, data: {}, other: 1 }, true],
  [{ code: 5, message: 'no' }, true],
  [{ code: 5, data: {} }, true],
  [{ code: 5, other: 1 }, false],
  [{ code: 'SPRING', label: 'a' }, false],
])('recognizes %j as an envelope: %s', (body, wanted) => {
  expect(isEnvelope(body)).toBe(wanted);
});

test.each([
  [{ httpStatus: 404 }, true],
  [{ httpStatus: 200, code: 7 }, true],
  [{ httpStatus: 404, code: 7 }, true],
  [{ httpStatus: 400, code: 11 }, false],
  [{ httpStatus: 500 }, false],
  [{}, false],
])('a failure with %j means that the record is absent: %s', (given, wanted) => {
  expect(isAbsent({ outcome: 'invalid', message: 'm', advice: '', ...given })).toBe(wanted);
});
