import { DateTime } from 'luxon';

import { createInvoice, benchForEachTest, type Envelope } from './client';

describe('Invoice states', () => {
  const bench = benchForEachTest(true);

  const sent = async (method: string, id: number, path: string, data: object = {}): Promise<Envelope> =>
    (await bench.http.request<Envelope>({ method, url: `/platform/invoice/${id}/${path}`, data })).data;
  const send = async (id: number) => await sent('post', id, 'send', { email_address: ['a@example.com'] });
  const pay = async (id: number, amt_paid: number) =>
    await sent('post', id, 'payments', { type: 'CASH', amt_paid, date_payment: '2026-11-21' });
  const cancel = async (id: number) => await sent('delete', id, 'cancel');
  const resend = async (id: number) => await sent('post', id, 'resend', { email_address: ['b@example.com'] });
  const made = async (...steps: Array<(id: number) => Promise<Envelope>>) => {
    const { invoice_id } = await createInvoice(bench);
    for (const step of steps) expect((await step(invoice_id)).code).toBe(0);
    return invoice_id;
  };
  const paid = async (id: number) => await pay(id, 100);

  test("a draft or sent invoice can be canceled once, and a paid invoice can't be canceled", async () => {
    for (const id of [await made(), await made(send), await made(send, (one) => pay(one, 1))]) {
      expect(await cancel(id)).toMatchObject({ code: 0, data: { invoice_id: id, status: 'CANCELED' } });
      expect(await cancel(id)).toMatchObject({
        code: 2,
        data: { invoice_id: expect.stringContaining('CANCELED') as string },
      });
    }
    expect((await cancel(await made(send, paid))).code).toBe(2);
  });

  test('a canceled invoice accepts no further change', async () => {
    const id = await made(send, cancel);
    const answers = [await send(id), await resend(id), await pay(id, 1)];
    expect(answers.map(({ code }) => code)).toEqual([2, 2, 2]);
  });

  test('a sent or paid invoice can be resent without changing its state', async () => {
    for (const id of [await made(send), await made(send, paid)]) {
      const before = (await sent('get', id, 'detail')).data;
      expect(await resend(id)).toEqual({ code: 0, message: 'Success', data: {} });
      expect((await sent('get', id, 'detail')).data).toEqual(before);
    }
    expect((await resend(await made())).code).toBe(2);
  });

  describe('A draft', () => {
    const change = async (id: number, data: object) =>
      await sent('put', id, 'draft', { customer_id: 'CUST0001', invoice_number: 'INV-9', ...data });

    test('a draft can be changed: objects and lists are replaced, and the total is recalculated', async () => {
      const id = await made();
      const line_items = [{ quantity: 2, description: 'B', unit_cost: 30 }];
      const first = await change(id, { line_items, billing_contact: { first_name: 'Ana', last_name: 'Silva' } });
      expect(first).toMatchObject({ code: 0, data: { amt_tran: 60, invoice_number: 'INV-9' } });
      const again = await change(id, { billing_contact: { email_address: 'c@example.com' } });
      expect(again.data).toMatchObject({ billing_contact: { email_address: 'c@example.com' }, line_items });
      expect((again.data as { billing_contact: object }).billing_contact).not.toHaveProperty('first_name');
    });

    test('a changed draft has a due date based on its new terms or its new date', async () => {
      const id = await made();
      const terms = { payment_terms: { type: 'DAYS', value: '10' }, date_invoice: '2030-03-01' };
      expect((await change(id, terms)).data).toMatchObject({ date_due: '2030-03-11T00:00:00.000Z' });
      expect((await change(id, { date_invoice: '2030-04-01' })).data).toMatchObject({
        date_due: '2030-04-11T00:00:00.000Z',
      });
    });

    test('a draft requires a vault customer and a total of at least the amount paid', async () => {
      const id = await made((one) => pay(one, 50));
      expect((await change(id, { customer_id: 'STRANGER' })).data).toHaveProperty('customer_id');
      const line_items = [{ quantity: 1, description: 'B', unit_cost: 49 }];
      expect((await change(id, { line_items })).data).toHaveProperty('line_items');
    });

    test("a draft can't be changed after it is sent", async () => {
      for (const id of [await made(send), await made(send, paid), await made(cancel)])
        expect(await change(id, {})).toMatchObject({ code: 2, data: { invoice_id: expect.any(String) as string } });
    });
  });

  test('contacts of an invoice can be changed only after it is sent', async () => {
    const change = async (id: number) =>
      await sent('put', id, 'outstanding', { billing_contact: { email_address: 'c@example.com' } });
    const id = await made(send);
    expect((await change(id)).data).toMatchObject({ billing_contact: { email_address: 'c@example.com' } });
    for (const other of [await made(), await made(send, paid), await made(cancel)])
      expect((await change(other)).code).toBe(2);
    expect((await sent('put', id, 'outstanding', { footer_note: 'x' })).code).toBe(2);
  });

  test("a copied draft has today's date, no payments, and the original number unless the caller specifies a number", async () => {
    const { invoice_id: id } = await createInvoice(bench, {
      date_invoice: '2020-01-01',
      payment_terms: { type: 'DAYS', value: '10' },
    });
    await pay(id, 1);
    await bench.sandbox.control.advanceClock({ days: 40 });
    const today = DateTime.fromISO(bench.sandbox.control.now(), { zone: 'utc' }).startOf('day');
    const copy = (await sent('post', id, 'copy')).data as Record<string, unknown>;
    expect(copy).toMatchObject({ status: 'SAVED', invoice_number: 'INV-1', amt_paid: 0, amt_balance: 100 });
    expect(copy.invoice_id).not.toBe(id);
    expect([copy.date_invoice, copy.date_due].map((day) => String(day).slice(0, 10))).toEqual([
      today.toISODate(),
      today.plus({ days: 10 }).toISODate(),
    ]);
    expect((await sent('post', id, 'copy', { invoice_number: 'INV-2' })).data).toMatchObject({
      invoice_number: 'INV-2',
    });
    await cancel(id);
    expect((await sent('post', id, 'copy')).code).toBe(0);
  });

  describe('A manual payment', () => {
    const idOf = (answer: Envelope) => (answer.data as { payment_id: number }).payment_id;
    const change = async (id: number, payment: number, data: object = {}) =>
      await sent('put', id, `payments/${payment}`, {
        type: 'CHECK',
        amt_paid: 30,
        date_payment: '2026-11-22',
        ...data,
      });
    const remove = async (id: number, payment: number) => await sent('delete', id, `payments/${payment}`);
    const balance = async (id: number) =>
      ((await sent('get', id, 'detail')).data as { amt_balance: number }).amt_balance;

    test('a manual payment can be changed and removed while the invoice is open, and the balance changes accordingly', async () => {
      for (const id of [await made(), await made(send)]) {
        const payment = idOf(await pay(id, 20));
        expect((await change(id, payment)).data).toMatchObject({ payment_id: payment, type: 'CHECK', amt_paid: 30 });
        expect(await balance(id)).toBe(70);
        expect(await remove(id, payment)).toEqual({ code: 0, message: 'Success', data: {} });
        expect(await balance(id)).toBe(100);
        expect((await remove(id, payment)).code).toBe(7);
      }
    });

    test("a manual payment can't exceed the balance, and the invoice is paid when the balance is zero", async () => {
      const id = await made(send);
      const payment = idOf(await pay(id, 20));
      expect((await change(id, payment, { amt_paid: 100.01 })).data).toHaveProperty('amt_paid');
      expect((await change(id, payment, { amt_paid: 100 })).code).toBe(0);
      expect((await sent('get', id, 'detail')).data).toMatchObject({ status: 'PAID' });
    });

    test("a manual payment can't be changed on a paid or canceled invoice or through another invoice", async () => {
      const id = await made(send);
      const payment = idOf(await pay(id, 20));
      expect((await remove(await made(send), payment)).code).toBe(7);
      await cancel(id);
      expect([(await change(id, payment)).code, (await remove(id, payment)).code]).toEqual([2, 2]);
      const other = await made(send);
      const whole = idOf(await pay(other, 100));
      expect([(await change(other, whole)).code, (await remove(other, whole)).code]).toEqual([2, 2]);
    });
  });

  test('an overdue invoice stays unchanged and can still be sent and paid', async () => {
    const id = await made(send);
    await bench.sandbox.control.advanceClock({ days: 60 });
    expect((await sent('get', id, 'detail')).data).toMatchObject({ status: 'OUTSTANDING' });
    expect([(await resend(id)).code, (await paid(id)).code]).toEqual([0, 0]);
  });

  test('the list of bounced emails contains the undeliverable addresses of each email', async () => {
    const addresses = { email_address: ['undeliverable@example.com', 'a@example.com'] };
    const id = await made((one) => sent('post', one, 'send', addresses));
    await bench.sandbox.control.advanceClock({ days: 1 });
    await sent('post', id, 'resend', addresses);
    await made(send);
    const { data } = await bench.http.get<Envelope>('/platform/invoice/bounced');
    expect(data).toMatchObject({ totalRecords: 2 });
    const own = { invoice_id: id, status: 'OUTSTANDING', send_code: 'B', recipient: ['undeliverable@example.com'] };
    expect(data.data).toEqual([expect.objectContaining(own), expect.objectContaining(own)]);
  });
});
