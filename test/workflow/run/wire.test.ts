import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runWorkflow } from '../harness';
import { recorderForFile, startRecorder, type Recorded } from '../recorder';

const recorder = recorderForFile();

const credential = (more: IDataObject = {}) => ({
  ...recorder.credential,
  baseUrl: `${recorder.baseUrl}/`,
  ...more,
});

async function sent(parameters: INodeParameters, row: IDataObject = {}, more: IDataObject = {}): Promise<Recorded> {
  recorder.requests.length = 0;
  const { error } = await runWorkflow({ rows: [row], parameters, credential: credential(more) as never });
  if (error) throw error as Error;
  expect(recorder.requests).toHaveLength(1);
  return recorder.requests[0] as Recorded;
}

const pairs = { item: [{ name: 'order', value: 'A-1' }] };
const encodedPairs = '[{"name":"order","value":"A-1"}]';
const technical = {
  merchant_id: '999999999999',
  profile_id: '12345678901234567890',
  loc_id: '0001',
  developer_id: 'dev1',
  vendor_id: 7,
  session_id: 's1',
  user_id: 5,
};
const gatewayTechnical = {
  ...technical,
  echo_fields: { given: { echo_fieldsMode: 'fields', echo_fields: pairs } },
  report_data: { given: { report_dataMode: 'json', report_dataJson: encodedPairs } },
};
const gatewayWire = { ...technical, echo_fields: encodedPairs, report_data: encodedPairs };

test('sends accept and authorization with every request and follows no redirect', async () => {
  const request = await sent({ resource: 'transaction', operation: 'refund', pg_id: '42', amt_tran: 5 });
  expect(request.headers).toMatchObject({
    accept: 'application/json',
    'content-type': 'application/json',
    authorization: `Basic ${Buffer.from('123456789012:key-1').toString('base64')}`,
  });
});

test('sends an API token as issued, with or without the word Basic', async () => {
  for (const apiToken of ['dG9rZW4=', ' Basic dG9rZW4= ']) {
    const request = await sent({ resource: 'customer', operation: 'getAll' }, {}, { authMethod: 'apiToken', apiToken });
    expect(request.headers.authorization).toBe('Basic dG9rZW4=');
    expect(request.headers['content-type']).toBeUndefined();
  }
});

test('sends every field of Tokenize', async () => {
  const request = await sent({
    resource: 'card',
    operation: 'tokenize',
    card_number: '4111111111111111',
    exp_date: '0929',
    cvv2: '123',
    cardholder_name: 'Ana Silva',
    additionalFields: {
      avs_address: '1 Main St',
      avs_zip: '12345',
      email_address: ['a@x.com, b@x.com'],
      single_use: true,
      ...gatewayTechnical,
      client_ip: '10.0.0.1',
    },
  });
  expect(request).toMatchObject({ method: 'POST', url: '/base/pg/tokenize' });
  expect(request.body).toEqual({
    card_number: '4111111111111111',
    exp_date: '0929',
    cvv2: '123',
    cardholder_name: 'Ana Silva',
    ...gatewayWire,
    avs_address: '1 Main St',
    avs_zip: '12345',
    email_address: ['a@x.com', 'b@x.com'],
    client_ip: '10.0.0.1',
    single_use: true,
  });
});

test.each([
  ['a bank account', 'bankAccount', { tr_number: '123456780', dda_number: '1234567' }],
  ['a savings account', 'bankAccount', { tr_number: '123456780', dda_number: '1234567', type_id: 'S' }],
  ['a card swipe', 'swipe', { card_swipe: '%B4111^A^?' }],
  ['the first wallet', 'walletA', { payload_walletA_pay: 'abc' }],
  ['the second wallet', 'walletB', { payload_walletB_pay: 'abc' }],
])('accepts %s as the payment method of Tokenize', async (_, paymentMethod, source) => {
  const { body } = await sent({ resource: 'card', operation: 'tokenize', paymentMethod, ...source });
  expect(body).toEqual({ merchant_id: '123456789012', ...source });
});

test("sends only the selected parts of a card in the interface's format", async () => {
  const left = { tr_number: '123456780', card_swipe: 'x' };
  const card = { card_number: '4111-1111-1111-1111', exp_date: '9/2029' };
  const { body } = await sent({ resource: 'card', operation: 'tokenize', paymentMethod: 'card', ...card, ...left });
  expect(body).toEqual({ merchant_id: '123456789012', card_number: '4111111111111111', exp_date: '0929' });
});

test('sends the card ID and only the given fields of Update Token', async () => {
  const { url, body } = await sent({
    resource: 'card',
    operation: 'updateToken',
    tokenized_card_id: 'abc123',
    exp_date: '1230',
  });
  expect(url).toBe('/base/pg/tokenize');
  expect(body).toEqual({ card_id: 'abc123', exp_date: '1230', merchant_id: '123456789012' });
});

test('sends the transaction in the path and the exact amount in the body of Refund', async () => {
  const { url, text, body } = await sent(
    {
      resource: 'transaction',
      operation: 'refund',
      pg_id: '={{ $json.id }}',
      amt_tran: '={{ $json.a + $json.b }}',
      additionalFields: gatewayTechnical,
    },
    { id: 42, a: 0.1, b: 0.2 },
  );
  expect(url).toBe('/base/pg/refund/42');
  expect(body).toEqual({ amt_tran: 0.3, ...gatewayWire });
  expect(text).toContain('"amt_tran":0.3,');
});

test('sends every field of Create Invoice, including nested fields', async () => {
  const contact = {
    first_name: 'Ana',
    last_name: 'Silva',
    firm_name: 'Silva',
    address1: '1 Main',
    address2: 'b',
    city: 'Lisbon',
    state: 'LX',
    zip: '12345',
    zip4: '0001',
    phone: '12025550143',
    email_address: 'a@x.com',
    country_code: '620',
    country: 'Portugal',
  };
  const { first_name, last_name, firm_name, email_address, phone, ...additionalFields } = contact;
  const byFields = { first_name, last_name, firm_name, email_address, phone, additionalFields };
  const { url, body } = await sent({
    resource: 'invoice',
    operation: 'create',
    customer_id: { __rl: true, mode: 'id', value: 'C1' },
    invoice_number: 'INV-1',
    line_itemsMode: 'fields',
    line_items: { item: [{ quantity: 2, description: 'Work', unit_cost: 12.5 }] },
    additionalFields: {
      dueAfterDays: 30,
      billing_contact: { item: byFields },
      save_customer: true,
      from_contact: { item: byFields },
      profile_id: '12345678901234567890',
      tran_currency: 'USD',
      sales_tax: { item: { type: 'RATE', value: 8.25 } },
      date_invoice: '2026-03-31T00:00:00',
      payment_terms_note: 'Net 30',
      footer_note: 'Thanks',
      checkout_settings: { allow_partial_payments: true, email_receipt: false, allow_ach_payment: true },
    },
  });
  expect(url).toBe('/base/platform/invoice');
  expect(body).toEqual({
    customer_id: 'C1',
    invoice_number: 'INV-1',
    line_items: [{ quantity: 2, description: 'Work', unit_cost: 12.5 }],
    save_customer: true,
    from_contact: contact,
    billing_contact: contact,
    profile_id: '12345678901234567890',
    tran_currency: '840',
    sales_tax: { type: 'RATE', value: 8.25 },
    date_invoice: '2026-03-31T00:00:00.000Z',
    payment_terms: { type: 'DAYS', value: '30' },
    payment_terms_note: 'Net 30',
    footer_note: 'Thanks',
    checkout_settings: { allow_partial_payments: true, email_receipt: false, allow_ach_payment: true },
  });
});

test('sends line items from a CRM row in Create Invoice', async () => {
  const { body } = await sent(
    {
      resource: 'invoice',
      operation: 'create',
      customer_id: '={{ $json.customer }}',
      additionalFields: { billing_contact: { item: { email_address: 'ana@example.com' } } },
      line_itemsMode: 'json',
      line_itemsJson: '={{ $json.lines }}',
    },
    { customer: 'C1', lines: [{ quantity: '1', description: 'Plan', unit_cost: '9.99' }] },
  );
  expect(body).toEqual({
    customer_id: 'C1',
    billing_contact: { email_address: 'ana@example.com' },
    line_items: [{ quantity: 1, description: 'Plan', unit_cost: 9.99 }],
  });
});

test('sends arrays of addresses and integers in Send Invoice', async () => {
  const { url, body } = await sent({
    resource: 'invoice',
    operation: 'send',
    invoice_id: '={{ 7 }}',
    email_address: ['a@x.com'],
    phone_number: ['+1 202 555 0143'],
  });
  expect(url).toBe('/base/platform/invoice/7/send');
  expect(body).toEqual({ email_address: ['a@x.com'], phone_number: [12025550143] });
});

test('sends type, amount, day and description in Add Payment', async () => {
  const { url, body } = await sent({
    resource: 'invoice',
    operation: 'addPayment',
    invoice_id: '7',
    type: 'check',
    amt_paid: '12.50',
    date_payment: '2026-03-31',
    description: 'No. 5',
  });
  expect(url).toBe('/base/platform/invoice/7/payments');
  expect(body).toEqual({
    type: 'CHECK',
    amt_paid: 12.5,
    date_payment: '2026-03-31T00:00:00.000Z',
    description: 'No. 5',
  });
});

test('sends filters as triples with encoded commas, sorting, merchant, page and count', async () => {
  const { method, url } = await sent({
    resource: 'customer',
    operation: 'getAll',
    returnAll: false,
    limit: 7,
    filterMode: 'fields',
    filter: {
      item: [
        { field: 'customer_last_name', condition: 'IS', value: 'Silva' },
        { field: 'node_id', condition: 'GREATER_OR', value: 5 },
      ],
    },
    sorting: { order_on: 'customer_id', order_by: 'asc' },
    additionalFields: { merchant_id: '999999999999' },
  });
  expect(method).toBe('GET');
  expect(url).toContain('filter=customer_last_name%2CIS%2CSilva&filter=node_id%2CGREATER_OR%2C5');
  expect(Object.fromEntries(new URL(url, 'http://x').searchParams)).toMatchObject({
    count: '7',
    page: '0',
    merchant_id: '999999999999',
    order_on: 'customer_id',
    order_by: 'asc',
  });
});

test('follows no redirect, so the token reaches no other address, and reports an unknown outcome', async () => {
  const elsewhere = await startRecorder();
  const redirecting = await startRecorder(
    {},
    { status: 307, headers: { location: `${elsewhere.baseUrl}/pg/refund/1` } },
  );
  const { error } = await runWorkflow({
    rows: [{}],
    parameters: { resource: 'transaction', operation: 'refund', pg_id: '1', amt_tran: 1 },
    credential: credential({ baseUrl: redirecting.baseUrl }) as never,
  });
  expect(redirecting.requests).toHaveLength(1);
  expect(elsewhere.requests).toHaveLength(0);
  expect(error?.message).toMatch(/redirect/);
  await redirecting.stop();
  await elsewhere.stop();
});
