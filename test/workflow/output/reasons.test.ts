import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { benchOf, capturedSales, refund, sandboxForFile } from '../bench';

const sandbox = sandboxForFile({ seed: false });
const bench = benchOf(sandbox);

const messageOf = async (parameters: INodeParameters, row: IDataObject = {}) => {
  const { error } = await bench.run(parameters, [row]);
  return error?.message;
};

const LINES = '[{"quantity":1,"description":"Work","unit_cost":50}]';
const invoice = (more: object) => ({
  resource: 'invoice',
  operation: 'create',
  customer_id: 'NEW1',
  line_itemsMode: 'json',
  line_itemsJson: LINES,
  ...more,
});
const subscription = {
  resource: 'subscription',
  operation: 'create',
  customer_id: 'NOBODY',
  termsSource: 'offPlan',
  plan_frequency: 3,
  recur_amt: '25',
  endsAfter: 'payments',
  plan_duration: '12',
  date_start: '2030-01-01',
};

test.each<[string, INodeParameters, string]>([
  [
    'lines in which a bracket is missing',
    invoice({ line_itemsJson: LINES.slice(0, -1) }),
    '"Line Items (JSON)" must be a JSON array of objects, but is not valid JSON. Check for a missing or extra bracket, comma or quote',
  ],
  [
    'lines that are JSON, but no list',
    invoice({ line_itemsJson: '5' }),
    '(JSON)" must be a JSON array of objects (found',
  ],
  [
    'the number of an invoice in place of its ID',
    { resource: 'invoice', operation: 'send', invoice_id: 'INV-2001', email_address: ['ana@example.com'] },
    '"Invoice" must contain only digits, or choose "From List" to search by another value (found "INV-2001")',
  ],
  [
    'the name of a customer in place of its ID',
    invoice({ customer_id: 'Ana Ito' }),
    '"Customer" must be at most 32 letters and digits, without spaces or other characters, or choose "From List" to search by another value',
  ],
  [
    'a new customer without a name',
    invoice({ additionalFields: { save_customer: true } }),
    'A new customer needs a name. Add a first and last name, or a company name, to the "Billing Contact".',
  ],
  [
    'a link that saves the card of a new customer without a name',
    {
      resource: 'checkout',
      operation: 'create',
      amt_tran: '5',
      additionalFields: { purpose: 'paymentAndSave' },
      customer_id: { __rl: true, mode: 'id', value: 'NEW7' },
    },
    'A new customer needs a name. Enter a first and last name or a company name, or select a saved customer.',
  ],
  [
    'a subscription of a customer whom the service does not have',
    subscription,
    'No saved customer has this ID. Select a saved customer from the list, or choose "New Customer" to save a customer with the subscription.',
  ],
  [
    'a charge of a customer whom the service does not have',
    { resource: 'transaction', operation: 'sale', customer_id: 'NOBODY', amt_tran: '5' },
    'No saved customer has this ID. Choose the customer from the list.',
  ],
  [
    'a payout to a payee whom the service does not have',
    { resource: 'transaction', operation: 'payout', payee_id: '9999', amt_tran: '5' },
    'No payee has the ID 9999, so nothing was sent',
  ],
  [
    'a refund of the number of an order',
    { ...refund, pg_id: 'ORDER-1001', amt_tran: '5' },
    'The gateway has no transaction with this ID. Choose the transaction from the list, or enter the pg_id of the original transaction',
  ],
])("explains the solution in the editor's words: %s", async (_, parameters, message) => {
  expect(await messageOf(parameters)).toContain(message);
});

test('names the report with the remaining amount if a refund is too high', async () => {
  const [row = {}] = capturedSales(sandbox, 1);
  expect(await messageOf({ ...refund, amt_tran: '9999' }, row)).toBe(
    'The refund exceeds the refundable amount of this sale. The list under "Transaction" shows the refundable amount.',
  );
});

test('suggests the complete way to resend an invoice that was already sent', async () => {
  const made = await bench.run(
    invoice({
      additionalFields: {
        save_customer: true,
        billing_contact: { item: { first_name: 'Ana', last_name: 'Ito', email_address: 'ana@example.com' } },
      },
    }),
  );
  const id = asText(made.items[0]?.json.invoice_id);
  const send = { resource: 'invoice', operation: 'send', invoice_id: id, email_address: ['ana@example.com'] };
  expect(await messageOf(send)).toBeUndefined();
  expect(await messageOf(send)).toBe('This invoice was already sent. To send the invoice again, use Invoice > Resend.');
});

test.each<[string, INodeParameters, object, string]>([
  [
    'a payee',
    { resource: 'payee', operation: 'delete', payee_id: '4001' },
    { kind: 'status', status: 403, code: 6 },
    'Support must enable payees for your account.',
  ],
  [
    'test disputes',
    { resource: 'dispute', operation: 'createTestData' },
    { kind: 'status', status: 401, code: 11 },
    'Support must enable dispute management for your account.',
  ],
  [
    'a refund',
    { ...refund, pg_id: '426351789012345678', amt_tran: 1 },
    { kind: 'status', status: 403, code: '100' },
    'Support must enable refunds for vendor accounts.',
  ],
])("names the permission that support must enable if %s isn't allowed", async (_, parameters, fault, advice) => {
  sandbox.control.addFault(fault as Parameters<typeof sandbox.control.addFault>[0]);
  const { error } = await bench.run(parameters);
  expect(error?.message).toContain(advice);
});
