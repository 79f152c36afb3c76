import { noteBeforeSending } from '../../../nodes/PaymentPlatform/lookup/note-before-sending';
import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import type { Answer } from '../../../nodes/PaymentPlatform/model/failure';

type Noting = Parameters<typeof noteBeforeSending>[0];

const request = { items: [0] } as PlannedRequest;

/** Creates keys of `known` attempts, and a memory with as many resends by the user. */
function noting(known: number, sentAnew: number, found?: Answer) {
  let tries = 0;
  const asked: string[] = [];
  const keys = {
    settle: () => undefined,
    beginKey: async () => await Promise.resolve(undefined),
    begin: async (_request: PlannedRequest, attempt: string) => {
      asked.push(attempt);
      return await Promise.resolve(asked.length <= known ? 'begun' : undefined);
    },
  };
  const memory = {
    attempt: () => String(tries),
    openTries: () => 0,
    sentAt: () => 1000,
    witnessed: () => void (tries += tries < sentAnew ? 1 : 0),
  };
  const looked: unknown[] = [];
  const lostAnswers = {
    earlier: async (...given: unknown[]) => {
      looked.push(given);
      return await Promise.resolve(found);
    },
  };
  return { asked, looked, given: { keys, memory, lostAnswers, earlier: new Map() } as unknown as Noting };
}

test('asks the journal about each attempt that the user sent again until one is new', async () => {
  const { asked, given } = noting(2, 2);
  expect(await noteBeforeSending(given, request)).toBeUndefined();
  expect(asked).toEqual(['0', '1', '2']);
});

test("reports an obstacle of the journal that the memory can't express as unknown", async () => {
  const { asked, given } = noting(Infinity, 0);
  expect(await noteBeforeSending(given, request)).toMatchObject({ ok: false, failure: { outcome: 'unknown' } });
  expect(asked).toEqual(['0']);
});

test('looks up an attempt that the user sent again before sending, and completes it by its record', async () => {
  const found: Answer = { ok: true, record: { pg_id: 'a' } };
  const { asked, looked, given } = noting(1, 1, found);
  expect(await noteBeforeSending(given, request)).toBe(found);
  expect(looked).toEqual([[request, undefined, 1000]]);
  expect(asked).toEqual(['0']);
});
