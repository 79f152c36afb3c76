import { createInvoice, benchForEachTest, type Envelope } from './client';

describe('Rules of the other operations', () => {
  const bench = benchForEachTest(true);

  const post = async (path: string, body: object): Promise<Envelope> =>
    (await bench.http.post<Envelope>(path, body)).data;
  const pay = (id: number, fields: object) =>
    post(`/platform/invoice/${id}/payments`, { type: 'CASH', amt_paid: 1, date_payment: '2026-11-21', ...fields });

  test('an invoice total is exact to the cent, including tax', async () => {
    const line_items = [
      { quantity: 3, description: 'A', unit_cost: 0.1 },
      { quantity: 0.5, description: 'B', unit_cost: 1.15 },
    ];
    const invoice = await createInvoice(bench, { line_items, sales_tax: { type: 'RATE', value: 8.25 } });
    expect(invoice).toMatchObject({ amt_sub_total: 0.88, amt_tax: 0.07, amt_tran: 0.95, status: 'SAVED' });
  });

  test('a customer outside the vault requires save_customer, which saves the customer', async () => {
    const refused = await post('/platform/invoice', { customer_id: 'STRANGER' });
    expect(refused).toMatchObject({
      code: 2,
      data: { customer_id: expect.stringContaining('save_customer') as string },
    });
    await createInvoice(bench, { customer_id: 'STRANGER' });
    expect(bench.sandbox.control.state().customers.map((customer) => customer.customer_id)).toContain('STRANGER');
  });

  test('an invoice is sent once, and the sandbox stores the message', async () => {
    const { invoice_id } = await createInvoice(bench);
    const send = () =>
      post(`/platform/invoice/${invoice_id}/send`, { email_address: ['b@example.com'], phone_number: [15415550100] });
    expect(await send()).toEqual({ code: 0, message: 'Success' });
    expect((await send()).code).toBe(2);
    const notices = bench.sandbox.control.state().notices.filter((notice) => notice.invoice_id === invoice_id);
    expect(notices).toMatchObject([{ email_address: ['b@example.com'], phone_number: [15415550100] }]);
  });

  test('an invoice is returned in its current state', async () => {
    const { invoice_id } = await createInvoice(bench);
    await post(`/platform/invoice/${invoice_id}/send`, {});
    const read = async (id: string | number) => await bench.http.get<Envelope>(`/platform/invoice/${id}/detail`);
    expect((await read(invoice_id)).data.data).toMatchObject({ invoice_id, status: 'OUTSTANDING', amt_balance: 100 });
    expect((await read(999_999)).status).toBe(404);
    expect((await read('none')).data).toMatchObject({ code: 2 });
  });

  test('a manual payment is CHECK or CASH, up to the balance', async () => {
    const { invoice_id } = await createInvoice(bench);
    expect((await pay(invoice_id, { type: 'CARD' })).code).toBe(2);
    expect((await pay(invoice_id, { amt_paid: 100.01 })).code).toBe(2);
    expect(await pay(invoice_id, { amt_paid: 0.1 })).toMatchObject({
      code: 0,
      data: { status: 'PAID', tran_status: '' },
    });
    expect((await pay(invoice_id, { amt_paid: 99.9, type: 'CHECK' })).code).toBe(0);
    expect((await pay(invoice_id, { amt_paid: 0.01 })).code).toBe(2);
    const paid = bench.sandbox.control.state().invoices.find((invoice) => invoice.invoice_id === invoice_id);
    expect(paid).toMatchObject({ status: 'PAID', amt_balance: 0 });
  });

  test('tokenize updates an existing card_id and keeps its number if the request contains none', async () => {
    const { merchant_id } = bench;
    const created = await post('/pg/tokenize', { merchant_id, card_number: '4111111111111111', exp_date: '1230' });
    const updated = await post('/pg/tokenize', {
      merchant_id,
      card_id: created.card_id,
      exp_date: '0131',
      echo_fields: '[]',
    });
    expect(updated).toMatchObject({
      rcode: '000',
      card_id: created.card_id,
      card_number: '411111xxxxxx1111',
      echo_fields: '[]',
    });
    expect(bench.sandbox.control.state().tokens).toMatchObject([{ exp_date: '0131' }]);
  });

  const offPlan = { plan_frequency: 3, plan_duration: 12, amt_tran: 20, customer_id: 'CUST0001' };

  test('a declined one-time fee keeps the subscription active unless the request cancels it', async () => {
    const kept = await post('/platform/subscription', { ...offPlan, amt_setup: 0.05 });
    const canceled = await post('/platform/subscription', { ...offPlan, amt_setup: 0.05, cancel_on_setup_fail: true });
    const waived = await post('/platform/subscription', { ...offPlan, amt_setup: 0.05, amt_setup_ignore: true });
    expect(kept).toMatchObject({
      code: 0,
      data: { status: 'A', response: { rcode: '005' }, subscription_on_plan: false },
    });
    expect(canceled).toMatchObject({ code: 0, data: { status: 'C' } });
    expect(waived.data).not.toHaveProperty('response');
  });

  test('a refused subscription saves neither customer nor sale', async () => {
    const before = JSON.stringify(bench.sandbox.control.state());
    const customer = { customer_id: 'SUB1', customer_firm_name: 'Firm' };
    const refusals = [
      { ...offPlan, customer_id: undefined, customer },
      { ...offPlan, customer_id: 'NOBODY' },
      { ...offPlan, customer_id: undefined },
      { ...offPlan, plan_frequency: undefined },
      {
        ...offPlan,
        customer_id: undefined,
        customer: { ...customer, billing_cards: [{ card_number: '4111111111111112' }] },
      },
      { plan_code: 'NOPLAN', customer_id: 'CUST0001' },
    ];
    const codes = await Promise.all(refusals.map(async (body) => (await post('/platform/subscription', body)).code));
    expect(codes).toEqual(refusals.map(() => 2));
    expect(JSON.stringify(bench.sandbox.control.state())).toBe(before);
  });

  test('use_existing_customer finds the customer by name and card, or creates a new one', async () => {
    const customer = {
      auto_generate_customer_id: true,
      customer_first_name: 'Nora',
      customer_last_name: 'Quist',
      billing_cards: [{ card_number: '4111111111111111', exp_date: '1230' }],
    };
    const subscribe = async (use_existing_customer: boolean) => {
      const answer = await post('/platform/subscription', {
        ...offPlan,
        customer_id: undefined,
        customer,
        use_existing_customer,
      });
      return (answer.data as { customer_id: string }).customer_id;
    };
    const first = await subscribe(false);
    expect(await subscribe(true)).toBe(first);
    expect(await subscribe(false)).not.toBe(first);
  });

  test('the account updater accepts 100 cards, rejects invalid ones individually, and completes after four days', async () => {
    const card = { card_number: '4111111111111111', exp_date: '1230' };
    const bad = { card_number: '4111111111111112', exp_date: '1230', card_id: 'mine' };
    expect((await post('/platform/aus/add', { data: Array(101).fill(card) })).code).toBe(2);
    const { data } = await post('/platform/aus/add', { data: [card, bad, card, card] });
    const summary = async () =>
      (await bench.http.get<Envelope>(`/platform/aus/request/summary/${(data as { request_id: string }).request_id}`))
        .data.data;
    expect(await summary()).toMatchObject({
      status: 'QUEUED',
      cnt_request: 4,
      rejected_cards: [{ card_id: 'mine', reject_reason: '320' }],
    });
    await bench.sandbox.control.advanceClock({ days: 4 });
    expect(await summary()).toMatchObject({ status: 'COMPLETED', cnt_response: 3, cnt_update: 3 });
  });

  test('the account updater rejects saved cards that it cannot update, and changes the others when it completes', async () => {
    const customer_id = 'UPDATED1';
    await post('/platform/vault/customer', { customer_id, customer_firm_name: 'Silva Bakery' });
    const save = async (card: object) => {
      const { data } = await post(`/platform/vault/customer/${customer_id}/billing`, { billing_zip: '97477', ...card });
      return (data as { billing_cards: Array<{ card_id: string }> }).billing_cards.at(-1)?.card_id;
    };
    const numbers = ['5105105105105100', '4111111111111111', '5555555555554444', '6011111111111117', '371449635392376'];
    const ids: Array<string | undefined> = [];
    for (const card_number of numbers) ids.push(await save({ card_number, exp_date: '1228' }));
    const account = { tr_number: '021000021', dda_number: '000123456789', billing_firm_name: 'Silva Bakery' };
    const bank = await save(account);
    const { data } = await post('/platform/aus/request/create', { card_id: [...ids, bank, 'gone'] });
    const { request_id } = data as { request_id: number };
    const read = async (path: string) => (await bench.http.get<Envelope>(path)).data.data as object[];
    const rows = async () => await read(`/platform/aus/request/detail/${request_id}`);
    const status = async () =>
      (await bench.http.get<Envelope>(`/platform/aus/request/summary/${request_id}`)).data.data as object;
    expect(await status()).toMatchObject({
      status: 'INPROGRESS',
      method: 'harvest_card_id',
      cnt_request: 7,
      rejected_cards: [
        { card_id: bank, reject_reason: 'Card type not supported' },
        { card_id: 'gone', reject_reason: 'Card ID not found' },
      ],
    });
    await bench.sandbox.control.advanceClock({ hours: 1 });
    expect(await status()).toMatchObject({ status: 'QUEUED' });
    expect(await rows()).toMatchObject(ids.map((card_id) => ({ card_id, reason_code: '000', billable: false })));
    await bench.sandbox.control.advanceClock({ days: 4 });
    expect(await status()).toMatchObject({ status: 'COMPLETED', cnt_response: 5, cnt_update: 2 });
    expect(await rows()).toMatchObject([
      { reason_code: '200', billable: false },
      { reason_code: '201', exp_date: '1228', exp_date_new: '1231', billable: true },
      { reason_code: '202', card_number_new: '510510xxxxxx5100', exp_date_new: '1231' },
      { reason_code: '203' },
      { reason_code: '204' },
    ]);
    expect(await read(`/platform/aus/request/detail?filter=card_id%2CIS%2C${String(ids[1])}`)).toHaveLength(1);
    expect(await read(`/platform/aus/${request_id}`)).toEqual([]);
    const vault = bench.sandbox.control.state().customers.find((one) => one.customer_id === customer_id);
    expect(vault?.billing_cards.map(({ card_number, exp_date }) => [card_number, exp_date])).toEqual([
      ['510510xxxxxx5100', '1228'],
      ['411111xxxxxx1111', '1231'],
      ['510510xxxxxx5100', '1231'],
      ['601111xxxxxx1117', '1228'],
      ['371449xxxxx2376', '1228'],
      ['xxxxxxxx6789', undefined],
    ]);
  });

  test('a payee is deleted permanently', async () => {
    expect((await bench.http.delete<Envelope>('/platform/vault/payee/9001')).data).toEqual({
      code: 0,
      message: 'Success',
      data: {},
    });
    expect((await bench.http.delete('/platform/vault/payee/9001')).status).toBe(404);
  });

  test('dispute test data is one record for a given reason code, or one per reason code', async () => {
    const path = `/platform/dispute/${bench.merchant_id}/create`;
    const one = await bench.http.get<Envelope>(path, { params: { reasonCode: '10.4' } });
    expect(one.data.data).toMatchObject([{ reason_code: '10.4' }]);
    expect((await bench.http.get<Envelope>(path)).data.data).toHaveLength(6);
  });
});
