import type { DayBudget } from '../../../nodes/PaymentPlatform/model/day-budget';
import { spendingsOf, type Spending } from '../../../nodes/PaymentPlatform/limits/day-report';

const HOURS = 60 * 60 * 1000;
const budget = () => ({}) as DayBudget;
const spending = (at: number): Spending => ({ at, cents: 400, hasLeft: true, matches: () => true });

describe('the writes of this process', () => {
  beforeEach(() => jest.useFakeTimers({ now: 100 * HOURS }));
  afterEach(() => jest.useRealTimers());

  test('the writes of this process are shared by all runs with the same budget and account', () => {
    const refunds = budget();
    const one = spending(Date.now());
    spendingsOf(refunds, 'a').add(one);
    expect([...spendingsOf(refunds, 'a')]).toEqual([one]);
  });

  test('the writes of this process are separate for each account and budget', () => {
    const [refunds, payouts] = [budget(), budget()];
    spendingsOf(refunds, 'a').add(spending(Date.now()));
    expect([spendingsOf(refunds, 'b').size, spendingsOf(payouts, 'a').size]).toEqual([0, 0]);
    expect(spendingsOf(refunds, 'a').size).toBe(1);
  });

  test('the writes of this process are removed when they are more than 48 hours old', () => {
    const refunds = budget();
    const [old, recent] = [spending(52 * HOURS - 1), spending(52 * HOURS)];
    spendingsOf(refunds, 'a').add(old).add(recent);
    expect([...spendingsOf(refunds, 'a')]).toEqual([recent]);
  });
});
