import type { DayBudget } from '../../../nodes/PaymentPlatform/model/day-budget';
import { spendingsOf, type Spending } from '../../../nodes/PaymentPlatform/limits/spending';

const HOURS = 60 * 60 * 1000;
const budget = () => ({}) as DayBudget;
const spending = (at: number): Spending => ({
  at,
  cents: 400,
  hasLeft: true,
  write: { among: (records) => records, matches: () => true },
});

describe('the writes of this process', () => {
  beforeEach(() => jest.useFakeTimers({ now: 100 * HOURS }));
  afterEach(() => jest.useRealTimers());

  test('the writes of this process are shared by all runs with the same budget and account', () => {
    const refunds = budget();
    const one = spending(Date.now());
    spendingsOf(refunds, 'a').add(one);
    expect(spendingsOf(refunds, 'a').all()).toEqual([one]);
  });

  test('the writes of this process are separate for each account and budget', () => {
    const [refunds, payouts] = [budget(), budget()];
    spendingsOf(refunds, 'a').add(spending(Date.now()));
    expect([spendingsOf(refunds, 'b').all(), spendingsOf(payouts, 'a').all()]).toEqual([[], []]);
    expect(spendingsOf(refunds, 'a').all()).toHaveLength(1);
  });

  test('the writes of this process are removed when they are more than 48 hours old', () => {
    const refunds = budget();
    const [old, recent] = [spending(52 * HOURS - 1), spending(52 * HOURS)];
    for (const one of [old, recent]) spendingsOf(refunds, 'a').add(one);
    expect(spendingsOf(refunds, 'a').all()).toEqual([recent]);
  });

  test('the process keeps at most 100,000 writes with a known ID, and every other write', () => {
    const refunds = budget();
    const all = Array.from({ length: 100_003 }, (_, at) => ({
      ...spending(Date.now()),
      ...(at > 0 && { id: `${at}` }),
    }));
    for (const one of all) spendingsOf(refunds, 'b').add(one);
    const ids = spendingsOf(refunds, 'b')
      .all()
      .map(({ id }) => id);
    expect([ids.length, ...ids.slice(0, 2)]).toEqual([100_000, undefined, '4']);
  });

  test('a watcher receives each change until it unsubscribes', () => {
    const book = spendingsOf(budget(), 'a');
    const seen: Array<[Spending, boolean]> = [];
    const watcher = (one: Spending) => void seen.push([{ ...one }, book.has(one)]);
    book.watch(watcher);
    const one = spending(0);
    book.add(one);
    book.change(one, { cents: 5 });
    book.delete(one);
    const changed = { ...spending(0), cents: 5, write: one.write };
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
