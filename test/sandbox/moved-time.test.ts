import { DateTime } from 'luxon';

import { SERVICE_ZONE } from '../../sandbox/core/clock';
import { capturedSale, refund, type Envelope } from './client';
import { BUT_BATCHES, hooksForEachTest } from './receiver';

describe('The clock', () => {
  const hooks = hooksForEachTest();
  beforeEach(async () => void (await hooks.create({ events: BUT_BATCHES })));

  const post = async (path: string, body: object) => (await hooks.bench.http.post<Envelope>(path, body)).data.data;
  const subscribe = async (fields: object = {}) => {
    const [customer_id] = hooks.control.addCustomers(1);
    const terms = { plan_frequency: 3, plan_duration: -1, date_start: hooks.control.now(), amt_tran: 12, ...fields };
    return (await post('/platform/subscription', { customer_id, ...terms })) as { subscription_id: number };
  };
  const sales = () => hooks.control.state().transactions.filter(({ request_type }) => request_type === 'sale');
  const daysBetween = (moments: readonly string[]) =>
    moments
      .slice(1)
      .map((moment, index) => Math.round((Date.parse(moment) - Date.parse(String(moments[index]))) / 86_400_000));
  const monthsFrom = (start: DateTime, count: number) =>
    Array.from({ length: count }, (_, month) => start.plus({ months: month }).toISODate());

  test('the sandbox creates four monthly sales within 95 days, each with an event at the time of the sale', async () => {
    const start = DateTime.fromISO(hooks.control.now(), { zone: 'utc' });
    const { subscription_id } = await subscribe();
    await hooks.control.advanceClock({ days: 95 });
    expect(sales().map(({ tran_time }) => tran_time.slice(0, 10))).toEqual(monthsFrom(start, 4));
    const told = hooks.receiver.payloads();
    expect(told.map(({ event }) => event)).toEqual(Array(4).fill('subscription_payment_success'));
    expect(told.map(({ data }) => data.pg_id)).toEqual(sales().map(({ pg_id }) => pg_id));
    expect(told.map(({ db_timestamp }) => db_timestamp.slice(0, 10))).toEqual(monthsFrom(start, 4));
    expect(told.map(({ data }) => String(data.date_next).slice(0, 10))).toEqual(monthsFrom(start, 5).slice(1));
    expect(hooks.control.state().subscriptions).toMatchObject([{ subscription_id, status: 'A' }]);
  });

  test('the sandbox runs charges, account updater completions and retries in chronological order', async () => {
    await subscribe({ plan_frequency: 0, date_start: hooks.control.now() });
    await post('/platform/aus/add', { data: [{ card_number: '4111111111111111', exp_date: '1230' }] });
    await subscribe({ plan_frequency: 7, amt_tran: 0.41, date_start: DateTime.utc().plus({ days: 2 }).toISO() });
    await hooks.control.settleDeliveries();
    hooks.receiver.reset();
    await hooks.control.advanceClock({ days: 8 });
    const [first, failure, suspension, ...rest] = hooks.receiver.events();
    expect([first, ...[failure, suspension].sort(), ...rest]).toEqual([
      'subscription_payment_success',
      'subscription_payment_failure',
      'subscription_suspended',
      'account_updater_request_completed',
      'subscription_payment_success',
    ]);
    const times = hooks.receiver.payloads().map(({ db_timestamp }) => `${db_timestamp.replace(' ', 'T')}Z`);
    expect(daysBetween(times)).toEqual([2, 0, 2, 3]);
  });

  test('the sandbox retries a soft decline on four consecutive days without a charge in between', async () => {
    await subscribe({ amt_tran: 0.51 });
    await hooks.control.advanceClock({ days: 95 });
    expect(daysBetween(sales().map(({ tran_time }) => tran_time))).toEqual([1, 1, 1]);
    expect(hooks.receiver.events().at(-1)).toBe('subscription_suspended');
  });

  test('the sandbox retries a failing delivery at each due time until the delivery expires, before later actions', async () => {
    await subscribe();
    hooks.receiver.answer = 500;
    await hooks.control.advanceClock({ days: 32 });
    const tries = hooks.control.deliveries();
    const first = tries[0]?.delivery_id ?? 0;
    expect(tries.map(({ delivery_id }) => delivery_id - first)).toEqual([...Array<number>(60).fill(0), 1]);
    const times = tries.slice(0, 60).map(({ time }) => Date.parse(time));
    expect(new Set(times.slice(1).map((time, index) => time - (times[index] ?? 0)))).toEqual(new Set([60_000]));
    expect(hooks.control.state().webhooks).toMatchObject([{ status: 'SUSPENDED' }]);
    expect(hooks.control.waitingDeliveries()).toBe(0);
  });

  const statuses = () => sales().map(({ tran_status }) => tran_status);
  async function moveTo(hour: number) {
    const now = DateTime.fromISO(hooks.control.now(), { zone: SERVICE_ZONE });
    const today = now.startOf('day').set({ hour });
    await hooks.control.advanceClock({
      milliseconds: Number(today > now ? today : today.plus({ days: 1 })) - Number(now),
    });
  }

  test("the sandbox closes a batch at 9 PM in the service's time zone and sends the deposits the next morning", async () => {
    await moveTo(20);
    hooks.control.addCustomers(1);
    hooks.control.addCapturedSales({ count: 2, amountCents: 1000 });
    expect(statuses()).toEqual(['C', 'C']);
    await moveTo(21);
    expect(statuses()).toEqual(['S', 'S']);
    expect(hooks.control.state().settlements).toMatchObject([{ cnt_purch: 2 }]);
    hooks.control.addCapturedSales({ count: 1, amountCents: 1000 });
    await moveTo(9);
    expect(statuses()).toEqual(['P', 'P', 'C']);
    await moveTo(21);
    expect(statuses()).toEqual(['P', 'P', 'S']);
  });

  test('a refund voids or reduces a sale before batch close, is refused until the deposit, and is paid out after the deposit', async () => {
    await moveTo(20);
    const [whole, part] = [1, 2].map(() => capturedSale(hooks.bench, 1000)) as [string, string];
    const answer = async (pgId: string, amount: number) => (await refund(hooks.bench, pgId, amount)).data.rmsg;
    expect(await answer(whole, 10)).toMatch(/voided/);
    expect(await answer(part, 4)).toBe('Capture Amount Reduced');
    await moveTo(21);
    expect(await answer(part, 4)).toMatch(/deposit has not been sent/);
    await moveTo(9);
    expect(await answer(part, 4)).toBe('Refund request accepted');
    expect(await answer(whole, 1)).toMatch(/voided/);
  });

  test("the sandbox closes a batch with the day's sales each day", async () => {
    await subscribe({ plan_frequency: 7 });
    await hooks.control.advanceClock({ days: 2, hours: 12 });
    hooks.control.closeBatch();
    expect(hooks.control.state().settlements.map(({ cnt_purch }) => cnt_purch)).toEqual([1, 1, 1]);
    expect(daysBetween(sales().map(({ tran_time }) => tran_time))).toEqual([1, 1]);
  });
});
