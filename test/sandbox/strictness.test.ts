import { benchForFile, type Envelope } from './client';

const CARD = { card_number: '4111111111111111', exp_date: '1230' };
const ACCOUNT = { tr_number: '021000021', dda_number: '123456789' };
const NAMES = { auto_generate_customer_id: true, customer_first_name: 'Ada', customer_last_name: 'Abbott' };

describe('The sandbox refuses requests that the document forbids', () => {
  const bench = benchForFile(true);

  const post = async (path: string, body: object): Promise<Envelope> =>
    (await bench.http.post<Envelope>(path, body)).data;
  const subscribe = async (body: object) => await post('/platform/subscription', body);
  const offPlan = { plan_frequency: 3, plan_duration: 12, amt_tran: 12.5 };
  const someone = () => String(bench.sandbox.control.state().customers[0]?.customer_id);
  const naming = (field: string) => ({ code: 2, data: { [field]: expect.any(String) as string } });

  test.each([
    ['a card number without its expiration date', { card_number: CARD.card_number }, 'exp_date'],
    ['a card and a bank account', { ...CARD, ...ACCOUNT }, undefined],
    ['a card and a saved card', { ...CARD, card_id: 'abc' }, undefined],
    ['nothing to pay with', { billing_zip: '97477' }, undefined],
  ])('the sandbox refuses to create a customer with %s', async (_, card, field) => {
    const answer = await subscribe({ ...offPlan, customer: { ...NAMES, billing_cards: [card] } });
    const name = ['customer.billing_cards[0]', field].filter(Boolean).join('.');
    expect(answer).toMatchObject(naming(name));
  });

  test.each([
    ['2 with a yearly frequency', { ...offPlan, plan_frequency: 6, interval: 2 }, 'interval'],
    ['a plan and an amount', { plan_code: 'MONTHLY25', amt_tran: 12.5 }, 'amt_tran'],
    ['a plan and a frequency', { plan_code: 'MONTHLY25', plan_frequency: 3 }, 'plan_frequency'],
    ['a plan and a duration', { plan_code: 'MONTHLY25', plan_duration: 3 }, 'plan_duration'],
    ['a plan and an interval', { plan_code: 'MONTHLY25', interval: 2 }, 'interval'],
    ['use_existing_customer without a customer', { ...offPlan, use_existing_customer: true }, 'use_existing_customer'],
  ])('the sandbox refuses a subscription with %s', async (_, terms, field) => {
    expect(await subscribe({ customer_id: someone(), ...terms })).toMatchObject(naming(field));
  });

  test.each(['["a"]', '[{}]', '[{"name":"a"}]', '[{"value":"b"}]', '[["a","b"]]', '[{"name":1,"value":"b"}]'])(
    "the sandbox refuses the echo_fields %s, which don't contain names and values",
    async (echo_fields) => {
      const { merchant_id } = bench;
      expect(await post('/pg/tokenize', { merchant_id, ...CARD, echo_fields })).toMatchObject({ rcode: '100' });
    },
  );

  test.each(['555 0100', '5415550100', 'call me'])(
    'the sandbox refuses a new customer with the phone number %s, which has no country prefix',
    async (phone) => {
      const customer = { ...NAMES, customer_phone: phone, billing_cards: [CARD] };
      expect(await subscribe({ ...offPlan, customer })).toMatchObject(naming('customer_phone'));
    },
  );

  test('the sandbox refuses an invoice with a phone number that is too short for a country prefix', async () => {
    const made = await post('/platform/invoice', {
      customer_id: someone(),
      line_items: [{ quantity: 1, unit_cost: 5 }],
    });
    const { invoice_id } = made.data as { invoice_id: number };
    expect(await post(`/platform/invoice/${invoice_id}/send`, { phone_number: [5550100] })).toMatchObject(
      naming('phone_number'),
    );
  });

  const saving = { amt_tran: 5, preferences: { allow_save_card: true } };
  test.each([
    ['nobody', saving, 'customer_id'],
    ['a new customer without a name', { ...saving, customer_id: 'NOBODY1' }, 'customer_firm_name'],
    [
      'a new customer with a first name only',
      { ...saving, customer_id: 'NOBODY1', customer_first_name: 'Ada' },
      'customer_firm_name',
    ],
  ])('the sandbox refuses a link that takes a payment and saves the card for %s', async (_, body, field) => {
    expect(await post('/platform/checkout', body)).toMatchObject(naming(field));
  });

  test.each([
    ['a new customer with a name', { ...saving, customer_id: 'NOBODY1', customer_firm_name: 'Silva Bakery' }],
    ['a payment of nobody, with nothing saved', { amt_tran: 5 }],
  ])('the sandbox accepts a link for %s', async (_, body) => {
    expect((await post('/platform/checkout', body)).code).toBe(0);
  });

  test('the sandbox refuses a link that shows saved payment methods without a known customer', async () => {
    const body = { amt_tran: 5, preferences: { show_saved_payment_methods: true } };
    expect(await post('/platform/checkout', body)).toMatchObject(naming('customer_id'));
    expect(await post('/platform/checkout', { ...body, customer_id: someone() })).toMatchObject({ code: 0 });
  });

  test("the sandbox refuses a link with another customer's card, with or without an amount", async () => {
    const body = { customer_id: someone(), card_id: 'a'.repeat(32) };
    for (const amount of [{}, { amt_tran: 5 }])
      expect(await post('/platform/checkout', { ...body, ...amount })).toMatchObject(naming('card_id'));
  });
});
