import { afterOpenTries, refusedLater } from '../../../nodes/PaymentPlatform/messages/earlier-tries';
import { CORRECT_AND_RUN, failureDescription, headline } from '../../../nodes/PaymentPlatform/output/node-error';
import type { Failure } from '../../../nodes/PaymentPlatform/model/failure';

const refused: Failure = { outcome: 'invalid', message: '"Amount" must be a number', advice: CORRECT_AND_RUN };
const declined: Failure = { outcome: 'declined', message: 'Declined', advice: 'Ask for another payment method.' };
const textOf = (failure: Failure) => `${headline(failure)} ${failureDescription(failure)}`;

test("doesn't advise to correct an item that an earlier attempt completed", () => {
  expect(textOf(refusedLater(refused, { outcome: 'done', records: [] }))).not.toMatch(/run (the node )?again/i);
});

test('advises to correct an item that an earlier attempt completed in part', () => {
  expect(textOf(refusedLater(refused, { outcome: 'done', records: [], inPart: true }))).toContain(CORRECT_AND_RUN);
});

test.each([
  ['refused before it is sent', refusedLater(refused, { outcome: 'unknown' }), refused.advice],
  ['declined when a person has it sent again', afterOpenTries(declined), declined.advice],
])(
  'limits the advice about an item that is %s to the case that its earlier attempt was not applied',
  (_, failure, advice) => {
    const text = textOf(failure);
    expect(text).toContain(`If the earlier attempt was not applied: ${advice}`);
    expect(text).toMatch(/Look up the record before you send the request again\.$/);
    expect(text).not.toMatch(/was sent again|Nothing was sent again/);
  },
);
