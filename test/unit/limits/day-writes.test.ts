import type { DayRecords } from '../../../nodes/PaymentPlatform/model/day-records';
import { dayWritesOf, type DayWrite } from '../../../nodes/PaymentPlatform/limits/day-writes';

const HOURS = 60 * 60 * 1000;
const dayRecords = () => ({}) as DayRecords;
const dayWrite = (at: number): DayWrite => ({
  at,
  cents: 400,
  hasLeft: true,
  write: { among: (records) => records, matches: () => true },
});

describe('the writes of this process', () => {
  beforeEach(() => jest.useFakeTimers({ now: 100 * HOURS }));
  afterEach(() => jest.useRealTimers());

  test('the writes of this process are shared by all runs with the same dayRecords and account', () => {
    const refunds = dayRecords();
    const one = dayWrite(Date.now());
    dayWritesOf(refunds, 'a').add(one);
    expect(dayWritesOf(refunds, 'a').all()).toEqual([one]);
  });

  test('the writes of this process are separate for each account and dayRecords', () => {
    const [refunds, payouts] = [dayRecords(), dayRecords()];
    dayWritesOf(refunds, 'a').add(dayWrite(Date.now()));
    expect([dayWritesOf(refunds, 'b').all(), dayWritesOf(payouts, 'a').all()]).toEqual([[], []]);
    expect(dayWritesOf(refunds, 'a').all()).toHaveLength(1);
  });

  test("a preview starts with the writes of this process, and its changes don't affect them", () => {
    const own = dayWritesOf(dayRecords(), 'a');
    own.add(dayWrite(0));
    const copy = own.copy();
    const [copied] = copy.all() as [DayWrite];
    copy.change(copied, { cents: 5 });
    copy.add(dayWrite(1));
    expect(copy.all().map(({ at, cents }) => [at, cents])).toEqual([
      [0, 5],
      [1, 400],
    ]);
    expect(own.all().map(({ at, cents }) => [at, cents])).toEqual([[0, 400]]);
  });

  test('the writes of this process are removed when they are more than 48 hours old', () => {
    const refunds = dayRecords();
    const [old, recent] = [dayWrite(52 * HOURS - 1), dayWrite(52 * HOURS)];
    for (const one of [old, recent]) dayWritesOf(refunds, 'a').add(one);
    expect(dayWritesOf(refunds, 'a').all()).toEqual([recent]);
  });

  test('the process keeps at most 100,000 writes with a known ID, and every other write', () => {
    const refunds = dayRecords();
    const all = Array.from({ length: 100_003 }, (_, at) => ({
      ...dayWrite(Date.now()),
      ...(at > 0 && { id: `${at}` }),
    }));
    for (const one of all) dayWritesOf(refunds, 'b').add(one);
    const ids = dayWritesOf(refunds, 'b')
      .all()
      .map(({ id }) => id);
    expect([ids.length, ...ids.slice(0, 2)]).toEqual([100_000, undefined, '4']);
  });

  test('a watcher receives each change until it unsubscribes', () => {
    const book = dayWritesOf(dayRecords(), 'a');
    const seen: Array<[DayWrite, boolean]> = [];
    const watcher = (one: DayWrite) => void seen.push([{ ...one }, book.has(one)]);
    book.watch(watcher);
    const one = dayWrite(0);
    book.add(one);
    book.change(one, { cents: 5 });
    book.delete(one);
    const changed = { ...dayWrite(0), cents: 5, write: one.write };
    const first = { ...changed, cents: 400 };
    expect(seen).toEqual([
      [first, true],
      [changed, true],
      [changed, false],
    ]);
    book.unwatch(watcher);
    book.add(one);
    expect(seen).toHaveLength(3);
  });
});
