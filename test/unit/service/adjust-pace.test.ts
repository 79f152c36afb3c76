import type { Gate } from '../../../nodes/PaymentPlatform/service/gate';
import { adjustPace } from '../../../nodes/PaymentPlatform/service/send';
import type { Answer, Failure } from '../../../nodes/PaymentPlatform/model/failure';

function told(answer: Answer): unknown[] {
  const calls: unknown[] = [];
  const gate = {
    speedUp: () => calls.push(['speedUp']),
    slowDown: (ms?: number) => calls.push(['slowDown', ms]),
    answered: () => calls.push(['answered']),
  };
  adjustPace(gate as unknown as Gate, answer);
  return calls;
}

const failed = (more: Partial<Failure>): Answer => ({
  ok: false,
  failure: { outcome: 'declined', message: '', advice: '', ...more },
});

test('speeds up after a success', () => {
  expect(told({ ok: true, record: {} })).toEqual([['speedUp']]);
});

test.each([429, 503])('slows down after status %d for the time that the service asks for', (httpStatus) => {
  expect(told(failed({ httpStatus, retryAfterMs: 7000 }))).toEqual([['slowDown', 7000]]);
  expect(told(failed({ httpStatus, retryAfterMs: 0 }))).toEqual([['slowDown', 0]]);
  expect(told(failed({ httpStatus }))).toEqual([['slowDown', undefined]]);
});

test.each([200, 400, 402, 428, 430, 499])('counts status %d as an accepted request', (httpStatus) => {
  expect(told(failed({ httpStatus, retryAfterMs: 7000 }))).toEqual([['answered']]);
});

test.each([undefined, 500, 502, 504])('the pace ignores status %s', (httpStatus) => {
  expect(told(failed({ httpStatus }))).toEqual([]);
});
