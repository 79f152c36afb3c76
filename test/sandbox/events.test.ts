import { DateTime } from 'luxon';

import { clientFor, createInvoice, type Envelope } from './client';
import { BUT_BATCHES, hooksForEachTest } from './receiver';

const CARD = { card_number: '4111 1111 1111 1111', exp_date: '12/30', cvv2: '123', attempt: '0' };

describe('Events of real changes', () => {
  const hooks = hooksForEachTest();
  beforeEach(async () => void (await hooks.create()));

  const post = async (path: string, body: object): Promise<Record<string, unknown>> =>
    (await hooks.bench.http.post<Envelope>(path, body)).data.data as Record<string, unknown>;
  const payFrom = async (link: string, fields: object = {}): Promise<void> =>
    void (await clientFor('').post(link, new URLSearchParams({ ...CARD, ...fields })));
  const told = async () => {
    await hooks.control.settleDeliveries();
    return hooks.receiver.payloads().map(({ event, data }) => ({ event, data }));
  };
  const names = async () => (await told()).map(({ event }) => event).sort();
  const dataOf = async (event: string) => (await told()).filter((one) => one.event === event).map(({ data }) => data);

  test('an account updater request emits an event at its creation and one event at its completion after four days', async () => {
    const { request_id } = await post('/platform/aus/add', {
      data: [{ card_number: '4111111111111111', exp_date: '1230' }],
    });
    await hooks.advance({ days: 3 });
    expect(await told()).toMatchObject([
      { event: 'account_updater_request_created', data: { request_id: Number(request_id), status: 'QUEUED' } },
    ]);
    await hooks.advance({ days: 1 });
    await hooks.advance({ days: 1 });
    expect(await dataOf('account_updater_request_completed')).toMatchObject([
      { request_id: Number(request_id), status: 'COMPLETED', cnt_response: 1 },
    ]);
  });

  test('a hosted checkout emits each declined and approved payment with its checkout_id', async () => {
    const { checkout_id, checkout_link } = await post('/platform/checkout', {
      amt_tran: 12.5,
      preferences: { allow_partial_payments: true },
    });
    await payFrom(String(checkout_link), { amount: '0.51' });
    await payFrom(String(checkout_link), { amount: '12.50', attempt: '1' });
    expect(await dataOf('checkout_payment_failure')).toMatchObject([{ checkout_id, rcode: '051', status: 'Declined' }]);
    expect(await dataOf('checkout_payment_success')).toMatchObject([
      { checkout_id, rcode: '000', amt_tran: 12.5, card_number: '411111xxxxxx1111' },
    ]);
    expect(await told()).toHaveLength(2);
  });

  test('a hosted invoice emits a declined payment, and emits an approved payment together with the paid invoice', async () => {
    const cheap = await createInvoice(hooks.bench, {
      line_items: [{ quantity: 1, description: 'Pin', unit_cost: 0.05 }],
    });
    const other = await createInvoice(hooks.bench, { save_customer: false });
    for (const { invoice_id } of [cheap, other]) await post(`/platform/invoice/${invoice_id}/send`, {});
    await payFrom(cheap.invoice_link);
    expect(await told()).toMatchObject([
      { event: 'invoice_payment_failure', data: { invoice_id: cheap.invoice_id, rcode: '005' } },
    ]);
    await payFrom(other.invoice_link);
    expect(await names()).toEqual(['invoice_paid', 'invoice_payment_failure', 'invoice_payment_success']);
    expect(await dataOf('invoice_payment_success')).toMatchObject([
      { invoice_id: other.invoice_id, type: 'CARD', amt_paid: 100, tran_status: 'C' },
    ]);
    expect(await dataOf('invoice_paid')).toMatchObject([
      { invoice_id: other.invoice_id, status: 'PAID', amt_balance: 0 },
    ]);
  });

  test('each manual payment emits an event, and the invoice emits an event only when the balance is zero', async () => {
    const { invoice_id } = await createInvoice(hooks.bench);
    const pay = async (amt_paid: number) =>
      await post(`/platform/invoice/${invoice_id}/payments`, { type: 'CHECK', amt_paid, date_payment: '2026-11-21' });
    await pay(40);
    expect(await names()).toEqual(['invoice_payment_success']);
    await pay(60);
    await pay(1);
    expect(await names()).toEqual(['invoice_paid', 'invoice_payment_success', 'invoice_payment_success']);
  });

  test('an invoice that is sent to undeliverable@ emits a bounce event', async () => {
    const { invoice_id } = await createInvoice(hooks.bench);
    const email_address = ['undeliverable@example.com', 'ada@example.com'];
    await post(`/platform/invoice/${invoice_id}/send`, { email_address });
    expect(await told()).toMatchObject([
      {
        event: 'invoice_email_undeliverable',
        data: { invoice_id, invoice_number: 'INV-1', status: 'OUTSTANDING', recipient: ['undeliverable@example.com'] },
      },
    ]);
  });

  test('batch close and deposits emit the new status of transactions per merchant', async () => {
    const { linkedMerchantId } = hooks.bench.sandbox.credentials.test;
    const linked = await hooks.create({ webhook_node: linkedMerchantId });
    const pg_ids = hooks.control.addCapturedSales({ count: 2, amountCents: 500 });
    hooks.control.closeBatch();
    expect(await dataOf('transaction_status_updated')).toEqual([
      {
        transactions: pg_ids.map(
          (pg_id) => expect.objectContaining({ pg_id, amt_tran: 5, tran_status: 'S' }) as object,
        ),
      },
    ]);
    hooks.control.sendDeposits();
    hooks.control.closeBatch();
    const statuses = (await dataOf('transaction_status_updated')).map(
      ({ transactions }) => (transactions as Array<{ tran_status: string }>)[0]?.tran_status,
    );
    expect(statuses.sort()).toEqual(['P', 'S']);
    expect(hooks.receiver.payloads().filter(({ webhook_id }) => webhook_id === linked.id)).toEqual([]);
  });

  describe('Recurring charges', () => {
    const subscribe = async (fields: object = {}) => {
      const [customer_id] = hooks.control.addCustomers(1);
      const terms = { plan_frequency: 0, plan_duration: 2, date_start: hooks.control.now(), amt_tran: 12, ...fields };
      return await post('/platform/subscription', { customer_id, ...terms });
    };
    const stateOf = ({ subscription_id }: Record<string, unknown>) =>
      hooks.control.state().subscriptions.find((one) => one.subscription_id === subscription_id);

    test('each billing cycle is charged once, and the last cycle completes the subscription', async () => {
      hooks.reset();
      await hooks.create({ events: BUT_BATCHES });
      const subscription = await subscribe();
      await hooks.advance({ days: 1 });
      await hooks.advance({ days: 1 });
      expect(await told()).toMatchObject([
        {
          event: 'subscription_payment_success',
          data: { subscription_id: subscription.subscription_id, rcode: '000', amt_tran: 12, status: 'A' },
        },
      ]);
      await hooks.advance({ days: 30 });
      expect(await names()).toEqual([
        'subscription_complete',
        'subscription_payment_success',
        'subscription_payment_success',
      ]);
      expect(stateOf(subscription)).toMatchObject({ status: 'D' });
      expect(hooks.control.state().transactions).toHaveLength(2);
    });

    test('a soft decline is retried on three days, then suspends the subscription', async () => {
      const subscription = await subscribe({ amt_tran: 0.51 });
      const failuresAfter: number[] = [];
      for (let day = 0; day < 6; day += 1) {
        await hooks.advance(day === 0 ? { seconds: 1 } : { days: 1 });
        failuresAfter.push((await dataOf('subscription_payment_failure')).length);
      }
      expect(failuresAfter).toEqual([1, 2, 3, 4, 4, 4]);
      expect(await dataOf('subscription_suspended')).toMatchObject([
        { subscription_id: subscription.subscription_id, status: 'S', recur_amt: 0.51 },
      ]);
      expect(stateOf(subscription)).toMatchObject({ status: 'S' });
    });

    test('a hard decline suspends the subscription immediately', async () => {
      await subscribe({ amt_tran: 0.41 });
      await hooks.advance({ days: 7 });
      expect(await names()).toEqual(['subscription_payment_failure', 'subscription_suspended']);
      expect(await dataOf('subscription_payment_failure')).toMatchObject([{ rcode: '041', recur_amt: 0.41 }]);
    });

    test('an expired card is declined with code 054, and the decline suspends a subscription with earlier payments', async () => {
      const exp_date = DateTime.utc().toFormat('MMyy');
      const customer = {
        customer_id: 'EXPIRES1',
        customer_firm_name: 'Firm',
        billing_cards: [{ card_number: '4111111111111111', exp_date }],
      };
      await subscribe({ customer_id: undefined, customer, plan_frequency: 3, plan_duration: -1 });
      await hooks.advance({ seconds: 1 });
      expect(await names()).toEqual(['subscription_payment_success']);
      await hooks.advance({ days: 62 });
      expect(await dataOf('subscription_payment_failure')).toMatchObject([{ rcode: '054' }]);
      expect(await dataOf('subscription_suspended')).toHaveLength(1);
    });
  });

  test('a refused request emits no event', async () => {
    await post('/platform/aus/add', { data: [] });
    const { invoice_id } = await createInvoice(hooks.bench);
    await post(`/platform/invoice/${invoice_id}/payments`, { type: 'CARD', amt_paid: 1, date_payment: '2026-11-21' });
    expect(await told()).toEqual([]);
  });
});
