import { recordWrite } from '../../../nodes/PaymentPlatform/run/attempt-write';
import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import type { Answer } from '../../../nodes/PaymentPlatform/model/failure';

type Recording = Parameters<typeof recordWrite>[0];

const request = { items: [0] } as PlannedRequest;

/** Creates keys of `known` attempts, and a memory with as many resends by the user. */
function recording(known: number, sentAnew: number, found?: Answer) {
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
  return { asked, looked, given: { keys, memory, lostAnswers, earlier: new Map() } as unknown as Recording };
}

test("asks n8n's database about each attempt that the user sent again until one is new", async () => {
  const { asked, given } = recording(2, 2);
  expect(await recordWrite(given, request)).toBeUndefined();
  expect(asked).toEqual(['0', '1', '2']);
});

test("reports an obstacle of n8n's database that the memory can't express as unknown", async () => {
  const { asked, given } = recording(Infinity, 0);
  expect(await recordWrite(given, request)).toMatchObject({ ok: false, failure: { outcome: 'unknown' } });
  expect(asked).toEqual(['0']);
});

test('looks up an attempt that the user sent again before sending, and completes it by its record', async () => {
  const found: Answer = { ok: true, record: { pg_id: 'a' } };
  const { asked, looked, given } = recording(1, 1, found);
  expect(await recordWrite(given, request)).toBe(found);
  expect(looked).toEqual([[request, undefined, 1000]]);
  expect(asked).toEqual(['0']);
});
