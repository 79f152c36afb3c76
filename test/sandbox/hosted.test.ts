import { clientFor, createInvoice, benchForEachTest, type Envelope, type InvoiceData } from './client';

const CARD = { card_number: '4111 1111 1111 1111', exp_date: '12/30', cvv2: '123', holder: 'Ada Abbott' };

describe('Hosted pages', () => {
  const bench = benchForEachTest();
  const person = clientFor('');

  const open = async (link: string): Promise<string> => (await person.get<string>(link)).data;
  const attemptOn = (html: string): string => /name="attempt" value="(\d+)"/.exec(html)?.[1] ?? '';
  const submit = async (link: string, fields: object, attempt?: string): Promise<string> => {
    const form = new URLSearchParams({ attempt: attempt ?? attemptOn(await open(link)), ...fields });
    return (await person.post<string>(link, form)).data;
  };
  const sent = async (fields: object = {}): Promise<InvoiceData> => {
    const invoice = await createInvoice(bench, fields);
    await bench.http.post(`/platform/invoice/${invoice.invoice_id}/send`, {});
    return invoice;
  };
  const state = () => bench.sandbox.control.state();

  test('a customer pays a sent invoice with a test card, and the invoice becomes PAID', async () => {
    const { invoice_link } = await sent();
    expect(await open(invoice_link)).toContain('100.00');
    expect(await submit(invoice_link, CARD)).toContain('Payment received');
    expect(state().invoices).toMatchObject([{ status: 'PAID', amt_paid: 100, amt_balance: 0 }]);
    expect(state().payments).toMatchObject([{ type: 'CARD', amt_paid: 100, tran_status: 'C' }]);
    expect(await open(invoice_link)).toContain('This invoice is paid');
  });

  test('a part payment leaves the invoice OUTSTANDING with its balance', async () => {
    const { invoice_link } = await sent({ checkout_settings: { allow_partial_payments: true } });
    expect(await submit(invoice_link, { ...CARD, amount: '30.30' })).toContain('69.70');
    expect(state().invoices).toMatchObject([{ status: 'OUTSTANDING', amt_paid: 30.3, amt_balance: 69.7 }]);
  });

  test('a form that a customer submits twice makes one payment', async () => {
    const { invoice_link } = await sent({ checkout_settings: { allow_partial_payments: true } });
    const attempt = attemptOn(await open(invoice_link));
    await submit(invoice_link, { ...CARD, amount: '10' }, attempt);
    expect(await submit(invoice_link, { ...CARD, amount: '10' }, attempt)).toContain('already submitted');
    expect(state().payments).toHaveLength(1);
  });

  test("an unsent invoice can't be paid", async () => {
    const { invoice_link } = await createInvoice(bench);
    expect(await submit(invoice_link, CARD, '0')).toContain('has not been sent yet');
    expect(state().payments).toEqual([]);
  });

  test('a wrong card number or a declined amount pays nothing and shows the reason', async () => {
    const { invoice_link } = await sent({ line_items: [{ quantity: 1, description: 'Pin', unit_cost: 0.05 }] });
    expect(await submit(invoice_link, { ...CARD, card_number: '4111111111111112' })).toContain('not valid');
    expect(await submit(invoice_link, { ...CARD, exp_date: '0120' })).toContain('has expired');
    expect(await submit(invoice_link, CARD)).toContain('declined (code 005)');
    expect(state().invoices).toMatchObject([{ status: 'OUTSTANDING', amt_paid: 0 }]);
    expect(state().transactions).toMatchObject([{ tran_status: 'D', rcode: '005' }]);
  });

  test('a refused form keeps the entered values except card numbers and codes', async () => {
    const { invoice_link } = await sent({ checkout_settings: { allow_partial_payments: true } });
    const typed = { ...CARD, holder: 'Grace Hopper', amount: '999' };
    for (const fields of [typed, { ...typed, amount: '30.30', card_number: '4111111111111112' }]) {
      const html = await submit(invoice_link, fields);
      expect(html).toContain('value="Grace Hopper"');
      expect(html).toContain(`value="${fields.amount}"`);
      expect(html).toContain('value="12/30"');
      expect(html).not.toContain(`value="${fields.card_number}"`);
      expect(html).not.toContain('value="123"');
    }
    expect(state().payments).toEqual([]);
  });

  test('a refused checkout keeps the selected saved card', async () => {
    const saving = { customer_id: 'VAULT2', customer_first_name: 'Ada', customer_last_name: 'Abbott' };
    await submit((await addCheckout(saving)).checkout_link, CARD);
    const [card] = state().customers.flatMap(({ billing_cards }) => billing_cards);
    const preferences = { show_saved_payment_methods: true, allow_partial_payments: true, allow_save_card: true };
    const { checkout_link } = await addCheckout({ customer_id: 'VAULT2', amt_tran: 10, preferences });
    const html = await submit(checkout_link, { saved_card: card?.card_id ?? '', amount: '11', save_card: 'true' });
    expect(html).toContain(`<option value="${card?.card_id}" selected>`);
    expect(html).toContain('value="true" checked');
    expect(html).toContain('Enter an amount up to the remaining balance of 10.00 USD.');
  });

  test('a payment with the decline test card is declined, and the customer can then pay with a different card', async () => {
    const { invoice_link } = await sent();
    const html = await submit(invoice_link, { ...CARD, card_number: '4000 0000 0000 0002' });
    expect(html).toContain('The payment was declined (code 005). Nothing was charged.');
    expect(state().invoices).toMatchObject([{ status: 'OUTSTANDING', amt_paid: 0 }]);
    expect(await submit(invoice_link, CARD)).toContain('Payment received');
  });

  test('the expiry date is accepted in the formats that browsers prefill', async () => {
    for (const exp_date of ['12/30', '12/2030', '12 / 30', '1230']) {
      const { invoice_link } = await sent();
      expect(await submit(invoice_link, { ...CARD, exp_date })).toContain('Payment received');
    }
  });

  test('a page shows the payee and the currency and supports autofill', async () => {
    const { invoice_link } = await sent({ tran_currency: '978' });
    const html = await open(invoice_link);
    expect(html).toContain('<header>Sandbox Merchant</header>');
    expect(html).toContain('Pay 100.00 EUR');
    for (const name of ['cc-name', 'cc-number', 'cc-exp', 'cc-csc']) expect(html).toContain(`autocomplete="${name}"`);
    const other = await sent({ tran_currency: '554' });
    expect(await open(other.invoice_link)).toContain('100.00 currency 554');
  });

  test('hosted pages escape text from callers', async () => {
    const { invoice_link } = await sent({
      line_items: [{ quantity: 1, description: '<script>alert(1)</script>', unit_cost: 5 }],
    });
    const html = await open(invoice_link);
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toContain('<script>');
  });

  interface CheckoutData {
    checkout_id: string;
    checkout_link: string;
    expiry_time: string;
  }
  const addCheckout = async (body: object): Promise<CheckoutData> =>
    (await bench.http.post<{ data: CheckoutData }>('/platform/checkout', body)).data.data;
  const lookUp = async (id: string) => (await bench.http.get<Envelope>(`/platform/checkout/${id}`)).data.data;

  test('a checkout is paid once after a declined attempt, and its record shows both attempts', async () => {
    const { checkout_id, checkout_link } = await addCheckout({
      amt_tran: 12.5,
      preferences: { allow_partial_payments: true },
    });
    expect(await submit(checkout_link, { ...CARD, amount: '0.51' })).toContain('declined (code 051)');
    expect(await submit(checkout_link, { ...CARD, amount: '12.50' })).toContain('Payment received');
    expect(await submit(checkout_link, { ...CARD, amount: '1' }, '2')).toContain('Already used');
    expect(await lookUp(checkout_id)).toMatchObject({
      amt_balance: 0,
      transactions: [{ status: 'Declined' }, { status: 'Approved', amt_tran: 12.5, card_number: '411111xxxxxx1111' }],
    });
  });

  test('a checkout stops working at its expiry_time', async () => {
    const { checkout_link } = await addCheckout({ amt_tran: 5, preferences: { expire_in_secs: 900 } });
    await bench.sandbox.control.advanceClock({ seconds: 899 - 5 });
    expect(await open(checkout_link)).toContain('Checkout');
    await bench.sandbox.control.advanceClock({ seconds: 6 });
    expect(await submit(checkout_link, CARD, '0')).toContain('Expired');
    expect(state().transactions).toEqual([]);
  });

  test('a checkout without an amount saves a payment method for a new or existing customer', async () => {
    const body = { customer_id: 'VAULT1', customer_first_name: 'Ada', customer_last_name: 'Abbott' };
    expect(await submit((await addCheckout(body)).checkout_link, CARD)).toContain('Saved');
    const second = await addCheckout({ customer_id: 'VAULT1' });
    await submit(second.checkout_link, { ...CARD, card_number: '5555555555554444' });
    const [customer] = state().customers;
    expect(customer?.billing_cards.map((card) => card.card_number)).toEqual(['411111xxxxxx1111', '555555xxxxxx4444']);
  });

  test('an unknown link returns 404', async () => {
    expect((await person.get(`${bench.sandbox.baseUrl}/hosted/checkout/none`)).status).toBe(404);
  });
});
