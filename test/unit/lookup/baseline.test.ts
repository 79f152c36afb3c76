import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { Baseline, highestOf } from '../../../nodes/PaymentPlatform/lookup/baseline';
import type { Listing } from '../../../nodes/PaymentPlatform/model/footprint';
import type { Account } from '../../../nodes/PaymentPlatform/model/types';

const account = { baseUrl: 'http://127.0.0.1:1' } as Account;
const list: Listing = { path: '/platform/webhook', identity: 'webhook_id', newestBy: 'webhook_id' };
const oneRecord: Listing = { path: '/platform/subscription/1', identity: 'subscription_id' };
const isPaused = ({ status }: IDataObject) => status === 'P';

/** Responds to each request with the next entry of `replies` and records the queries. */
function service(...replies: Array<{ status?: number; data: unknown }>) {
  const asked: IDataObject[] = [];
  const context = {
    helpers: {
      httpRequestWithAuthentication: async (_: string, { qs }: { qs: IDataObject }) => {
        const { status = 200, data } = replies[Math.min(asked.push(qs), replies.length) - 1] ?? { data: [] };
        const body = JSON.stringify({ code: status === 200 ? 0 : 99, message: 'm', data });
        return await Promise.resolve({ statusCode: status, headers: {}, body });
      },
    },
  } as unknown as IExecuteFunctions;
  return { asked, before: (shown: Listing) => new Baseline({ context, account, options: { timeoutMs: 1 } }, shown) };
}

const ids = (...all: number[]) => ({ data: all.map((webhook_id) => ({ webhook_id })) });

describe('the highest ID before a write', () => {
  test('is the first ID of a list in descending order', async () => {
    const { before, asked } = service(ids(30, 20, 10));
    expect(await before(list).highest(() => false)).toBe('30');
    expect(asked).toEqual([{ order_on: 'webhook_id', order_by: 'desc', count: 10, page: 0 }]);
  });

  test('is "0" for an empty list', async () => {
    expect(
      await service(ids())
        .before(list)
        .highest(() => false),
    ).toBe('0');
  });

  test.each([
    ['an ascending list', ids(10, 20)],
    ['a list in which an ID occurs twice', ids(20, 20, 10)],
    ['a list whose IDs are no numbers', { data: [{ webhook_id: 'b' }, { webhook_id: 'a' }] }],
    ['a list in which a record has no ID', { data: [{ webhook_id: 20 }, {}] }],
  ])('is unknown for %s', async (_, reply) => {
    expect(
      await service(reply)
        .before(list)
        .highest(() => false),
    ).toEqual({
      outcome: 'declined',
      message: 'the list does not come in the order of its IDs',
      advice: '',
    });
  });

  test("is unknown with the reason if the list can't be read", async () => {
    const failure = await service({ status: 500, data: {} })
      .before(list)
      .highest(() => false);
    expect(failure).toMatchObject({
      message: expect.stringMatching(/^what was there before could not be read \(.+\)$/) as string,
    });
  });
});

describe('a record with a fixed path', () => {
  test("counts as unchanged if the record doesn't match the write yet", async () => {
    const { before, asked } = service({ data: { subscription_id: 1, status: 'A' } });
    expect(await before(oneRecord).highest(isPaused)).toBe('0');
    expect(asked).toHaveLength(1);
    expect(asked[0]).not.toHaveProperty('order_on');
  });

  test('proves nothing if the record matched before', async () => {
    const { before } = service({ data: { subscription_id: 1, status: 'P' } });
    expect(await before(oneRecord).highest(isPaused)).toEqual({
      outcome: 'declined',
      message: 'its record said the same before it was sent',
      advice: '',
    });
  });

  test('proves nothing if any record existed and only its path is known', () => {
    expect(highestOf([{}], { ...oneRecord, identity: '' }, () => true)).toEqual({
      outcome: 'declined',
      message: 'something was there before it was sent',
      advice: '',
    });
  });

  test('counts as unchanged if no record exists yet', async () => {
    expect(
      await service({ status: 404, data: {} })
        .before(oneRecord)
        .highest(() => true),
    ).toBe('0');
  });
});

describe('a record that the write removes', () => {
  const shrinking: Listing = { ...list, removesRecord: true };

  test('must be in the list before the write', () => {
    expect(highestOf([{ webhook_id: 1 }], shrinking, () => true)).toBe('0');
  });

  test("proves nothing if the list didn't contain it", () => {
    expect(highestOf([{ webhook_id: 1 }], shrinking, () => false)).toEqual({
      outcome: 'declined',
      message: 'it was not there before it was sent',
      advice: '',
    });
  });
});

describe('one reading for all requests of two minutes', () => {
  afterEach(() => jest.useRealTimers());

  test('is shared for two minutes and then renewed', async () => {
    jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const { before, asked } = service(ids(10), ids(20));
    const reading = before(list);
    expect(await reading.highest(() => false)).toBe('10');
    jest.setSystemTime(119_999);
    expect(await reading.highest(() => false)).toBe('10');
    expect(asked).toHaveLength(1);
    jest.setSystemTime(120_000);
    expect(await reading.highest(() => false)).toBe('20');
    expect(asked).toHaveLength(2);
  });
});
