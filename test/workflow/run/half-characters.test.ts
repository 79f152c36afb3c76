import type { IDataObject } from 'n8n-workflow';

import { isWellFormed } from '../../../nodes/PaymentPlatform/shared/objects';
import { benchOf, charging, sandboxForFile } from '../bench';

const sandbox = sandboxForFile();
const WHOLE = '\u{1f35e}';
const HALF = WHOLE.slice(0, 1);
const { run } = benchOf(sandbox, { rows: [{ text: `A${HALF}`, ready: `A${WHOLE}` }], looksUp: true });

const fromItem = '={{ $json.text }}';
const inJson = JSON.stringify(`A${HALF}`);
const line = { description: 'x', quantity: 1, unit_cost: 5 };
const post = { resource: 'api', operation: 'request', method: 'POST', path: '/pg/sale' };
const api = (more: IDataObject) => ({ ...post, ...more });
const transaction = (operation: string, more: IDataObject) => ({
  ...{ resource: 'transaction', operation, amt_tran: 5, ...more },
});
const additional = (name: string) => ({ additionalFields: { [name]: fromItem } });
const typed = { card_number: '4111111111111111', exp_date: '12/35' };

const refused: Record<string, [IDataObject, string]> = {
  'reference of a charge': [charging({}, additional('purchase_id')), 'Purchase ID'],
  'reference of an authorization': [
    transaction('authorize', { ...typed, ...additional('purchase_id') }),
    'Purchase ID',
  ],
  'reference of a credit': [transaction('credit', { ...typed, ...additional('purchase_id') }), 'Purchase ID'],
  'reference of a forced charge': [
    transaction('force', { ...typed, auth_code: 'T12345', ...additional('purchase_id') }),
    'Purchase ID',
  ],
  'transaction of a refund': [transaction('refund', { pg_id: fromItem }), 'Transaction'],
  'transaction of a recharge': [transaction('recharge', { pg_id: fromItem }), 'Transaction'],
  'reference of a payout': [
    transaction('payout', { payee_id: '9001', ...additional('merch_ref_num') }),
    'Merchant Reference Number',
  ],
  'invoice number': [
    {
      resource: 'invoice',
      operation: 'create',
      customer_id: 'CUST0001',
      invoice_number: fromItem,
      line_items: { item: [line] },
    },
    'Invoice Number',
  ],
  'description of an invoice line in JSON': [
    {
      resource: 'invoice',
      operation: 'create',
      customer_id: 'CUST0001',
      line_itemsMode: 'json',
      line_itemsJson: `[{"description":${inJson},"quantity":1,"unit_cost":5}]`,
    },
    'Line Items 1 > Description',
  ],
  'plan of a subscription': [
    {
      resource: 'subscription',
      operation: 'create',
      termsSource: 'plan',
      customer_id: 'CUST0001',
      plan_code: fromItem,
    },
    'Plan',
  ],
  'name of a payee': [{ resource: 'payee', operation: 'create', payee_name: fromItem }, 'Payee Name'],
  'name of a customer': [
    {
      resource: 'customer',
      operation: 'create',
      customer_id: 'C1',
      customer_first_name: fromItem,
      customer_last_name: 'B',
    },
    'First Name',
  ],
  'body of an API request': [api({ body: `{"purchase_id":${inJson}}` }), 'Body'],
  'field name in an API request': [api({ body: `{${inJson}:1}` }), 'Body'],
  'query of an API request': [
    api({ method: 'GET', queryParameters: { item: [{ name: 'a', value: fromItem }] } }),
    'Query Parameters 1 > Value',
  ],
  'extra body field': [
    charging({}, { additionalFields: { extraBodyFields: `{"unknown":${inJson}}` } }),
    'Extra Body Fields (JSON)',
  ],
  'extra body field that has a parameter': [
    charging({}, { additionalFields: { extraBodyFields: `{"purchase_id":${inJson}}` } }),
    'Extra Body Fields (JSON)',
  ],
  filter: [
    {
      resource: 'report',
      operation: 'getTransactions',
      filter: { item: [{ field: 'purchase_id', condition: 'IS', value: fromItem }] },
    },
    'Filters 1 > Value',
  ],
  'key of Once per Key': [charging({ oncePerKey: fromItem }), 'Once per Key'],
};

test.each(Object.entries(refused))('half a character is refused before anything is sent: %s', async (_, [p, label]) => {
  for (const options of [{}, { ifExists: { then: 'return' }, unknownOutcome: 'resend' }]) {
    const { error } = await run({ ...p, options: { ...options, ...(p.options as IDataObject) } });
    expect(error?.message).toContain(`"${label}" must not contain half a character`);
    expect(isWellFormed([error?.message, error?.description])).toBe(true);
  }
  expect(sandbox.control.journal()).toEqual([]);
});

test('a whole emoji is sent and found again', async () => {
  const ready = { additionalFields: { purchase_id: '={{ $json.ready }}' } };
  const parameters = charging({ ifExists: { then: 'return' } }, ready);
  const outputs = [await run(parameters), await run(parameters)];
  expect(outputs.map(({ error }) => error?.message)).toEqual([undefined, undefined]);
  const sent = sandbox.control.journal({ operationId: 'sale' });
  expect(sent.map(({ body }) => (body as IDataObject).purchase_id)).toEqual([`A${WHOLE}`]);
});
