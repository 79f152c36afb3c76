import type { INodeParameters } from 'n8n-workflow';

import { runWorkflow } from '../harness';
import { recorderForFile } from '../recorder';

const recorder = recorderForFile();

const credential = () => ({ ...recorder.credential, baseUrl: `${recorder.baseUrl}/` });

/** Runs the node and records only the requests of this run. */
async function run(parameters: object) {
  recorder.requests.length = 0;
  return await runWorkflow({ rows: [{}], parameters: parameters as INodeParameters, credential: credential() });
}

test.each([
  ['tokenize without a card', { resource: 'card', operation: 'tokenize' }, /Card Number" is required/],
  [
    'tokenize where an expression empties the payment method',
    { resource: 'card', operation: 'tokenize', paymentMethod: '={{ "" }}' },
    /Payment Method.*exactly one/,
  ],
  [
    'tokenize with two sources and no method',
    {
      resource: 'card',
      operation: 'tokenize',
      paymentMethod: '={{ "" }}',
      card_number: '4111111111111111',
      card_swipe: 'x',
    },
    /Payment Method.*Card Number together with Card Swipe/,
  ],
  [
    'half a bank account',
    { resource: 'card', operation: 'tokenize', paymentMethod: 'bankAccount', tr_number: '123456780' },
    /Bank Account Number" is required/,
  ],
  [
    'half a bank account for a saved card',
    {
      resource: 'card',
      operation: 'updateToken',
      tokenized_card_id: 'abc123',
      paymentMethod: 'bankAccount',
      tr_number: '123456780',
    },
    /"Bank Account Number" is required with a Bank Routing Number/,
  ],
  [
    'a month 13',
    { resource: 'card', operation: 'tokenize', card_number: '4111111111111111', exp_date: '1329' },
    /Expiration Date.*01 to 12.*found "1329"/,
  ],
  [
    'a card payment',
    {
      resource: 'invoice',
      operation: 'addPayment',
      invoice_id: '7',
      type: 'CARD',
      amt_paid: 1,
      date_payment: '2026-01-01',
    },
    /must be CHECK, CASH or OTHER/,
  ],
  [
    'a customer ID with a dash',
    { resource: 'invoice', operation: 'create', customer_id: 'C-1', line_items: {} },
    /Customer.*32 letters and digits.*found "C-1"/,
  ],
  [
    'a missing invoice ID',
    { resource: 'invoice', operation: 'send', invoice_id: '={{ "" }}', email_address: ['a@x.com'] },
    /Invoice" is required/,
  ],
  [
    'a recipient that is no address',
    { resource: 'invoice', operation: 'send', invoice_id: '7', email_address: 'ana' },
    /Email Addresses.*must be email addresses.*found "ana"/,
  ],
  [
    'a path that climbs',
    { resource: 'transaction', operation: 'refund', pg_id: '../../x', amt_tran: 1 },
    /Transaction.*must contain only letters/,
  ],
  [
    'an amount with three decimals',
    { resource: 'transaction', operation: 'refund', pg_id: '1', amt_tran: 10.005 },
    /Amount.*2 decimal places.*found 10.005/,
  ],
  [
    'an ID that a spreadsheet has rounded',
    { resource: 'transaction', operation: 'refund', pg_id: Number('426351789012345678'), amt_tran: 1 },
    /Transaction" must be text, because numbers of this length are rounded\. In a spreadsheet.*found a number of 18 digits/,
  ],
  [
    'an amount just above a cent, at any size',
    { resource: 'transaction', operation: 'refund', pg_id: '1', amt_tran: 9999999999.991 },
    /Amount.*2 decimal places.*found a number of 13 digits/,
  ],
  [
    'a time of day as a date',
    {
      resource: 'invoice',
      operation: 'addPayment',
      invoice_id: '7',
      type: 'CASH',
      amt_paid: 1,
      date_payment: '12:30',
    },
    /Payment Date.*must be a date.*found "12:30"/,
  ],
])('refuses %s before anything is sent', async (_, parameters, message) => {
  const { error } = await run(parameters);
  expect(error?.message).toMatch(message);
  expect(error?.message).not.toMatch(/^Row /);
  expect(recorder.requests).toHaveLength(0);
});

test('describes a wrong card number only by its length', async () => {
  const { error } = await run({ resource: 'card', operation: 'tokenize', card_number: '4111 1111 1111 111x' });
  expect(error?.message).toContain('found a value of 19 characters');
  expect(`${error?.message} ${error?.description} ${JSON.stringify(error?.context)}`).not.toContain('1111');
});

test('keeps all 18 digits of an ID in JSON, in a body and in a query', async () => {
  const api = { resource: 'api', operation: 'request', path: '/platform/x' };
  await run({ ...api, method: 'POST', body: '{"a":[{"id":426351789012345678}]}' });
  const [post] = recorder.requests;
  await run({
    ...api,
    method: 'GET',
    queryParametersMode: 'json',
    queryParametersJson: '[{"name":"id","value":426351789012345678}]',
  });
  const [get] = recorder.requests;
  expect(post?.body).toEqual({ a: [{ id: '426351789012345678' }] });
  expect(get?.url).toContain('id=426351789012345678');
});

test.each<[string, INodeParameters, string]>([
  [
    'a card number without its date',
    { card_number: '4111111111111111' },
    '"Expiration Date" is required with a Card Number',
  ],
  [
    'a street without its ZIP code',
    { card_number: '4111111111111111', exp_date: '1230', additionalFields: { avs_address: '12 Mill Road' } },
    '"Billing ZIP Code" is required with a Billing Street',
  ],
])('refuses the card data before anything is sent: %s', async (_, parameters, message) => {
  const { error } = await run({ resource: 'card', operation: 'tokenize', ...parameters });
  expect(error?.message).toBe(message);
  expect(recorder.requests).toHaveLength(0);
});
