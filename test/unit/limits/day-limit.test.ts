import { nextWrite, overDayFailure } from '../../../nodes/PaymentPlatform/limits/day-limit';
import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import type { Remembered, WriteMemory } from '../../../nodes/PaymentPlatform/model/write-memory';
import { requestOf } from '../fake-run';
import { operationOf } from '../requests';

const remembering = (known?: Remembered) => ({ recall: () => known }) as unknown as WriteMemory;

test('the next write of an item is the first write without a result', () => {
  const steps = { sends: [], each: [{}, {}] } as unknown as ReturnType<typeof operationOf>['steps'];
  const request = requestOf({ operation: { ...operationOf({}), steps } });
  const memory = {
    recall: ({ part }: PlannedRequest) => (part === 0 ? { outcome: 'done', records: [] } : undefined),
  } as unknown as WriteMemory;
  expect(nextWrite({ request }, memory)).toMatchObject({ part: 1 });
  expect(nextWrite({ request: requestOf({}) }, remembering())).toMatchObject({ part: 0 });
});

test('an item has no next write if it is refused, only reads, is done, or has an unknown outcome', () => {
  const failure = { outcome: 'invalid', message: 'm', advice: '' } as const;
  expect(nextWrite({ failure, item: 0 }, remembering())).toBeUndefined();
  expect(nextWrite({ request: requestOf({ effect: 'reads' }) }, remembering())).toBeUndefined();
  expect(nextWrite({ request: requestOf({}) }, remembering({ outcome: 'done', records: [] }))).toBeUndefined();
  expect(nextWrite({ request: requestOf({}) }, remembering({ outcome: 'unknown' }))).toBeUndefined();
});

test('a refusal names the limit, the total, its origin, the amount and the time zone', () => {
  expect(overDayFailure(20, 1850, 'counted by this node', 205, 'Europe/Berlin')).toEqual({
    outcome: 'invalid',
    message:
      '"Limit per Day" allows 20 per day. Today\'s total is 18.5 (counted by this node), and this request would add 2.05',
    advice:
      'The limit resets at midnight (Europe/Berlin). A person who can edit the workflow can raise the limit in the parameters of the node.',
  });
});
