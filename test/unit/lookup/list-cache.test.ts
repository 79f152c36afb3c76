import { DateTime } from 'luxon';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
  earlierCutoff,
  highestOf,
  isAbove,
  isAfterCutoff,
  ListCache,
  type Cutoff,
} from '../../../nodes/PaymentPlatform/lookup/list-cache';
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
  const lists = new ListCache({ context, account, options: { timeoutMs: 1 } }, async () => await Promise.resolve());
  const before = (shown: Listing) => ({
    highest: async (matches: (record: IDataObject) => boolean) => await lists.highest(shown, matches),
  });
  return { asked, before };
}

const ids = (...all: number[]) => ({ data: all.map((webhook_id) => ({ webhook_id })) });

describe('the highest ID before a write', () => {
  test('the highest ID before a write is the first ID of a list in descending order', async () => {
    const { before, asked } = service(ids(30, 20, 10));
    expect(await before(list).highest(() => false)).toBe('30');
    expect(asked).toEqual([{ order_on: 'webhook_id', order_by: 'desc', count: 10, page: 0 }]);
  });

  test('the highest ID before a write is "0" for an empty list', async () => {
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
  ])('the highest ID before a write is unknown for %s', async (_, reply) => {
    expect(
      await service(reply)
        .before(list)
        .highest(() => false),
    ).toEqual({
      outcome: 'declined',
      message: 'the list is not sorted by ID',
      advice: '',
    });
  });

  test("the highest ID before a write is unknown with the reason if the list can't be read", async () => {
    const failure = await service({ status: 500, data: {} })
      .before(list)
      .highest(() => false);
    expect(failure).toMatchObject({
      message: expect.stringMatching(/^the earlier records could not be read \(.+\)$/) as string,
    });
  });
});

describe('a record with a fixed path', () => {
  test("a record with a fixed path counts as unchanged if the record doesn't match the write yet", async () => {
    const { before, asked } = service({ data: { subscription_id: 1, status: 'A' } });
    expect(await before(oneRecord).highest(isPaused)).toBe('0');
    expect(asked).toHaveLength(1);
    expect(asked[0]).not.toHaveProperty('order_on');
  });

  test('a record with a fixed path proves nothing if the record matched before', async () => {
    const { before } = service({ data: { subscription_id: 1, status: 'P' } });
    expect(await before(oneRecord).highest(isPaused)).toEqual({
      outcome: 'declined',
      message: 'the record already had these values before the request',
      advice: '',
    });
  });

  test('a record with a fixed path proves nothing if any record existed and only its path is known', () => {
    expect(highestOf([{}], { ...oneRecord, identity: '' }, () => true)).toEqual({
      outcome: 'declined',
      message: 'a record already existed before the request',
      advice: '',
    });
  });

  test('a record with a fixed path counts as unchanged if no record exists yet', async () => {
    expect(
      await service({ status: 404, data: {} })
        .before(oneRecord)
        .highest(() => true),
    ).toBe('0');
  });
});

describe('a record that the write removes', () => {
  const shrinking: Listing = { ...list, removesRecord: true };

  test('a record that the write removes must be in the list before the write', () => {
    expect(highestOf([{ webhook_id: 1 }], shrinking, () => true)).toBe('0');
  });

  test("a record that the write removes proves nothing if the list didn't contain it", () => {
    expect(highestOf([{ webhook_id: 1 }], shrinking, () => false)).toEqual({
      outcome: 'declined',
      message: 'the record did not exist before the request',
      advice: '',
    });
  });
});

describe('one reading for all requests of two minutes', () => {
  afterEach(() => jest.useRealTimers());

  test('a reading of the state is shared for two minutes and then renewed', async () => {
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

const at = (time: string) => DateTime.fromISO(time, { zone: 'utc' });
const byId = { path: '/list', identity: 'id', newestBy: 'id' };
const timed = { list: byId, time: ({ made }: { made?: unknown }) => (typeof made === 'string' ? at(made) : undefined) };

test.each<[string, string, boolean]>([
  ['10', '9', true],
  ['9', '10', false],
  ['9', '9', false],
  ['426351789012000002', '426351789012000001', true],
  ['010', '9', true],
  ['A2', 'A1', false],
  ['', '0', false],
])('ID %s is above %s as a number, whatever its length: %s', (id, other, expected) =>
  expect(isAbove(id, other)).toBe(expected),
);

test('decides by the time of a record if it has one', () => {
  const since: Cutoff = { at: at('2030-01-01T10:00'), above: '5' };
  expect(isAfterCutoff({ id: 1, made: '2030-01-01T10:00' }, timed, since)).toBe(true);
  expect(isAfterCutoff({ id: 9, made: '2030-01-01T09:59' }, timed, since)).toBe(false);
  expect(isAfterCutoff({ id: 9 }, timed, since)).toBe(false);
});

test('decides by the ID of a record without a time, and otherwise not at all', () => {
  const since = (above: string | undefined): Cutoff => ({ at: at('2030-01-01T10:00'), above });
  expect(isAfterCutoff({ id: 6 }, { list: byId }, since('5'))).toBe(true);
  expect(isAfterCutoff({ id: 5 }, { list: byId }, since('5'))).toBe(false);
  expect(isAfterCutoff({ id: 6 }, { list: byId }, since(undefined))).toBe(false);
});

test('treats a record with a fixed path as new if none existed before', () => {
  const record = { list: { path: '/record', identity: '' } };
  expect(isAfterCutoff({}, record, { at: at('2030-01-01T10:00'), above: '0' })).toBe(true);
  expect(isAfterCutoff({}, record, { at: at('2030-01-01T10:00'), above: undefined })).toBe(false);
});

test('combines two cutoffs to the earlier one', () => {
  const [one, other]: Cutoff[] = [
    { at: at('2030-01-01T10:00'), above: '9' },
    { at: at('2030-01-01T09:00'), above: '10' },
  ];
  expect(one && other && earlierCutoff(one, other)).toEqual({ at: at('2030-01-01T09:00'), above: '9' });
});
