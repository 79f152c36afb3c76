import { DateTime } from 'luxon';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
  earlierCutoff,
  highestOf,
  isAbove,
  isAfterCutoff,
  isBeforeCutoff,
  ListCache,
  type Cutoff,
} from '../../../nodes/PaymentPlatform/lookup/list-cache';
import { momentsOf } from '../../../nodes/PaymentPlatform/fields/kinds/date';
import type { Listing } from '../../../nodes/PaymentPlatform/model/footprint';
import type { Account } from '../../../nodes/PaymentPlatform/model/types';

const account = { baseUrl: 'http://127.0.0.1:1' } as Account;
const list: Listing = { path: '/platform/webhook', identity: 'webhook_id', newestBy: 'webhook_id' };
const removal: Listing = { path: '/platform/payment', identity: 'webhook_id', removesRecord: true };
const oneRecord: Listing = { path: '/platform/subscription/1', identity: 'subscription_id' };
const isPaused = ({ status }: IDataObject) => status === 'P';

function service(...replies: Array<{ status?: number; data: unknown; totalRecords?: unknown }>) {
  const asked: IDataObject[] = [];
  const context = {
    helpers: {
      httpRequestWithAuthentication: async (_: string, { qs }: { qs: IDataObject }) => {
        const { status = 200, ...more } = replies[Math.min(asked.push(qs), replies.length) - 1] ?? { data: [] };
        const body = JSON.stringify({ code: status === 200 ? 0 : 99, message: 'm', ...more });
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

  test.each([
    ['a record has no ID', { data: [{ webhook_id: 20 }, {}] }],
    ['it contains a string', { data: 'x' }],
    ['it is empty but announces records', { data: [], totalRecords: '7' }],
  ])('the highest ID before a write is unknown for an unreadable list: %s', async (_, reply) => {
    for (const shown of [list, removal]) {
      const highest = await service(reply)
        .before(shown)
        .highest(() => false);
      expect(highest).toMatchObject({
        message: expect.stringMatching(/^the earlier records could not be read/) as string,
      });
    }
  });

  test('the highest ID before a removal is unknown if the list may be incomplete', async () => {
    const { before } = service({ data: [{ webhook_id: 1 }], totalRecords: 2 });
    const highest = await before(removal).highest(() => true);
    expect(highest).toMatchObject({ message: expect.stringContaining('announced 2 records but returned 1') as string });
  });

  test.each([[{ data: 'x' }], [{ data: {} }], [{ data: { records: [] } }], [{ data: [null] }]])(
    'a record with a fixed path proves nothing if the node could not read it before: %j',
    async (reply) => {
      const highest = await service(reply)
        .before(oneRecord)
        .highest(() => false);
      expect(highest).toMatchObject({ outcome: 'unknown' });
    },
  );

  test("the highest ID before a write is unknown with the reason if the list can't be read", async () => {
    const failure = await service({ status: 500, data: {} })
      .before(list)
      .highest(() => false);
    expect(failure).toMatchObject({
      message: expect.stringMatching(/^the earlier records could not be read \(.+\)$/) as string,
    });
  });
});

test("a record with a fixed path can prove a write if the record didn't match before", async () => {
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
    message: 'a record existed before the request',
    advice: '',
  });
});

test('a record with a fixed path can prove a write if no record existed before', async () => {
  expect(
    await service({ status: 404, data: {} })
      .before(oneRecord)
      .highest(() => true),
  ).toBe('0');
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

describe('one read for all requests in two minutes', () => {
  afterEach(() => jest.useRealTimers());

  test('requests use the read state for two minutes, and then the node reads it again', async () => {
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
  ['9', '00010', false],
  ['2', '001', true],
  ['001', '2', false],
  ['12x', '9', false],
  ['12', '9x', false],
  ['A', '1', false],
])('the ID %s is greater than %s as a number: %s', (id, other, expected) => expect(isAbove(id, other)).toBe(expected));

test('a record with a time is compared by its time', () => {
  const since: Cutoff = { at: at('2030-01-01T10:00'), above: '5' };
  expect(isAfterCutoff({ id: 1, made: '2030-01-01T10:00' }, timed, since)).toBe(true);
  expect(isAfterCutoff({ id: 9, made: '2030-01-01T09:59' }, timed, since)).toBe(false);
  expect(isAfterCutoff({ id: 9 }, timed, since)).toBe(false);
});

test('a record with several possible times is certainly newer or older only if all are', () => {
  const shown = { list: byId, earliest: () => at('2030-01-01T10:00'), time: () => at('2030-01-01T12:00') };
  const compared = ['2030-01-01T09:00', '2030-01-01T11:00', '2030-01-01T13:00'].map((time) => {
    const since = { at: at(time), above: undefined };
    return [isAfterCutoff({}, shown, since), isBeforeCutoff({}, shown, since)];
  });
  expect(compared).toEqual([
    [true, false],
    [false, false],
    [false, true],
  ]);
});

test('a record without a time is compared by its ID, if any', () => {
  const since = (above: string | undefined): Cutoff => ({ at: at('2030-01-01T10:00'), above });
  expect(isAfterCutoff({ id: 6 }, { list: byId }, since('5'))).toBe(true);
  expect(isAfterCutoff({ id: 5 }, { list: byId }, since('5'))).toBe(false);
  expect(isAfterCutoff({ id: 6 }, { list: byId }, since(undefined))).toBe(false);
});

test('a record without a time is certainly older only if its ID is readable', () => {
  const isOld = (id: unknown, above: string | undefined, list: Listing = byId) =>
    isBeforeCutoff({ id } as IDataObject, { list }, { at: at('2030-01-01T10:00'), above });
  expect([isOld(5, '5'), isOld(6, '5'), isOld('x', '5')]).toEqual([true, false, false]);
  expect([isOld('x', undefined), isOld('x', undefined, { path: '/record', identity: 'id' })]).toEqual([true, true]);
});

test('a record with a fixed path is new if none existed before', () => {
  const record = { list: { path: '/record', identity: '' } };
  expect(isAfterCutoff({}, record, { at: at('2030-01-01T10:00'), above: '0' })).toBe(true);
  expect(isAfterCutoff({}, record, { at: at('2030-01-01T10:00'), above: undefined })).toBe(false);
});

test.each<[string | undefined, string | undefined, string | undefined]>([
  ['9', '10', '9'],
  ['10', '9', '9'],
  ['9', '9', '9'],
  [undefined, '9', '9'],
  ['9', undefined, '9'],
  [undefined, undefined, undefined],
])('cutoffs after the IDs %s and %s combine to %s', (one, other, above) => {
  const moment = at('2030-01-01T10:00');
  expect(earlierCutoff({ at: moment, above: one }, { at: moment, above: other })).toEqual({ at: moment, above });
});

test('the earlier of two cutoff times applies, in any order', () => {
  const [early, late] = [at('2030-01-01T09:00'), at('2030-01-01T10:00')];
  for (const [one, other] of [
    [early, late],
    [late, early],
  ])
    expect(one && other && earlierCutoff({ at: one, above: '1' }, { at: other, above: '1' }).at).toBe(early);
});

test('the earlier of two cutoffs applies', () => {
  const [one, other]: Cutoff[] = [
    { at: at('2030-01-01T10:00'), above: '9' },
    { at: at('2030-01-01T09:00'), above: '10' },
  ];
  expect(one && other && earlierCutoff(one, other)).toEqual({ at: at('2030-01-01T09:00'), above: '9' });
});

interface Reply {
  status?: number;
  /** Defaults to a body with the records and a code that matches the status. */
  body?: IDataObject;
  totals?: IDataObject;
}

function pagedLists(count: number, recordAt: (index: number) => IDataObject, reply: Reply = {}) {
  const asked: Array<{ path: string; qs: IDataObject }> = [];
  const rested: number[] = [];
  const answer = { ...reply };
  const respond = (url: string, qs: IDataObject) => {
    asked.push({ path: new URL(url).pathname, qs });
    const { count: size = 100, page = 0 } = qs as { count?: number; page?: number };
    const from = page * size;
    const data = Array.from({ length: Math.max(0, Math.min(size, count - from)) }, (_, index) =>
      recordAt(from + index),
    );
    const short = count < size ? { totalRecords: count } : {};
    const {
      status = 200,
      totals = short,
      body = { code: status === 200 ? 0 : 99, message: 'm', data, ...totals },
    } = answer;
    return { statusCode: status, headers: {}, body: JSON.stringify(body) };
  };
  const context = {
    helpers: {
      httpRequestWithAuthentication: async (_: string, { url, qs }: { url: string; qs: IDataObject }) =>
        await Promise.resolve(respond(url, qs)),
    },
  } as unknown as IExecuteFunctions;
  const rest = async (milliseconds: number) => await Promise.resolve(rested.push(milliseconds));
  const lists = new ListCache({ context, account, options: { timeoutMs: 1 } }, rest);
  return { lists, asked, rested, answer, pages: () => asked.map(({ qs }) => qs.page) };
}

const idsOf = (reading: object) => ('records' in reading ? (reading.records as IDataObject[]).map(({ id }) => id) : []);
const below = (top: number) => (index: number) => ({ id: top - index });
const noon = at('2030-01-01T12:00');
const question = (above: string | undefined, filter: string[] = []) => ({ since: { at: noon, above }, filter });
const plain = { list: byId };

describe('the latest records of a list', () => {
  afterEach(() => jest.useRealTimers());

  test('latest records are read page by page, newest first, until a page ends before the cutoff', async () => {
    const { lists, asked, pages } = pagedLists(500, below(500));
    const reading = await lists.latest(plain, question('350', ['customer,IS,C1']));
    expect(idsOf(reading)).toEqual(Array.from({ length: 200 }, (_, index) => 500 - index));
    expect(reading).not.toHaveProperty('note');
    expect(pages()).toEqual([0, 1, 33]);
    expect(asked[0]).toEqual({
      path: '/list',
      qs: { filter: ['customer,IS,C1'], order_on: 'id', order_by: 'desc', count: 100, page: 0 },
    });
  });

  test('latest records are requested without a filter if none is given', async () => {
    const { lists, asked } = pagedLists(3, below(3));
    expect(idsOf(await lists.latest(plain, question('0')))).toEqual([3, 2, 1]);
    expect(asked.map(({ qs }) => qs)).toEqual([{ order_on: 'id', order_by: 'desc', count: 100, page: 0 }]);
  });

  test('reading latest records continues after a full page that is newer than the cutoff', async () => {
    const { lists, pages } = pagedLists(100, below(1000));
    expect(idsOf(await lists.latest(plain, question('5')))).toHaveLength(100);
    expect(pages()).toEqual([0, 1, 33]);
  });

  test('latest records are read once if the service ignores the page number', async () => {
    const { lists, pages } = pagedLists(1000, (index) => ({ id: 900 - (index % 100) }));
    expect(idsOf(await lists.latest(plain, question('5')))).toHaveLength(100);
    expect(pages()).toEqual([0, 1]);
  });

  test('reading latest records stops after 50 pages with a note that there are more', async () => {
    const { lists, pages } = pagedLists(10_000, below(20_000));
    const reading = await lists.latest(plain, question('5'));
    expect(idsOf(reading)).toHaveLength(5000);
    expect(reading).toMatchObject({ note: expect.stringContaining('so the node stopped after 50 pages') as string });
    expect(pages()).toHaveLength(50);
  });

  test('latest records are unknown if a page fails', async () => {
    const { lists } = pagedLists(3, below(3), { status: 500, body: {} });
    expect(await lists.latest(plain, question('0'))).toMatchObject({ ok: false, failure: { httpStatus: 500 } });
  });

  test('reading latest records continues after a record without a time and stops after an old record', async () => {
    const made = (index: number) => (index < 150 ? '2030-01-01T13:00' : '2030-01-01T11:00');
    const withGap = pagedLists(500, (index) => ({ id: index + 1, made: index === 99 ? undefined : made(index) }));
    expect(idsOf(await withGap.lists.latest(timed, question(undefined)))).toHaveLength(200);
    expect(withGap.pages()).toEqual([0, 1, 33]);
  });

  test.each<[string, (index: number) => string | undefined]>([
    ['in the opposite order', (index: number) => `2030-01-01T${10 + Math.floor(index / 60)}:00`],
    ['without an order', (index: number) => (index % 100 === 50 ? '2030-01-01T13:00' : '2030-01-01T11:00')],
    [
      'without an order, after a record without a time',
      (index: number) => (index % 100 === 49 ? undefined : `2030-01-01T1${index % 100 === 50 ? 3 : 1}:00`),
    ],
  ])('reading latest records does not stop at an old record of a list %s', async (_, made) => {
    const totals = { totalPages: 2, totalRecords: 200 };
    const unsorted = pagedLists(200, (index) => ({ id: index + 1, made: made(index) }), { totals });
    expect(idsOf(await unsorted.lists.latest(timed, question(undefined)))).toHaveLength(200);
    const byNumber = pagedLists(200, (index) => ({ id: index + 1 }), { totals });
    expect(idsOf(await byNumber.lists.latest(plain, question('150')))).toHaveLength(200);
  });

  test.each<[string, (index: number) => string, number]>([
    ['stops', (index) => (index === 50 ? '2030-01-01' : `2030-01-01T${index < 50 ? 13 : 11}:00`), 100],
    [
      'does not stop',
      (index) => ['2030-01-01T11:30', '2030-01-01', '2030-01-01T11:45'][index] ?? '2030-01-01T11:00',
      200,
    ],
    ['does not stop', (index) => `2029-12-${10 + Math.floor(index / 10)}`, 200],
  ])('reading latest records %s at an old record if records show only their day', async (_, made, count) => {
    const totals = { totalPages: 2, totalRecords: 200 };
    const { lists } = pagedLists(200, (index) => ({ id: index + 1, made: made(index) }), { totals });
    const momentsIn = ({ made: one }: IDataObject) => momentsOf(one, 'utc') ?? [];
    const ofDays = {
      list: byId,
      earliest: (one: IDataObject) => momentsIn(one)[0],
      time: (one: IDataObject) => momentsIn(one)[1],
    };
    expect(idsOf(await lists.latest(ofDays, question(undefined)))).toHaveLength(count);
  });

  test('latest records are read once for all waiting look-ups, since the earliest time and with the common filters', async () => {
    const { lists, asked, pages } = pagedLists(500, below(500));
    const readings = await Promise.all([
      lists.latest(plain, question('480', ['customer,IS,C1', 'status,IS,A'])),
      lists.latest(plain, question('250', ['status,IS,A', 'customer,IS,C2'])),
      lists.latest(plain, question('490', ['status,IS,A'])),
    ]);
    expect(readings.map((reading) => idsOf(reading).length)).toEqual([300, 300, 300]);
    expect(pages()).toEqual([0, 1, 2, 33, 66]);
    expect(asked[0]?.qs.filter).toEqual(['status,IS,A']);
  });

  test('latest records are read again for a later look-up, two seconds after the previous read', async () => {
    jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const { lists, asked, rested } = pagedLists(3, below(3));
    await lists.latest(plain, question('0'));
    expect(rested).toEqual([]);
    jest.setSystemTime(500);
    await lists.latest(plain, question('0'));
    expect(rested).toEqual([1500]);
    expect(asked).toHaveLength(2);
    await lists.latest({ list: { ...byId, path: '/other' } }, question('0'));
    expect(rested).toEqual([1500]);
    expect(asked.map(({ path }) => path)).toEqual(['/list', '/list', '/other']);
  });

  test('latest records are read again after a failed read', async () => {
    const { lists, answer } = pagedLists(3, below(3), { status: 500, body: {} });
    await lists.latest(plain, question('0'));
    Object.assign(answer, { status: undefined, body: undefined });
    expect(idsOf(await lists.latest(plain, question('0')))).toEqual([3, 2, 1]);
  });
});

describe('reading a record with a fixed path after a write', () => {
  const fixed = (path: string, more: Partial<Listing> = {}) => ({ list: { path, identity: 'id', ...more } });

  test('a record with a fixed path is read in one request without sorting', async () => {
    const { lists, asked } = pagedLists(1, below(7));
    expect(idsOf(await lists.latest(fixed('/platform/plan/7'), question('0')))).toEqual([7]);
    expect(asked).toEqual([{ path: '/platform/plan/7', qs: {} }]);
  });

  test('a record with a fixed path needs an envelope only below /platform/', async () => {
    const { lists } = pagedLists(1, below(7), { body: { id: 7 } });
    expect(idsOf(await lists.latest(fixed('/vault/platform/'), question('0')))).toEqual([7]);
    expect(await lists.latest(fixed('/platform/plan/7'), question('0'))).toMatchObject({ ok: false });
  });

  test('a 404 means that the record does not exist, unless the write removes it from a list', async () => {
    const { lists } = pagedLists(1, below(7), { status: 404, body: {} });
    expect(await lists.latest(fixed('/platform/plan/7'), question('0'))).toEqual({ records: [] });
    expect(await lists.latest(fixed('/platform/plans', { removesRecord: true }), question('0'))).toMatchObject({
      ok: false,
    });
  });

  test('a record that the write removes from a list is searched for on all pages', async () => {
    const { lists, pages } = pagedLists(150, below(150), { totals: { totalPages: 2, totalRecords: 150 } });
    const reading = await lists.latest(fixed('/platform/plans', { removesRecord: true }), question('0'));
    expect(idsOf(reading)).toHaveLength(150);
    expect(pages()).toEqual([0, 1, 33]);
  });
});

describe('the records that earlier attempts left', () => {
  const since = (time: string) => ({ since: { at: at(time), above: '0' }, filter: [] });

  test('records of earlier attempts are unreadable if a record has no ID', async () => {
    const { lists } = pagedLists(3, (row) => (row === 1 ? { name: 'a' } : { id: row }));
    expect(await lists.earlier(plain, since('2030-01-01T12:00'))).toMatchObject({ ok: false });
    const fixed = { list: { path: '/platform/payment', identity: 'id', removesRecord: true as const } };
    expect(await lists.earlier(fixed, since('2030-01-01T12:00'))).toMatchObject({ ok: false });
  });

  test('records of earlier attempts are read again after a minute, because an attempt may have appeared', async () => {
    jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const { lists, asked } = pagedLists(3, below(3));
    for (const [now, readings] of [
      [0, 1],
      [59_999, 1],
      [60_000, 2],
    ] as const) {
      jest.setSystemTime(now);
      await lists.earlier(plain, since('2030-01-01T12:00'));
      expect(asked).toHaveLength(readings);
    }
    jest.useRealTimers();
  });

  test('records of earlier attempts are read once for look-ups from the same or a later time', async () => {
    const { lists, asked } = pagedLists(3, below(3));
    for (const time of ['2030-01-01T12:00', '2030-01-01T12:00', '2030-01-01T13:00'])
      expect(idsOf(await lists.earlier(plain, since(time)))).toEqual([3, 2, 1]);
    expect(asked).toHaveLength(1);
    await lists.earlier(plain, since('2030-01-01T11:00'));
    expect(asked).toHaveLength(2);
    await lists.earlier({ list: { ...byId, path: '/other' } }, since('2030-01-01T12:00'));
    expect(asked).toHaveLength(3);
  });
});

describe('a whole list', () => {
  afterEach(() => jest.useRealTimers());
  const made: Listing = { path: '/platform/invoice', identity: 'id', newestBy: 'id' };
  const filter = ['customer,IS,C1'];
  const [first, second] = [at('2030-01-05T01:00'), at('2030-01-06T01:00')];

  test("a whole list is read with the item's filter if only one item needs it", async () => {
    const { lists, asked } = pagedLists(3, below(3));
    expect(idsOf(await lists.whole(made, [first], filter))).toEqual([3, 2, 1]);
    expect(idsOf(await lists.whole(made, [first], filter))).toEqual([3, 2, 1]);
    expect(asked.map(({ qs }) => qs.filter)).toEqual([filter, filter]);
  });

  test('a whole list is read once a minute for several items, from two days before the first item', async () => {
    jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const { lists, asked } = pagedLists(3, below(3));
    expect(idsOf(await lists.whole(made, [second, first], filter))).toEqual([3, 2, 1]);
    jest.setSystemTime(59_999);
    await lists.whole(made, [second, first], filter);
    expect(asked).toEqual([
      { path: '/platform/invoice', qs: { filter: ['id,GREATER,2030-01-03'], count: 100, page: 0 } },
    ]);
    jest.setSystemTime(60_000);
    await lists.whole(made, [second, first], filter);
    expect(asked).toHaveLength(2);
    await lists.whole({ ...made, path: '/platform/plan' }, [second, first], filter);
    expect(asked).toHaveLength(3);
  });

  test('a whole list is read from its beginning if an item has no start time', async () => {
    for (const moments of [
      [undefined, first],
      [first, undefined],
    ]) {
      const { lists, asked } = pagedLists(3, below(3));
      await lists.whole(made, moments, filter);
      expect(asked.map(({ qs }) => qs)).toEqual([{ count: 100, page: 0 }]);
    }
  });

  test('a whole list is read in pages for several items if it has at most as many pages as items', async () => {
    const { lists, pages } = pagedLists(150, below(150), { totals: { totalPages: 2, totalRecords: 150 } });
    expect(idsOf(await lists.whole(made, [first, second], filter))).toHaveLength(150);
    expect(pages()).toEqual([0, 0, 1, 33]);
  });

  test.each([
    ['fewer records per page than requested', { totalPages: 2, totalRecords: 5 }],
    ['fewer records than announced', { totalPages: 1, totalRecords: 5 }],
    ['fewer pages than announced', { totalPages: 2 }],
  ])('a whole list is read in pages if the service returns %s', async (_, totals) => {
    const { lists, asked } = pagedLists(3, below(3), { totals });
    expect(await lists.whole(made, [first, second], filter)).toHaveProperty('note');
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.every(({ qs }) => (qs.filter as string[])[0] === 'id,GREATER,2030-01-03')).toBe(true);
  });

  test.each([{ totalPages: 1 }, { totalRecords: 3 }])('a whole list of one page is read once: %j', async (totals) => {
    const { lists, pages } = pagedLists(3, below(3), { totals });
    expect(idsOf(await lists.whole(made, [first, second], filter))).toEqual([3, 2, 1]);
    expect(pages()).toEqual([0]);
  });

  test('a whole list is read to an empty page if the service announces no totals', async () => {
    const { lists, asked, pages } = pagedLists(3, below(3), { totals: {} });
    expect(idsOf(await lists.whole(made, [first, second], filter))).toEqual([3, 2, 1]);
    expect(pages()).toEqual([0, 0, 1]);
    expect(asked.every(({ qs }) => (qs.filter as string[])[0] === 'id,GREATER,2030-01-03')).toBe(true);
    const contradicting = pagedLists(3, below(3), { totals: { totalPages: 0, totalRecords: 0 } });
    await contradicting.lists.whole(made, [first, second], filter);
    expect(contradicting.pages()).toEqual([0, 0, 1]);
    const empty = pagedLists(0, below(0), { totals: {} });
    expect(idsOf(await empty.lists.whole(made, [first, second], filter))).toEqual([]);
    expect(empty.pages()).toEqual([0]);
  });

  test.each([{}, { totalPages: 1 }, { totalPages: 1, totalRecords: 100 }, { totalRecords: 100 }])(
    'a whole list is read to its end if the first page is full: %j',
    async (totals) => {
      const { lists, asked } = pagedLists(150, below(150), { totals });
      expect(idsOf(await lists.whole(made, [first, second], filter))).toHaveLength(150);
      expect(asked.length).toBeGreaterThan(1);
    },
  );

  test('a whole list is unreadable for all items if a record has no ID', async () => {
    const { lists, asked } = pagedLists(3, (row) => (row === 1 ? { name: 'a' } : { id: row }));
    for (const moments of [[first], [first, second]])
      expect(await lists.whole(made, moments, filter)).toMatchObject({ ok: false });
    expect(asked).toHaveLength(2);
  });

  test.each([
    ['it has more pages', { totalPages: 3, totalRecords: 250 }],
    ['the service does not state the number of pages', {}],
  ])('a whole list is read with the filter of each item if %s', async (_, totals) => {
    const { lists, asked } = pagedLists(250, below(250), { totals });
    await lists.whole(made, [first, second], filter);
    expect(asked[0]?.qs.filter).toEqual(['id,GREATER,2030-01-03']);
    expect(asked.length).toBeGreaterThan(1);
    for (const { qs } of asked.slice(1)) expect(qs.filter).toEqual(filter);
  });

  test('a whole list is unknown for all items if its first page fails', async () => {
    const { lists, asked } = pagedLists(3, below(3), { status: 500, body: {} });
    expect(await lists.whole(made, [first, second], filter)).toMatchObject({ ok: false, failure: { httpStatus: 500 } });
    expect(asked).toHaveLength(1);
  });

  test.each([
    [500, 2],
    [403, 1],
  ])('a whole list is read again after a temporary failure only: HTTP %d', async (status, readings) => {
    const { lists, asked } = pagedLists(3, below(3), { status, body: {} });
    const read = async () => await lists.whole(made, [first, second], filter);
    await Promise.all([read(), read()]);
    expect(asked).toHaveLength(1);
    await read();
    expect(asked).toHaveLength(readings);
  });
});

test('reads the newest records of each list separately', async () => {
  const { lists, asked } = pagedLists(3, below(3));
  expect(await lists.highest(byId, () => false)).toBe('3');
  expect(await lists.highest({ ...byId, path: '/other' }, () => false)).toBe('3');
  expect(asked.map(({ path }) => path)).toEqual(['/list', '/other']);
});

test('accepts one matching record of several as proof', () => {
  const some = [{ id: 1 }, { id: 2 }];
  expect(highestOf(some, { path: '/list', identity: 'id' }, ({ id }) => id === 2)).toMatchObject({
    outcome: 'declined',
  });
  expect(highestOf(some, { path: '/list', identity: 'id', removesRecord: true }, ({ id }) => id === 2)).toBe('0');
});
