import { DateTime } from 'luxon';

import { SERVICE_ZONE } from '../../sandbox/core/clock';
import { capturedSale, benchForEachTest, refund, type Envelope } from './client';

const AMEX = '371449635392376';
/** Number of days with payments. The service releases a reserve after more than a month. */
const DAYS = 34;

const bench = benchForEachTest();

type Row = Record<string, number | string | undefined>;

async function report(path: string, page = 0): Promise<Row[]> {
  const { data } = await bench.http.get<Envelope>(`/platform/reporting/${path}?page=${page}`);
  const rows = [data.data].flat() as Row[];
  return page + 1 < (data.totalPages ?? 0) ? [...rows, ...(await report(path, page + 1))] : rows;
}

const charge = async (tran_currency: string, amt_tran: number) =>
  await bench.http.post('/pg/sale', {
    merchant_id: bench.merchant_id,
    amt_tran,
    tran_currency,
    card_number: '4111111111111111',
    exp_date: '1230',
  });

test('a closed batch has the purchases, returns and total of its transactions', async () => {
  const sale = capturedSale(bench, 1000);
  capturedSale(bench, 550);
  bench.sandbox.control.closeBatch();
  bench.sandbox.control.sendDeposits();
  await refund(bench, sale, 4);
  capturedSale(bench, 200);
  bench.sandbox.control.closeBatch();
  expect(await report('batches')).toMatchObject([
    { cnt_purch: 1, amt_purch: 2, cnt_return: 1, amt_return: 4, cnt_total: 2, amt_total: -2 },
    { cnt_purch: 2, amt_purch: 15.5, cnt_return: 0, amt_return: 0, cnt_total: 2, amt_total: 15.5 },
  ]);
});

test('a closed batch contains one currency', async () => {
  await charge('840', 20);
  await charge('978', 30);
  bench.sandbox.control.closeBatch();
  const batches = await report('batches');
  expect(batches.map(({ tran_currency, amt_total }) => [tran_currency, amt_total]).sort()).toEqual([
    ['840', 20],
    ['978', 30],
  ]);
});

const cents = (rows: Row[], name: string) =>
  rows.reduce((total, row) => total + Math.round(Number(row[name] ?? 0) * 100), 0);

describe('daily amounts', () => {
  const moveTo = async (hour: number) => {
    const now = DateTime.fromISO(bench.sandbox.control.now(), { zone: SERVICE_ZONE });
    const today = now.startOf('day').set({ hour, minute: 30 });
    const wanted = today > now ? today : today.plus({ days: 1 });
    await bench.sandbox.control.advanceClock({ milliseconds: wanted.toMillis() - now.toMillis() });
  };

  const tradeForADay = async (earlier?: string) => {
    await moveTo(12);
    const [sale, reduced] = [capturedSale(bench, 12_345), capturedSale(bench, 5_001)];
    await charge('840', 33.33);
    await bench.http.post('/pg/sale', {
      merchant_id: bench.merchant_id,
      amt_tran: 7.77,
      card_number: AMEX,
      exp_date: '1230',
    });
    capturedSale(bench, 5);
    await refund(bench, reduced, 10.01);
    if (earlier !== undefined) await refund(bench, earlier, 20.2);
    await moveTo(22);
    return sale;
  };

  test('daily amounts add up across transactions, batches, fees, the reserve and deposits', async () => {
    let earlier: string | undefined;
    for (let day = 0; day < DAYS; day += 1) earlier = await tradeForADay(earlier);
    await moveTo(10);
    const [settled, batches, settlements, reserve, deposits] = [
      await report('transactions'),
      await report('batches'),
      await report('statement-report/settlement'),
      await report('statement-report/reserve'),
      await report('deposits'),
    ];
    expect(batches).toHaveLength(DAYS);
    for (const { batch_id, batch_date, ...batch } of batches) {
      const own = settled.filter((one) => one.batch_id === batch_id);
      const ofBatch = (rows: Row[]) => rows.filter((one) => one.batch_date === batch_date);
      const purchases = own.filter(({ amt_tran }) => Number(amt_tran) > 0);
      const total = cents(own, 'amt_tran');
      expect(cents([batch], 'amt_purch')).toBe(cents(purchases, 'amt_tran'));
      expect(cents([batch], 'amt_purch') - cents([batch], 'amt_return')).toBe(total);
      expect(cents([batch], 'amt_total')).toBe(total);
      const kept = cents(ofBatch(settlements), 'discount_paid') + cents(ofBatch(reserve), 'amt_Reserve');
      const deposit = deposits.filter(({ reference_number }) => reference_number === String(batch_id));
      expect(cents(deposit, 'amt_ach')).toBe(total - kept + cents(ofBatch(reserve), 'amt_released_reserve'));
    }
    const released = cents(reserve, 'amt_released_reserve');
    expect(released).toBeGreaterThan(0);
    expect(cents(reserve.slice(0, 1), 'amt_reserve_balance')).toBe(cents(reserve, 'amt_Reserve') - released);
  });

  test('daily amounts add up to the monthly statements', async () => {
    for (let day = 0; day < DAYS; day += 1) await tradeForADay();
    const [batches, settlements, fees, plans] = [
      await report('batches'),
      await report('statement-report/settlement'),
      await report('statement-report/fees'),
      await report('statement-report/planType'),
    ];
    const months = new Set(settlements.map(({ billing_month }) => billing_month));
    expect(months.size).toBeGreaterThan(1);
    for (const month of months) {
      const own = (rows: Row[]) => rows.filter(({ billing_month }) => billing_month === month);
      expect(cents(own(fees), 'fees_total')).toBe(cents(own(settlements), 'discount_paid'));
      expect(cents(own(plans), 'discount_due')).toBe(cents(own(fees), 'fees_paid'));
      expect(cents(own(plans), 'amt_purch')).toBe(cents(own(settlements), 'amt_purch'));
    }
    expect(cents(plans, 'amt_net')).toBe(cents(batches, 'amt_total'));
  });
});
