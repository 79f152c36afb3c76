import { capturedSale, benchForEachTest, refund } from './client';

describe('Refunds', () => {
  const bench = benchForEachTest();

  const depositedSale = (cents: number): string => {
    const pgId = capturedSale(bench, cents);
    bench.sandbox.control.closeBatch();
    bench.sandbox.control.sendDeposits();
    return pgId;
  };
  const record = (pgId: string) => bench.sandbox.control.state().transactions.find((entry) => entry.pg_id === pgId);

  test('before batch close, a refund of the full amount is a void', async () => {
    const pgId = capturedSale(bench, 1_000);
    const { status, data } = await refund(bench, pgId, 10);
    expect([status, data.rcode, data.rmsg]).toEqual([200, '000', 'Transaction voided']);
    expect(record(pgId)).toMatchObject({ tran_status: 'V', amt_refunded: 10 });
  });

  test('before batch close, a refund of a smaller amount reduces the captured amount', async () => {
    const pgId = capturedSale(bench, 1_000);
    expect((await refund(bench, pgId, 4)).data.rmsg).toBe('Capture Amount Reduced');
    expect(record(pgId)).toMatchObject({ tran_status: 'C', amt_refunded: 4 });
  });

  test('between batch close and "Deposit Sent" a refund is refused with 402 and HTTP 409', async () => {
    const pgId = capturedSale(bench, 1_000);
    bench.sandbox.control.closeBatch();
    const { status, data } = await refund(bench, pgId, 4);
    expect([status, data.rcode]).toEqual([409, '402']);
    expect(record(pgId)).toMatchObject({ tran_status: 'S', amt_refunded: 0 });
    bench.sandbox.control.sendDeposits();
    expect((await refund(bench, pgId, 4)).data.rcode).toBe('000');
  });

  test('refunds of 0.10 and 0.20 refund 0.30 exactly, and no further cent is refundable', async () => {
    const [pgId = ''] = bench.sandbox.control.addCapturedSales({ count: 1, amountCents: 130 });
    bench.sandbox.control.closeBatch();
    bench.sandbox.control.sendDeposits();
    expect((await refund(bench, pgId, 1)).data.rcode).toBe('000');
    expect((await refund(bench, pgId, 0.1)).data.rcode).toBe('000');
    expect((await refund(bench, pgId, 0.2)).data.rcode).toBe('000');
    expect(record(pgId)).toMatchObject({ amt_refunded: 1.3 });
    expect(await refund(bench, pgId, 0.01)).toMatchObject({ status: 409, data: { rcode: '402' } });
  });

  test('a refund above the captured total is refused without an effect', async () => {
    const pgId = depositedSale(1_000);
    expect((await refund(bench, pgId, 10.01)).data.rcode).toBe('402');
    expect((await refund(bench, pgId, 6)).data.rcode).toBe('000');
    expect((await refund(bench, pgId, 4.01)).data.rcode).toBe('402');
    expect(record(pgId)).toMatchObject({ amt_refunded: 6 });
  });

  test.each([undefined, 0, -1, 0.1 + 0.2, 10.005])(
    'a refund with the amount %p is refused with rcode 104',
    async (amount) => {
      expect(await refund(bench, depositedSale(1_000), amount)).toMatchObject({ status: 400, data: { rcode: '104' } });
    },
  );

  test('a refund with an unknown pg_id is refused with rcode 102, and the response repeats the pg_id', async () => {
    const { status, data } = await refund(bench, 'z'.repeat(32), 1);
    expect([status, data.rcode, data.pg_id]).toEqual([400, '102', 'z'.repeat(32)]);
  });

  test('a declined sale, a voided sale and a refund cannot be refunded', async () => {
    const declined = capturedSale(bench, 5);
    expect(record(declined)).toMatchObject({ tran_status: 'D', rcode: '005' });
    const voided = capturedSale(bench, 500);
    await refund(bench, voided, 5);
    const sale = depositedSale(700);
    const { data } = await refund(bench, sale, 7);
    const codes = [declined, voided, data.pg_id ?? ''].map(
      async (pgId) => (await refund(bench, pgId, 0.05)).data.rcode,
    );
    expect(await Promise.all(codes)).toEqual(['402', '402', '402']);
  });

  test('a refund is a separate transaction that refers to the sale', async () => {
    const sale = depositedSale(700);
    const { data } = await refund(bench, sale, 7);
    expect(record(data.pg_id ?? '')).toMatchObject({ request_type: 'refund', pg_id_linked: sale, amt_tran: 7 });
  });

  test('the cents of an amount below 1.00 determine the result code', () => {
    const codes = [0, 5, 10, 51, 85, 99].map((cents) => record(capturedSale(bench, cents))?.rcode);
    expect(codes).toEqual(['000', '005', '010', '051', '085', '099']);
    expect(record(capturedSale(bench, 10))).toMatchObject({ tran_status: 'C', amt_tran: 0.05 });
  });
});
