import { clientFor, benchForEachTest, refund, type Envelope } from './client';

describe('Authorizations', () => {
  const bench = benchForEachTest();

  const authorized = (amountCents = 8000) =>
    bench.sandbox.control.addCapturedSales({ count: 1, amountCents, authorizeOnly: true })[0] ?? '';
  const post = async (path: string, more: object = {}) =>
    await bench.http.post<Envelope>(path, { merchant_id: bench.merchant_id, ...more });
  const capture = async (id: string, amt_tran: number) => await post(`/pg/capture/${id}`, { amt_tran });
  const cancel = async (id: string) => await post(`/pg/void/${id}`);
  const records = () => bench.sandbox.control.state().transactions;
  const record = (id: unknown) => records().find(({ pg_id }) => pg_id === id);

  test('approval codes of charges and verifications begin with T only in the test environment', async () => {
    const { baseUrl, productionBaseUrl, credentials } = bench.sandbox;
    const codesOf = async (url: string, { token, merchantId }: (typeof credentials)['test']) => {
      const http = clientFor(url, `Basic ${token}`);
      const card = { merchant_id: merchantId, card_number: '4111111111111111', exp_date: '1230' };
      const answers = [await http.post('/pg/sale', { ...card, amt_tran: 10 }), await http.post('/pg/verify', card)];
      return answers.map(({ data }) => (data as { auth_code?: string }).auth_code);
    };
    for (const code of await codesOf(baseUrl, credentials.test)) expect(code).toMatch(/^T\d{5}$/);
    for (const code of await codesOf(productionBaseUrl, credentials.production)) expect(code).toMatch(/^\d{6}$/);
  });

  test('an authorization is captured once, and the report shows the linked capture', async () => {
    const id = authorized();
    expect(record(id)).toMatchObject({ request_type: 'auth', tran_status: 'A', amt_tran: 80 });
    const { status, data } = await capture(id, 62.5);
    expect([status, data.rcode, data.rmsg]).toEqual([200, '000', 'Capture request accepted']);
    expect(record(id)).toMatchObject({ tran_status: 'C', amt_tran: 62.5 });
    expect(record(data.pg_id)).toMatchObject({ request_type: 'capture', pg_id_linked: id, amt_tran: 62.5 });
    expect((await capture(id, 10)).data).toMatchObject({ rcode: '403', rmsg: 'Capture refused: already captured' });
    expect(records()).toHaveLength(2);
  });

  test('a capture of more than the authorized amount is refused without an effect', async () => {
    const id = authorized();
    expect(await capture(id, 80.01)).toMatchObject({ status: 409, data: { rcode: '403' } });
    expect(await capture(id, 0)).toMatchObject({ status: 400, data: { rcode: '104' } });
    expect(record(id)).toMatchObject({ tran_status: 'A' });
    expect((await capture(id, 80)).data.rcode).toBe('000');
  });

  test("an authorization is voided after 28 days, but a captured authorization isn't", async () => {
    const [open, captured] = [authorized(), authorized()];
    await capture(captured, 80);
    await bench.sandbox.control.advanceClock({ days: 27, hours: 23 });
    expect(record(open)?.tran_status).toBe('A');
    await bench.sandbox.control.advanceClock({ hours: 2 });
    expect([open, captured].map((id) => record(id)?.tran_status)).toEqual(['v', 'P']);
    expect((await capture(open, 80)).data.rmsg).toBe('Capture refused: the authorization has expired');
    expect((await cancel(open)).data.rmsg).toBe('Void refused: already voided');
    expect((await refund(bench, open, 1)).data.rcode).toBe('402');
  });

  test('a batch contains each captured authorization once, with the captured amount', async () => {
    const id = authorized();
    authorized();
    const { data } = await capture(id, 62.5);
    bench.sandbox.control.closeBatch();
    expect([id, data.pg_id].map((one) => record(one)?.tran_status)).toEqual(['S', 'S']);
    expect(bench.sandbox.control.state().settlements).toMatchObject([{ cnt_purch: 1, amt_purch: 62.5 }]);
    const settled = await bench.http.get<Envelope>('/platform/reporting/transactions');
    expect(settled.data.data).toMatchObject({ pg_id: id, amt_auth: 80, amt_tran: 62.5 });
  });

  test('a captured authorization is refunded like a sale', async () => {
    const id = authorized();
    expect((await refund(bench, id, 5)).data.rcode).toBe('402');
    await capture(id, 80);
    expect((await refund(bench, id, 5)).data.rmsg).toBe('Capture Amount Reduced');
    bench.sandbox.control.closeBatch();
    bench.sandbox.control.sendDeposits();
    expect((await refund(bench, id, 75)).data.rmsg).toBe('Refund request accepted');
    expect((await refund(bench, id, 0.01)).data.rcode).toBe('402');
  });

  test('a void cancels an open authorization, or a captured payment before its batch closes', async () => {
    const [open, captured, settled] = [authorized(), authorized(), authorized()];
    await capture(settled, 80);
    bench.sandbox.control.closeBatch();
    await capture(captured, 62.5);
    const voids = [await cancel(open), await cancel(captured)];
    expect(voids.map(({ data }) => data.rmsg)).toEqual(['Transaction voided', 'Transaction voided']);
    expect(voids.map(({ data }) => record(data.pg_id)?.amt_tran)).toEqual([80, 62.5]);
    expect([open, captured].map((id) => record(id)?.tran_status)).toEqual(['V', 'V']);
    expect(await cancel(settled)).toMatchObject({
      status: 409,
      data: { rcode: '401', rmsg: 'Void refused: the batch is closed' },
    });
    expect((await cancel(open)).data.rmsg).toBe('Void refused: already voided');
    bench.sandbox.control.closeBatch();
    expect(record(captured)?.tran_status).toBe('V');
  });

  test('captures and voids of unknown transactions, declined transactions and other records are refused', async () => {
    const declined = authorized(5);
    const sale = bench.sandbox.control.addCapturedSales({ count: 1, amountCents: 500 })[0] ?? '';
    const { data } = await cancel(sale);
    const answers = [
      await capture('z'.repeat(32), 1),
      await cancel('z'.repeat(32)),
      await capture(declined, 0.05),
      await cancel(declined),
      await capture(sale, 5),
      await cancel(data.pg_id ?? ''),
    ];
    expect(answers.map(({ data: { rcode } }) => rcode)).toEqual(['102', '102', '403', '401', '403', '401']);
  });

  test('a recharge is a sale with the card of an earlier successful transaction', async () => {
    const { control } = bench.sandbox;
    const [sale = ''] = control.addCapturedSales({ count: 1, amountCents: 1000 });
    const { data } = await post(`/pg/recharge/${sale}`, { amt_tran: 25.5 });
    expect(data.rcode).toBe('000');
    expect(record(data.pg_id)).toMatchObject({ request_type: 'recharge', pg_id_linked: sale, tran_status: 'C' });
    expect(record(data.pg_id)?.card_number).toBe(record(sale)?.card_number);
    const declined = await post(`/pg/recharge/${sale}`, { amt_tran: 0.05 });
    expect([declined.status, declined.data.rcode]).toEqual([402, '005']);
    const again = await post(`/pg/recharge/${declined.data.pg_id}`, { amt_tran: 5 });
    expect([again.status, again.data.rcode]).toEqual([409, '100']);
    expect((await post(`/pg/recharge/${sale}`, { amt_tran: 0 })).data.rcode).toBe('104');
    control.closeBatch();
    expect(control.state().settlements).toMatchObject([{ cnt_purch: 2, amt_purch: 35.5 }]);
  });

  test('the expired card of an earlier transaction is declined', async () => {
    const [sale = ''] = bench.sandbox.control.addCapturedSales({ count: 1, amountCents: 1000 });
    await bench.sandbox.control.advanceClock({ years: 10 });
    expect((await post(`/pg/recharge/${sale}`, { amt_tran: 5 })).data.rcode).toBe('054');
  });
});
