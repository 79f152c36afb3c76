import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { benchOf, sandboxForFile } from '../bench';
import { runWorkflow } from '../harness';

const sandbox = sandboxForFile({ seed: false });

const credential = () => credentialFor(sandbox);
const { run } = benchOf(sandbox, { parameters: { resource: 'api', operation: 'request' } });

test.each([
  'https://evil.example.com/platform/x',
  '//evil.example.com/platform',
  '/platform/../admin',
  '/platform/./x',
  '/platform/%2e%2e/admin',
  '/platform\\..\\x',
  '/platform/x?token=1',
  '/platform/x#y',
  '/platform//x',
  '/admin/x',
  '/platform',
  '/platform/ x',
  '@evil.example.com/platform/x',
  '/platform/invoice/undefined/cancel',
  '/platform/vault/customer/null',
])('refuses the path %j before anything is sent', async (path) => {
  const { error } = await run({ method: 'GET', path });
  expect(error?.message).toMatch(/^"Path"/);
  expect(sandbox.control.journal()).toHaveLength(0);
});

test.each([
  ['a word for a missing value', { customer_id: 'undefined' }, '"Body > customer_id" must not contain a word for'],
  ['such a word in a list', { items: [{ purchase_id: 'INV-null' }] }, '"Body > items > purchase_id" must not contain'],
  [
    'an account number that is a number',
    { account: { dda_number: 98765432 } },
    '"Body > account > dda_number" must be text',
  ],
  ['an amount below a cent', { amt_tran: 0.004 }, '"amt_tran" must have at most 2 decimal places'],
  [
    'a fraction of a cent in a list',
    { orders: [{ amt_tran: '5.001' }] },
    '"orders 1 > amt_tran" must have at most 2 decimal places',
  ],
])('refuses a body with %s before anything is sent', async (_, body, message) => {
  for (const given of [body, JSON.stringify(body)]) {
    const { error } = await run({ method: 'POST', path: '/pg/sale', body: given });
    expect(error?.message).toContain(message);
    expect(`${error?.message} ${error?.description}`).not.toContain('98765432');
  }
  expect(sandbox.control.journal()).toHaveLength(0);
});

test('refuses a query with a word for a missing value before anything is sent', async () => {
  const queryParameters = { item: [{ name: 'payee_id', value: '[object Object]' }] };
  const { error } = await run({ method: 'DELETE', path: '/platform/vault/payee/7', queryParameters });
  expect(error?.message).toContain('"Query Parameters > payee_id" must not contain a word for a missing value');
  expect(sandbox.control.journal()).toHaveLength(0);
});

test.each(['/pg/sale', '/platform/subscription', '/platform/invoice/1/payments'])(
  'the outcome of a payment at %s is unknown without a code in the response',
  async (path) => {
    const body = { pg_id: '1', error: 'Session expired' };
    sandbox.control.addFault({ kind: 'status', status: 200, body, applied: false });
    const { error } = await run({ method: 'POST', path, body: { amt_tran: 1 } });
    expect(error?.context?.data).toMatchObject({ outcome: 'unknown' });
  },
);

test('unwraps platform and gateway responses by their format', async () => {
  sandbox.control.addCustomers(2);
  const list = await run({ method: 'GET', path: 'platform/vault/customer' });
  expect(list.items).toHaveLength(2);
  expect(list.items[0]?.json.customer_id).toBeTruthy();
  const tokenized = await run({
    method: 'POST',
    path: '/pg/tokenize',
    body: JSON.stringify({ merchant_id: credential().merchantId, card_number: '4111111111111111', exp_date: '1230' }),
  });
  expect(tokenized.items[0]?.json).toMatchObject({ rcode: '000', card_number: '411111xxxxxx1111' });
  const declined = await run({
    method: 'POST',
    path: '/pg/refund/nosuch',
    body: { merchant_id: credential().merchantId, amt_tran: 1 },
  });
  expect(declined.error?.context?.data).toMatchObject({ outcome: 'declined', rcode: '102' });
});

test.each([0, 1, 100, 101, 250])('returns all pages of a list of %d records', async (count) => {
  sandbox.control.addCustomers(count);
  const { items, error } = await run({ method: 'GET', path: '/platform/vault/customer', pages: 'all' });
  expect(error).toBeUndefined();
  expect(new Set(items.map(({ json }) => json.customer_id)).size).toBe(count);
  expect(items).toHaveLength(count);
});

test('sends query parameters by name and repeats a name with several values', async () => {
  sandbox.control.addCustomers(3);
  await run({
    method: 'GET',
    path: '/platform/vault/customer',
    queryParametersMode: 'fields',
    queryParameters: {
      item: [
        { name: 'filter', value: 'customer_first_name,CONTAINS,a' },
        { name: 'filter', value: 'customer_last_name,CONTAINS,a' },
        { name: 'count', value: '2' },
      ],
    },
  });
  expect(sandbox.control.journal()[0]?.query).toMatchObject({
    filter: ['customer_first_name,CONTAINS,a', 'customer_last_name,CONTAINS,a'],
    count: '2',
  });
});

test('retries only requests that read, never a dispute created by GET', async () => {
  sandbox.control.addFault({ kind: 'status', status: 500, calls: [1] });
  const read = await run({ method: 'GET', path: '/platform/vault/customer' });
  expect(read.error).toBeUndefined();
  expect(sandbox.control.journal()).toHaveLength(2);
  sandbox.control.reset();
  sandbox.control.addFault({ kind: 'status', status: 500, calls: [1] });
  const created = await run({ method: 'GET', path: `/platform/dispute/${credential().merchantId}/create` });
  expect(created.error?.context?.data).toMatchObject({ outcome: 'unknown' });
  expect(sandbox.control.journal()).toHaveLength(1);
});

describe("a GET on a path that isn't documented as a read", () => {
  const dispute = (action: string) => `/platform/dispute/${credential().merchantId}/${action}`;
  const sent = () => sandbox.control.journal().length;

  test.each([
    ['a path that acts', () => dispute('create')],
    ['another one', () => dispute('accept')],
    ['a third one', () => dispute('reset')],
    ['another letter case at its end', () => dispute('Create')],
    ['another letter case before', () => dispute('create').replace('dispute', 'Dispute')],
    ['a path that is not documented', () => dispute('submit')],
    ['another letter case of a path that reads', () => '/platform/vault/Customer'],
  ])('sends the GET once, even with All Pages: %s', async (_, path) => {
    for (const pages of ['one', 'all']) {
      sandbox.control.reset();
      sandbox.control.addFault({ kind: 'status', status: 500, calls: [1] });
      const { error } = await run({ method: 'GET', path: path(), pages });
      expect(error?.context?.data).toMatchObject({ outcome: 'unknown' });
      expect(sent()).toBe(1);
    }
  });

  test.each([
    ['a slash at its end', () => `${dispute('accept')}/`],
    ['an escaped letter', () => dispute('%61ccept')],
  ])('refuses the GET with %s', async (_, path) => {
    expect((await run({ method: 'GET', path: path() })).error?.message).toMatch(/^"Path"/);
    expect(sent()).toBe(0);
  });

  test("a GET on a path that isn't documented as a read isn't repeated by a retry, and a hint states that All Pages was not applied", async () => {
    const parameters: INodeParameters = {
      ...{ resource: 'api', operation: 'request', method: 'GET', pages: 'all', path: '={{ $json.path }}' },
      options: { sending: { maxParallelRequests: 1 } },
    };
    const given = { rows: [{ path: dispute('create') }, { path: '/platform/plan/none' }], credential: credential() };
    const first = await runWorkflow({ ...given, parameters, onError: 'stopWorkflow' });
    expect(first.error?.message).toContain('Row 2 of 2');
    const again = await runWorkflow({ ...given, parameters, onError: 'continueRegularOutput', retryOf: first.run });
    expect(again.items.filter(({ json }) => json.rec_id !== undefined).length).toBeGreaterThan(0);
    expect(again.hints.join()).toContain('ignored "All Pages"');
    expect(sandbox.control.journal().filter(({ path }) => path.endsWith('/create'))).toHaveLength(1);
  });

  test("refuses a look-up path that isn't documented as a read", async () => {
    const looks = { method: 'POST', path: '/platform/plan', additionalFields: { lookUpPath: dispute('Accept') } };
    const { error } = await run({ ...looks, body: '{"plan_code":"A"}' });
    expect(error?.message).toContain(
      '"Look Up With GET" must be a path whose GET requests are documented as read-only',
    );
    expect(sent()).toBe(0);
  });
});

test("refuses a body that isn't a JSON object, and the message doesn't show the body", async () => {
  const { error } = await run({ method: 'POST', path: '/pg/tokenize', body: '{"card_number":"4111111111111111"' });
  expect(error?.message).toMatch(/"Body" must be a JSON object/);
  expect(error?.message).not.toContain('4111');
});

describe('Extra Body Fields', () => {
  const refund = { resource: 'transaction', operation: 'refund', pg_id: 'abc', amt_tran: 5 };
  const extra = (fields: IDataObject, beside: IDataObject = {}) => ({
    additionalFields: { ...beside, extraBodyFields: JSON.stringify(fields) },
  });
  const invoice = (fields: IDataObject, more: INodeParameters = {}) => ({
    resource: 'invoice',
    operation: 'create',
    customer_id: 'C1',
    line_items: { item: [{ description: 'A', quantity: '1', unit_cost: '10' }] },
    ...more,
    ...extra(fields),
  });
  const sent = () => sandbox.control.journal()[0]?.body;

  test("sends fields that the node doesn't know", async () => {
    await run({ ...refund, ...extra({ new_field: { a: 1 } }) });
    expect(sent()).toMatchObject({ amt_tran: 5, new_field: { a: 1 } });
  });

  test("refuses an amount below a cent in a field that the node doesn't know", async () => {
    const { error } = await run({ ...refund, ...extra({ amt_tip: 0.004 }) });
    expect(error?.message).toContain('"amt_tip" must have at most 2 decimal places');
    expect(sent()).toBeUndefined();
  });

  test('fills in an empty parameter and applies its checks', async () => {
    // n8n doesn't start a node with an empty "Amount", but accepts an expression.
    const empty = { ...refund, amt_tran: "={{ '' }}" };
    await run({ ...empty, ...extra({ amt_tran: '7.50' }) });
    expect(sent()).toMatchObject({ amt_tran: 7.5 });
    sandbox.control.clearJournal();
    const { error } = await run({ ...empty, ...extra({ amt_tran: '7,50' }) });
    expect(error?.message).toMatch(/"Amount".*7,50/);
    expect(error?.description).not.toContain('comes from');
    expect(sandbox.control.journal()).toHaveLength(0);
  });

  test("fills in an additional field, an object or a list in the service's format", async () => {
    const contact = { first_name: 'Ana', last_name: 'Diaz', email_address: 'ana@example.com' };
    const line_items = [{ description: 'A', quantity: 2, unit_cost: 3.5 }];
    const { error: refusal } = await run(
      invoice({ save_customer: true, footer_note: 'Thanks', billing_contact: contact, line_items }, { line_items: {} }),
    );
    expect(refusal?.message).toBeUndefined();
    expect(sent()).toMatchObject({ save_customer: true, footer_note: 'Thanks', billing_contact: contact, line_items });
  });

  test('refuses an object that violates its own rules', async () => {
    const { error } = await run(
      invoice({ line_items: [{ description: 'A', quantity: 2, color: 'red' }] }, { line_items: {} }),
    );
    expect(error?.message).toMatch(/unknown field "color"/);
    expect(sandbox.control.journal()).toHaveLength(0);
  });

  test.each([null, '', [], {}])('refuses values that would be silently left out: %j', async (nothing) => {
    const { error } = await run(invoice({ footer_note: nothing }));
    expect(error?.message).toMatch(
      /"Extra Body Fields \(JSON\)" can't set this field.*Use "Footer Note"|"Footer Note"/,
    );
    expect(sandbox.control.journal()).toHaveLength(0);
  });

  test('shows no card number, whether it is sent or refused', async () => {
    const card = (card_number: string) => ({
      resource: 'card',
      operation: 'tokenize',
      ...extra({ card_number, exp_date: '1230' }),
    });
    const sentOne = await run(card('4111111111111111'));
    const refusedOne = await run(card('4111111111111112'));
    expect(sentOne.items[0]?.json.card_id).toBeTruthy();
    expect(refusedOne.error?.message).toMatch(/Card Number|card number/);
    const told = [
      sentOne.items,
      refusedOne.items,
      refusedOne.error?.message,
      refusedOne.error?.description,
      refusedOne.error?.context,
    ];
    expect(JSON.stringify(told)).not.toMatch(/411111111111111[12]/);
  });

  test('never replaces the value of a parameter', async () => {
    const { error } = await run({ ...refund, ...extra({ amt_tran: 500 }) });
    expect(error?.message).toMatch(/"Extra Body Fields \(JSON\)" can't set this field.*Use "Amount"/);
    expect(sandbox.control.journal()).toHaveLength(0);
  });
});

describe('a secret in a response', () => {
  const auth_settings = { user_name: 'n8n', user_password: 'delivery-password-1' };
  const hook = { notification_url: 'https://n8n.example.com/webhook/x', auth_type: 'BASIC', auth_settings };
  const webhook = (additionalFields: INodeParameters = {}): INodeParameters => ({
    ...{ method: 'POST', path: '/platform/webhook', additionalFields },
    body: `={{ ${JSON.stringify({ ...hook, label: 'A' }).replace('"A"', '$json.label')} }}`,
  });
  const rows = [{ label: 'Paid' }, { label: 'Sent' }];

  test('the run says which secret the output omits, and how to get it', async () => {
    const { items, hints } = await run(webhook(), rows);
    expect(items.map(({ json }) => json.security_key)).toEqual([undefined, undefined]);
    expect(hints).toEqual([
      'Row 1 (Paid), row 2 (Sent): the output does not contain security_key, because n8n stores every output. To get the value, turn on "Show Full Account Numbers". If the service returns the value only once, create a new value.',
    ]);
  });

  test('the output omits passwords and security keys, and masks account numbers, at any depth', async () => {
    const secrets = { user_password: 'delivery-password-1', security_key: 'whsec-1', secret: 'whsec-2' };
    const record = {
      webhook_id: 7,
      ...secrets,
      auth_settings: { user_name: 'n8n', ...secrets },
      dda_number: '1234567',
    };
    const data = [{ ...record, list: [record], text: JSON.stringify(record) }];
    sandbox.control.addFault({
      kind: 'status',
      status: 200,
      calls: 'all',
      body: { code: 0, message: 'Success', data },
    });
    for (const request of [{ method: 'GET' }, { method: 'GET', pages: 'all' }, { method: 'POST', body: '{}' }]) {
      const { items } = await run({ path: '/platform/webhook', ...request });
      const shown = JSON.stringify(items.map(({ json }) => json));
      expect(shown).toContain('"user_name":"n8n"');
      expect(shown).not.toMatch(/delivery-password|whsec|1234567|user_password|security_key/);
    }
  });

  test('the run does not mention a secret that the output contains', async () => {
    const { items, hints } = await run(webhook({ showAccountNumbers: true }), rows);
    for (const { json } of items) expect(json.security_key).toEqual(expect.any(String));
    expect(hints).toEqual([]);
  });

  test('a retry says which secret a result from memory lacks', async () => {
    sandbox.control.addFault({ kind: 'status', status: 400, code: 2, calls: [2] });
    const sending = { sending: { maxParallelRequests: 1 } };
    const { run: retryOf } = await run({ ...webhook(), options: sending }, rows);
    const { hints } = await run(webhook(), rows, { retryOf });
    expect(hints).toEqual([
      expect.stringMatching(/^An earlier attempt in this execution completed 1 of 2 rows/),
      expect.stringMatching(/^Row 2 \(Sent\): the output does not contain security_key/),
      expect.stringMatching(/^Row 1 \(Paid\): the saved result does not contain security_key/),
    ]);
  });
});
