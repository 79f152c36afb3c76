import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { DayReport, readDay, today, Unshown } from '../../../nodes/PaymentPlatform/limits/day-report';
import { DayWrites, type ReportedWrite, type DayWrite } from '../../../nodes/PaymentPlatform/limits/day-writes';
import { NotStarted } from '../../../nodes/PaymentPlatform/service/gate';
import type { Account } from '../../../nodes/PaymentPlatform/model/types';
import { dayCaptures, dayCharges, dayRefunds } from '../../../nodes/PaymentPlatform/resources/transaction/day-records';
import { dayPayouts } from '../../../nodes/PaymentPlatform/resources/transaction/payout-footprint';
import { BASE_URL, fakeService, pageOf, type Asked, type Reply } from '../fake-service';

const refund = (pg_id: string, amt_tran: number | string = 4, more: IDataObject = {}): IDataObject => ({
  ...{ rec_id: pg_id, pg_id, amt_tran, request_type: 'refund', tran_status: 'C', rcode: '000' },
  ...more,
});

/** Returns June 15, 2026. */
function dayIn(zone: string) {
  jest.useFakeTimers({ now: new Date('2026-06-15T12:00:00Z') });
  const day = today(zone);
  jest.useRealTimers();
  return day;
}

describe('records that count as refunds', () => {
  const counts = (more: IDataObject) => dayRefunds.counts(refund('a', 4, more));

  test.each([
    {},
    { tran_status: 'S' },
    { tran_status: 'H' },
    { tran_status: undefined },
    { request_type: undefined },
    { request_type: 'VOID', tran_status: 'V' },
    { request_type: 'capture', tran_status: 'V' },
    { rcode: undefined },
    { rcode: '998' },
  ])('counts the record %j as a refund', (more) => expect(counts(more)).toBe(true));

  test.each([
    { request_type: 'sale' },
    { tran_status: 'D' },
    { tran_status: 'F' },
    { tran_status: 'R' },
    { tran_status: 'K' },
    { tran_status: 'V' },
    { tran_status: 'v' },
    { rcode: '005' },
    { tran_status: ' D ' },
    { request_type: 'capture', tran_status: 'A' },
    { request_type: 'capture', tran_status: 'C' },
    { request_type: 'capture', tran_status: 'S' },
    { request_type: 'capture', tran_status: 'P' },
    { request_type: 'capture', tran_status: 'N' },
  ])("doesn't count the record %j as a refund", (more) => expect(counts(more)).toBe(false));

  test.each([
    ['charges', dayCharges],
    ['captures', dayCaptures],
    ['refunds', dayRefunds],
    ['payouts', dayPayouts],
  ])('adds the fees to the amounts of %s, and refuses an unreadable fee', (_, { amount }) => {
    expect(amount({ amt_tran: 25, amt_convenience_fee: 10, amt_tran_fee: 5 })).toBe(40);
    expect(amount({ amt_tran: '-0.1', amt_convenience_fee: '-0.20', amt_tran_fee: null })).toBe(0.3);
    expect(amount({ amt_tran: 25, amt_convenience_fee: '', amt_tran_fee: undefined })).toBe(25);
    for (const unreadable of ['x', '1,5', {}, true])
      for (const fee of ['amt_convenience_fee', 'amt_tran_fee'])
        expect(amount({ amt_tran: 25, [fee]: unreadable })).toBeUndefined();
  });

  test('returns the amount without its sign', () => {
    expect([4, -4, '4.00', 'x', undefined].map((amt_tran) => dayRefunds.amount({ amt_tran }))).toEqual([
      4,
      4,
      4,
      undefined,
      undefined,
    ]);
  });
});

describe('writes missing from the report', () => {
  const day = { name: '', zone: 'utc', begins: 1000, ends: 9000 };
  const began = 5000;
  const dayWrite = (at: number, more: Partial<DayWrite> = {}): DayWrite => ({
    ...{ at, cents: 400, hasLeft: true, write: write({}) },
    ...more,
  });
  const write = (more: Partial<ReportedWrite>): ReportedWrite => ({
    ...{ among: (records) => records, matches: ({ amt_tran }) => amt_tran === 4 },
    ...more,
  });
  const bookOf = (dayWrites: DayWrite[]) => {
    const book = new DayWrites();
    for (const one of dayWrites) book.add(one);
    return book;
  };
  const reportOf = (records: IDataObject[]) => new DayReport(records, dayRefunds, began);
  const unshown = (records: IDataObject[], dayWrites: DayWrite[]) => {
    const counted = dayWrites.map((one, index) => Object.assign(one, { cents: 10 ** index }));
    const { cents, size } = new Unshown(reportOf(records), bookOf(counted), day);
    const found = counted.filter((one) => Math.floor(cents / one.cents) % 10 === 1);
    expect(found).toHaveLength(size);
    return found;
  };

  test('adds up the amounts of the records that count, exactly', () => {
    const records = [refund('a', 0.1), refund('b', '0.20'), refund('c', -0.3), refund('d', 5, { tran_status: 'D' })];
    const { cents, count } = new DayReport(records, dayRefunds, 0);
    expect([cents, count]).toEqual([60, 3]);
  });

  test("a write counts as missing from the report if its ID isn't in the report", () => {
    const [shown, other] = [dayWrite(2000, { id: 'a' }), dayWrite(2000, { id: 'b' })];
    expect(unshown([refund('a'), refund('x')], [shown, other])).toEqual([other]);
  });

  test("an earlier write without an ID isn't missing if it matches an unassigned record", () => {
    const [one, two] = [dayWrite(2000), dayWrite(2000)];
    expect(unshown([refund('a')], [one, two])).toEqual([two]);
    expect(unshown([refund('a')], [one, dayWrite(3000, { id: 'a' })])).toEqual([one]);
    for (const other of [refund('a', 5), refund('a', 4, { tran_status: 'D' })])
      expect(unshown([other], [one])).toEqual([one]);
    const unmatched = dayWrite(2000, { write: undefined });
    expect(unshown([refund('a')], [unmatched])).toEqual([unmatched]);
  });

  test('a write without an ID finds its record after records of other writes', () => {
    const [one, two, three] = [dayWrite(2000), dayWrite(2000), dayWrite(2000)];
    const records = [refund('a', 5), refund('b'), refund('c', 5), refund('d')];
    expect(unshown(records, [one, two, three])).toEqual([three]);
    expect(unshown([...records, refund('e')], [dayWrite(2000, { id: 'b' }), one, two, three])).toEqual([three]);
  });

  test('a write is matched only with records that it can have created', () => {
    const other = { write: write({ among: (records) => records.slice(1) }) };
    expect(unshown([refund('a'), refund('b', 5)], [dayWrite(2000, other)])).toHaveLength(1);
    expect(unshown([refund('a', 5), refund('b')], [dayWrite(2000, other)])).toEqual([]);
  });

  test('unsent writes and writes that were sent after the node began to read count as missing from the report', () => {
    for (const one of [dayWrite(began), dayWrite(2000, { hasLeft: false })])
      expect(unshown([refund('a')], [one])).toEqual([one]);
  });

  test('a write is matched with one record only', () => {
    const report = reportOf([refund('a'), refund('b')]);
    const [one, two] = [dayWrite(2000), dayWrite(2000)];
    expect([report.shows(one), report.shows(one), report.shows(two), report.shows(dayWrite(2000))]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  test('only writes of the same day count as missing from the report', () => {
    const all = [999, 1000, 8999, 9000].map((at) => dayWrite(at, { id: String(at) }));
    expect(unshown([], all).map(({ at }) => at)).toEqual([1000, 8999]);
  });

  test('the writes missing from the report include the writes of all runs', () => {
    const [kept, other] = [dayWrite(2000, { hasLeft: false }), dayWrite(2000, { cents: 3 })];
    const book = bookOf([kept]);
    const left = new Unshown(reportOf([refund('a')]), book, day);
    const sums = () => [left.size, left.cents];
    expect(sums()).toEqual([1, 400]);
    book.add(other);
    expect(sums()).toEqual([1, 400]);
    book.change(kept, { cents: 500, at: 6000, hasLeft: true });
    expect(sums()).toEqual([1, 500]);
    book.change(other, { id: 'b' });
    expect(sums()).toEqual([2, 503]);
    book.change(kept, { id: 'a' });
    expect(sums()).toEqual([1, 3]);
    book.delete(other);
    expect(sums()).toEqual([0, 0]);
    left.end();
    book.add(dayWrite(2000));
    expect(sums()).toEqual([0, 0]);
  });

  test('a record belongs to the write with its ID rather than to a write without an ID', () => {
    const [own, lost] = [dayWrite(2000, { hasLeft: false }), dayWrite(2000, { hasLeft: false })];
    const book = bookOf([own, lost]);
    const left = new Unshown(reportOf([refund('a')]), book, day);
    book.change(own, { id: 'a' });
    book.change(lost, { hasLeft: true });
    expect(left.size).toBe(1);
  });

  test('all records with the ID of a write belong to the write', () => {
    expect(unshown([refund('a'), refund('a')], [dayWrite(2000, { id: 'a' }), dayWrite(2000)])).toHaveLength(1);
  });

  test("a write without an ID doesn't reserve a record without an ID", () => {
    expect(unshown([refund('')], [dayWrite(2000)])).toEqual([]);
  });

  test('equal writes are matched with different records without checking a matched record again', () => {
    let reads = 0;
    const records = [1, 2, 3, 4, 5, 6].map((id) => refund(`${id}`));
    const get = (list: IDataObject[], name: string | symbol) => {
      if (/^\d+$/.test(String(name))) reads += 1;
      return Reflect.get(list, name) as unknown;
    };
    const list = new Proxy(records, { get });
    const report = reportOf(records);
    const one = write({ among: () => list });
    expect(records.map(() => report.mayHave(one))).toEqual(records.map(() => true));
    expect(reads).toBeLessThan(2 * records.length);
    reads = 0;
    expect([report.mayHave(one), report.mayHave(one)]).toEqual([false, false]);
    expect(reads).toBeLessThan(records.length);
  });

  test('a write is matched with a record that belongs to no earlier write', () => {
    const report = reportOf([refund('x', 5), refund('a'), refund('b')]);
    const five = write({ matches: ({ amt_tran }) => amt_tran === 5 });
    expect([1, 2, 3].map(() => report.mayHave(write({})))).toEqual([true, true, false]);
    expect([report.mayHave(five), report.mayHave(five)]).toEqual([true, false]);
  });

  test('assigns each record to at most one item', () => {
    const report = reportOf([refund('a')]);
    expect(report.shows(dayWrite(2000, { id: 'a' }))).toBe(true);
    expect([1, 2].map(() => report.mayHave(write({})))).toEqual([true, false]);
  });
});

describe('reading a day', () => {
  const account = { baseUrl: 'http://127.0.0.1:1' } as Account;
  const options = { maxParallelRequests: 5, timeoutMs: 1, maxTries: 1, retryTimeMs: 0 };
  const asked: IDataObject[] = [];
  const service = (body: string) =>
    ({
      getExecutionCancelSignal: () => undefined,
      helpers: {
        httpRequestWithAuthentication: async (_: string, { qs }: { qs: IDataObject }) => {
          asked.push(qs);
          return await Promise.resolve({ statusCode: 200, headers: {}, body });
        },
      },
    }) as unknown as IExecuteFunctions;
  const day = dayIn('America/Los_Angeles');
  const readBody = async (body: string, of = day) =>
    await readDay({ context: service(body), account, options }, dayRefunds, of);
  const read = async (data: IDataObject[], totalRecords = data.length, of = day) =>
    await readBody(JSON.stringify({ code: 0, message: 'Success', data, totalPages: 1, totalRecords }), of);

  test('requests more days from the service and filters the records', async () => {
    const report = await read([
      refund('a', 1, { tran_time: '2026-06-15 00:00:00' }),
      refund('b', 2, { tran_time: '2026-06-15 23:59:59' }),
      refund('c', 4, { tran_time: '2026-06-16T06:59:59.000Z' }),
      refund('d', 8, { tran_time: '2026-06-14 23:59:59' }),
      refund('e', 16, { tran_time: '2026-06-16T07:00:00.000Z' }),
      refund('f', 32, { tran_time: 'soon' }),
      refund('g', 64, { tran_date: '2026-06-15T00:00:00.000Z' }),
      refund('h', 128, { tran_date: '2026-06-14' }),
      refund('i', 256, { tran_time: '2026-06-15 12:00:00', tran_status: 'V' }),
    ]);
    // A record without a date may belong to this day, so the node counts its amount.
    expect(report).toMatchObject({ cents: (1 + 2 + 4 + 32 + 64) * 100, count: 5 });
    expect(asked.at(-1)).toMatchObject({ filter: ['tran_date,GREATER,2026-06-13'], count: 100, page: 0 });
  });

  test("counts a record that shows only its Pacific day toward each day in the workflow's time zone that may contain it", async () => {
    const ofDays = ['2026-06-13', '2026-06-14', '2026-06-15', '2026-06-16'].map((tran_time, index) =>
      refund(tran_time, 10 ** index, { tran_time }),
    );
    expect(await read(ofDays, 4, dayIn('Europe/Berlin'))).toMatchObject({ cents: 110_00, count: 2 });
    const withTimes = ['2026-06-14 14:59:59', '2026-06-14 15:00:00'].map((tran_time) =>
      refund(tran_time, 1, { tran_time }),
    );
    expect(await read(withTimes, 2, dayIn('Europe/Berlin'))).toMatchObject({ count: 1 });
  });

  test("rejects a list that isn't complete", async () => {
    expect(await read([refund('a')], 2)).toMatchObject({
      outcome: 'unknown',
      message: expect.stringMatching(/announced 2/) as string,
    });
  });

  test('rejects a response that contains two lists', async () => {
    const twice = '{"code":0,"message":"Success","data":[],"data":[],"totalRecords":0}';
    expect(await readBody(twice)).toMatchObject({ outcome: 'unknown' });
  });

  test('rejects a record without an amount', async () => {
    expect(await read([refund('a', 'x')])).toMatchObject({
      outcome: 'invalid',
      message: expect.stringMatching(/record a$/) as string,
      advice: '',
    });
  });
});

describe('a report that takes several requests', () => {
  const day = dayIn('America/Los_Angeles');
  const options = { maxParallelRequests: 20, timeoutMs: 1, maxTries: 1, retryTimeMs: 10_000 };
  const account = { baseUrl: BASE_URL } as Account;
  const page = (number: number, length = 100) => Array.from({ length }, (_, at) => refund(`${number}-${at}`, 1));
  const report = async (
    reply: (asked: Asked, number: number) => Reply | Promise<Reply>,
    more: Partial<typeof options> = {},
  ) => {
    const { context, asked } = fakeService(reply);
    return { asked, found: await readDay({ context, account, options: { ...options, ...more } }, dayRefunds, day) };
  };

  test('a report that takes several requests is read with GET requests for all pages', async () => {
    const all = page(0, 250);
    const { asked, found } = await report(({ query }) => ({
      data: pageOf(all, query),
      totalPages: 3,
      totalRecords: 250,
    }));
    expect(found).toMatchObject({ count: 250, cents: 25_000 });
    expect(new Set(asked.map(({ method, path }) => `${method} ${path}`))).toEqual(
      new Set(['GET /platform/reporting/transaction-requests']),
    );
  });

  test('rejects a record without an ID, and counts a record once that moved to another page', async () => {
    const without = refund('a', 4, { rec_id: undefined });
    expect((await report(() => ({ data: [refund('b'), without] }))).found).toMatchObject({
      message: expect.stringContaining('an object without rec_id') as string,
    });
    const all = page(0, 150);
    const { found } = await report(({ query }, nth) => {
      if (nth === 2) all.unshift(refund('new', 1));
      return { data: pageOf(all, query) };
    });
    expect(found).toMatchObject({ count: 150, cents: 15_000 });
  });

  test("returns the failure of the first page that can't be read", async () => {
    const { found } = await report(() => ({ status: 403, data: {} }));
    expect(found).toMatchObject({ httpStatus: 403 });
    expect(found).not.toHaveProperty('cents');
  });

  test('returns the failure of a response with an error code', async () => {
    expect((await report(() => ({ code: 5, data: [] }))).found).toMatchObject({ outcome: 'declined', code: 5 });
  });

  test('requests no page after a failed page', async () => {
    const { asked, found } = await report(async ({ query }) => {
      if (query.page === 0) return { data: page(0), totalPages: 30, totalRecords: 3000 };
      if (query.page !== 1) await new Promise((go) => setImmediate(go));
      return query.page === 1 ? { status: 403, data: {} } : { data: page(Number(query.page)) };
    });
    expect(found).toMatchObject({ httpStatus: 403 });
    expect(asked.length).toBeLessThan(10);
  });

  test('a report that takes several requests is read again after a temporary failure, because reading changes nothing', async () => {
    jest.useFakeTimers();
    const again = report((_, number) => (number === 1 ? { status: 500, data: {} } : { data: [refund('a')] }), {
      maxTries: 2,
    });
    await jest.advanceTimersByTimeAsync(2000);
    jest.useRealTimers();
    const { asked, found } = await again;
    expect(asked).toHaveLength(2);
    expect(found).toMatchObject({ cents: 400, count: 1 });
  });

  test.each([
    ['has been stopped', AbortSignal.abort(), 0],
    ['goes on', new AbortController().signal, 1],
  ])(
    'a report that takes several requests is read only while the run continues: the run %s',
    async (_, signal, requests) => {
      const { context, asked } = fakeService(() => ({ data: [] }), { getExecutionCancelSignal: () => signal });
      const found = await readDay({ context, account, options }, dayRefunds, day).catch((error: unknown) => error);
      expect(found instanceof NotStarted).toBe(signal.aborted);
      expect(asked).toHaveLength(requests);
    },
  );

  test('requests nothing more after the run stops', async () => {
    const stop = new AbortController();
    const reply = () => {
      stop.abort();
      return { data: page(0), totalPages: 3, totalRecords: 300 };
    };
    const { context, asked } = fakeService(reply, { getExecutionCancelSignal: () => stop.signal });
    const found = await readDay({ context, account, options }, dayRefunds, day).catch((error: unknown) => error);
    expect(found).toBeInstanceOf(NotStarted);
    expect(asked).toHaveLength(1);
  });

  test('filters the report by its last day field', async () => {
    const { context, asked } = fakeService(() => ({ data: [] }));
    const list = { ...dayRefunds.list, day: ['tran_time', 'tran_other', 'tran_date'] };
    await readDay({ context, account, options }, { ...dayRefunds, list }, day);
    expect(asked[0]?.query.filter).toEqual(['tran_date,GREATER,2026-06-13']);
  });
});

/** The clocks of Atlantic/Azores go back from 1:00 to midnight on October 25, 2026, so its first hour comes twice. */
test.each([
  ['America/Los_Angeles', '2026-03-08T20:00Z', '2026-03-08T08:00Z', '2026-03-09T07:00Z'],
  ['Atlantic/Azores', '2026-10-24T12:00Z', '2026-10-24T00:00Z', '2026-10-25T00:00Z'],
  ['Atlantic/Azores', '2026-10-25T00:30Z', '2026-10-25T00:00Z', '2026-10-26T01:00Z'],
  ['Atlantic/Azores', '2026-10-25T12:00Z', '2026-10-25T00:00Z', '2026-10-26T01:00Z'],
  ['Atlantic/Azores', '2026-03-29T12:00Z', '2026-03-29T01:00Z', '2026-03-30T00:00Z'],
])('a day in %s begins and ends at midnight (%s)', (zone, at, first, end) => {
  jest.useFakeTimers({ now: new Date(at) });
  const { name, begins, ends } = today(zone);
  jest.useRealTimers();
  expect([name, begins, ends]).toEqual([at.slice(0, 10), Date.parse(first), Date.parse(end)]);
});
