import { createInvoice, openBench, type Envelope, type TestBench } from './client';

describe('Invoices have states', () => {
  let bench: TestBench;
  beforeAll(async () => {
    bench = await openBench();
  });
  beforeEach(() => bench.sandbox.control.reset(true));
  afterAll(() => bench.sandbox.stop());

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

  test('a draft and one that was sent can be canceled, once; one that is paid can not', async () => {
    for (const id of [await made(), await made(send), await made(send, (one) => pay(one, 1))]) {
      expect(await cancel(id)).toMatchObject({ code: 0, data: { invoice_id: id, status: 'CANCELED' } });
      expect(await cancel(id)).toMatchObject({
        code: 2,
        data: { invoice_id: expect.stringContaining('CANCELED') as string },
      });
    }
    expect((await cancel(await made(send, paid))).code).toBe(2);
  });

  test('a canceled one takes nothing more', async () => {
    const id = await made(send, cancel);
    const answers = [await send(id), await resend(id), await pay(id, 1)];
    expect(answers.map(({ code }) => code)).toEqual([2, 2, 2]);
  });

  test('one that was sent or paid can be sent once more, which changes nothing else', async () => {
    for (const id of [await made(send), await made(send, paid)]) {
      const before = (await sent('get', id, 'detail')).data;
      expect(await resend(id)).toEqual({ code: 0, message: 'Success', data: {} });
      expect((await sent('get', id, 'detail')).data).toEqual(before);
    }
    expect((await resend(await made())).code).toBe(2);
  });
});
