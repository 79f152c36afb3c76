import { DateTime } from 'luxon';

import { benchForEachTest, type Envelope } from './client';

interface Subscription {
  status: string;
  date_next?: string;
  date_end?: string;
  prorate_amt?: number;
  trial_amt?: number;
  recur_date_start: string;
  trial_date_start?: string;
  trial_date_end?: string;
}

describe('A subscription on a plan', () => {
  const bench = benchForEachTest();
  beforeEach(() => void bench.sandbox.control.addCustomers(1));

  const START = DateTime.fromISO('2029-01-10', { zone: 'utc' });
  const post = async (path: string, data: object) =>
    (await bench.http.post<Envelope>(`/platform/${path}`, data)).data.data as Subscription;
  const subscribe = async (plan: object, from = '2029-01-10') => {
    const terms = { plan_name: 'Gold', plan_desc: 'Gold', plan_frequency: 3, plan_duration: -1, amt_tran: 20 };
    await post('plan', { plan_code: 'GOLD', ...terms, ...plan });
    return await post('subscription', { customer_id: 'CUST0001', plan_code: 'GOLD', date_start: from });
  };
  const chargedUntil = async (day: string) => {
    const { control } = bench.sandbox;
    const until = DateTime.fromISO(day, { zone: 'utc' }).diff(DateTime.fromISO(control.now()));
    await control.advanceClock({ milliseconds: until.toMillis() });
    return control
      .state()
      .transactions.map(({ amt_tran, tran_time }) => [
        DateTime.fromISO(String(tran_time)).toUTC().toISODate(),
        amt_tran,
      ]);
  };
  const day = (stamp: string | undefined) => stamp?.slice(0, 10);

  test("a subscription on a plan pays the trial first, and then the plan's number of payments", async () => {
    const made = await subscribe({ plan_duration: 2, trial_duration: 2, amt_trial: 5 });
    expect(made).toMatchObject({ status: 'A', trial_amt: 5 });
    expect([made.trial_date_start, made.trial_date_end, made.recur_date_start, made.date_end].map(day)).toEqual([
      ...['2029-01-10', '2029-02-10', '2029-03-10', '2029-04-10'],
    ]);
    expect(await chargedUntil('2029-08-01')).toEqual([
      ['2029-01-10', 5],
      ['2029-02-10', 5],
      ['2029-03-10', 20],
      ['2029-04-10', 20],
    ]);
    expect(bench.sandbox.control.state().subscriptions).toMatchObject([{ status: 'D' }]);
  });

  test('a subscription on a plan pays nothing for a free trial, which creates no sale', async () => {
    await subscribe({ trial_duration: 1 });
    expect(await chargedUntil('2029-02-20')).toEqual([['2029-02-10', 20]]);
  });

  test('a subscription on a plan is first charged on the set day', async () => {
    const made = await subscribe({ bill_specific_day: true, day_of_month: 1 });
    expect(day(made.date_next)).toBe('2029-02-01');
    expect(await chargedUntil('2029-03-20')).toEqual([
      ['2029-02-01', 20],
      ['2029-03-01', 20],
    ]);
  });

  test('a subscription on a plan pays a prorated amount at its start, except if it starts on the set day', async () => {
    const plan = { bill_specific_day: true, day_of_month: 15, prorate_first_pmt: true, amt_prorate: 3.5 };
    expect(await subscribe(plan)).toMatchObject({ prorate_amt: 3.5 });
    expect(await chargedUntil('2029-01-20')).toEqual([
      ['2029-01-10', 3.5],
      ['2029-01-15', 20],
    ]);
    bench.sandbox.control.reset(false);
    bench.sandbox.control.addCustomers(1);
    expect(await subscribe(plan, '2029-01-15')).not.toHaveProperty('prorate_amt');
  });

  test.each([
    ['on the last day of each month', { day_of_month: 32 }, ['2029-01-31', '2029-02-28', '2029-03-31', '2029-04-30']],
    ['every second month', { day_of_month: 5, interval: 2 }, ['2029-02-05', '2029-04-05']],
    ['on Mondays', { plan_frequency: 0, day_of_week: 2 }, ['2029-01-15', '2029-01-22', '2029-01-29', '2029-02-05']],
    ['on Sundays', { plan_frequency: 1, day_of_week: 1 }, ['2029-01-14', '2029-01-28', '2029-02-11', '2029-02-25']],
    ['each quarter', { plan_frequency: 4, day_of_month: 1, month: 3 }, ['2029-03-01']],
    ['in a month of the year', { plan_frequency: 6, day_of_month: 4, month: 4 }, ['2029-04-04']],
  ])('a subscription on a plan is billed %s', async (_, more, days) => {
    await subscribe({ bill_specific_day: true, ...more });
    const charged = await chargedUntil(START.plus({ months: 3, days: 25 }).toISODate() ?? '');
    expect(charged.map(([when]) => when).slice(0, days.length)).toEqual(days);
    expect(charged.length >= days.length).toBe(true);
  });
});
