import { asRecords } from '../../nodes/PaymentPlatform/shared/objects';
import { capturedSale, openBench, refund, type Envelope, type TestBench } from './client';

let bench: TestBench;
beforeAll(async () => {
  bench = await openBench();
});
beforeEach(() => bench.sandbox.control.reset());
afterAll(async () => await bench.sandbox.stop());

const report = async (path: string) =>
  asRecords((await bench.http.get<Envelope>(`/platform/reporting/${path}`)).data.data as object[]);

const charge = async (tran_currency: string, amt_tran: number) =>
  await bench.http.post('/pg/sale', {
    merchant_id: bench.merchant_id,
    amt_tran,
    tran_currency,
    card_number: '4111111111111111',
    exp_date: '1230',
  });

describe('a closed batch', () => {
  test('has the purchases, returns and total of its transactions', async () => {
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

  test('contains one currency', async () => {
    await charge('840', 20);
    await charge('978', 30);
    bench.sandbox.control.closeBatch();
    const batches = await report('batches');
    expect(batches.map(({ tran_currency, amt_total }) => [tran_currency, amt_total]).sort()).toEqual([
      ['840', 20],
      ['978', 30],
    ]);
  });
});
