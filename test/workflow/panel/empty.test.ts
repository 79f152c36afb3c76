import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runWorkflow } from '../harness';
import { recorderForFile } from '../recorder';

const recorder = recorderForFile();

async function run(parameters: INodeParameters, row: IDataObject = {}) {
  recorder.requests.length = 0;
  const { error, run: made } = await runWorkflow({
    rows: [row],
    parameters,
    credential: recorder.credential,
  });
  const hints = made.data.resultData.runData['Payment Platform']?.[0]?.hints ?? [];
  return { sent: recorder.requests.length, message: error?.message, hints: hints.map(({ message }) => message) };
}

const invoice = { resource: 'invoice', operation: 'create', customer_id: 'C1' };
const line = { quantity: 1, description: 'Work', unit_cost: '12.50' };
const fields = (...item: IDataObject[]) => ({ ...invoice, line_items: { item } }) as INodeParameters;
const json = (line_itemsJson: unknown) =>
  ({ ...invoice, line_itemsMode: 'json', line_itemsJson: line_itemsJson }) as INodeParameters;

test.each<[string, INodeParameters, string]>([
  ['no lines', { ...invoice, line_items: {} }, '"Line Items" must contain at least one Line Item'],
  ['an empty list', json('[]'), '"Line Items" must contain at least one Line Item'],
  [
    'a list that an expression leaves empty',
    json('={{ $json.lines }}'),
    '"Line Items" must contain at least one Line Item',
  ],
  ['a quantity of 0', fields({ ...line, quantity: 0 }), '"Line Items 1 > Quantity" must be at least 0.01 (found 0)'],
  ['a unit cost of 0', fields({ ...line, unit_cost: 0 }), '"Line Items" must have a total greater than 0'],
  ['a discount of all', json([line, { ...line, unit_cost: -12.5 }]), '(found line items with a total of 0)'],
  [
    'a discount of more',
    json([line, { ...line, quantity: 2, unit_cost: -12.5 }]),
    '(found line items with a total of -12.5)',
  ],
])('refuses an invoice with %s before anything is sent', async (_, parameters, message) => {
  const refused = await run(parameters, { lines: [] });
  expect(refused.message).toContain(message);
  expect(refused.sent).toBe(0);
});

test('treats a resource locator that was never opened as empty', async () => {
  const unopened = { mode: 'list', value: '' };
  const link = { resource: 'checkout', operation: 'create', amt_tran: '5' };
  const saving = { ...link, additionalFields: { purpose: 'addMethod' }, customer_id: unopened } as INodeParameters;
  expect((await run(saving)).message).toContain('"Customer" is required');
  const paying = { ...link, customer_id: unopened, additionalFields: { card_id: unopened } } as INodeParameters;
  expect((await run(paying)).message).toBeUndefined();
});

test('sends a line item without a price and returns a notice', async () => {
  const { message, sent, hints } = await run({
    ...fields(line, { ...line, unit_cost: '0' }),
    additionalFields: { billing_contact: { item: { email_address: 'ana@example.com' } } },
  });
  expect([message, sent]).toEqual([undefined, 1]);
  expect(hints).toEqual([
    'An invoice was created with a line item whose Unit Cost is 0. The customer pays nothing for this line.',
  ]);
  expect((await run(fields(line))).hints).toEqual([]);
});

test('returns a notice that phone numbers outside of the United States get no text message', async () => {
  const send = (...phone_number: string[]) =>
    run({ resource: 'invoice', operation: 'send', invoice_id: '7', phone_number });
  const abroad = await send('+1 202 555 0143', '+44 20 7946 0018');
  expect([abroad.message, abroad.sent]).toEqual([undefined, 1]);
  expect(abroad.hints).toEqual([
    expect.stringContaining('A phone number outside the United States received no text message') as string,
  ]);
  expect((await send('+1 202 555 0143')).hints).toEqual([]);
});

const checkout = { resource: 'checkout', operation: 'create', amt_tran: '5' };
const subscription = {
  ...{ resource: 'subscription', operation: 'create', customerSource: 'new', customerMode: 'json' },
  ...{ termsSource: 'plan', plan_code: 'P', date_start: '2030-01-01' },
};
const customer = { customer_first_name: 'Ana', customer_last_name: 'Silva', auto_generate_customer_id: true };
const webhook = { resource: 'webhook', operation: 'create', notification_url: 'https://example.com/x', label: 'L' };

test.each<[string, INodeParameters]>([
  ['"Email" ', { ...checkout, additionalFields: { customer_email: 'nobody' } }],
  ['"Phone" ', { ...checkout, additionalFields: { customer_phone: '5550143' } }],
  ['"New Customer > Email" ', { ...subscription, customerJson: { ...customer, customer_email: 'nobody' } }],
  ['"New Customer > Phone" ', { ...subscription, customerJson: { ...customer, customer_phone: 'call me' } }],
  [
    '"Billing Contact > Email (Required)" ',
    { ...fields(line), additionalFields: { billing_contact: { item: { email_address: 'nobody' } } } },
  ],
  [
    '"Sender Contact > Phone (Required)" ',
    { ...fields(line), additionalFields: { from_contact: { item: { phone: '555 0143' } } } },
  ],
  ['"Email Addresses" ', { ...webhook, additionalFields: { email_address: ['nobody'] } }],
])('refuses an invalid email address or phone number as %s', async (label, parameters) => {
  const { message, sent } = await run(parameters);
  expect(message).toContain(label);
  expect(message).toMatch(/must be (an email address|email addresses|a phone number)/);
  expect(sent).toBe(0);
});
