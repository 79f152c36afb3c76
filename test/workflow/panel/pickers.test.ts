import axios from 'axios';
import type { INodeListSearchItems, INodeListSearchResult, INodeParameters } from 'n8n-workflow';

import { NOT_SHOWN, type SearchName } from '../../../nodes/PaymentPlatform/fields/searches';
import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { credentialFor } from '../../credential';
import { benchOf, sandboxForFile } from '../bench';
import { searchList } from '../picker';

const sandbox = sandboxForFile();
const bench = benchOf(sandbox);

const search = async (name: SearchName, typed?: string, more: { parameters?: INodeParameters; token?: string } = {}) =>
  await searchList(name, credentialFor(sandbox), { typed, ...more });

/** A row without a value names records that can't be chosen. */
const isOffered = ({ value }: INodeListSearchItems) => typeof value === 'string' && value !== NOT_SHOWN;
const names = ({ results }: INodeListSearchResult) => results.map(({ name }) => name);
const newSale = (amountCents: number, customer_id = 'CUST0006') =>
  sandbox.control.addCapturedSales({ count: 1, amountCents, customer_id })[0] ?? '';

async function refund(pgId: string, amt_tran: number) {
  const { token, merchantId } = sandbox.credentials.test;
  const body = { merchant_id: merchantId, amt_tran };
  const headers = { authorization: `Basic ${token}` };
  const { data } = await axios.post<{ rcode: string }>(`${sandbox.baseUrl}/pg/refund/${pgId}`, body, { headers });
  expect(data.rcode).toBe('000');
}

test('reduces the remaining amount by each refund and leaves out fully refunded sales', async () => {
  const pgId = newSale(4900);
  const of = async () => names(await search('searchSales', pgId))[0] ?? '';
  expect(await of()).toMatch(/ · 49[.]00 USD · .* · ORDER-\d+ · captured$/);
  await refund(pgId, 19);
  expect(await of()).toMatch(/ · 49[.]00 USD [(]30[.]00 left[)] · .* · captured$/);
  sandbox.control.closeBatch();
  expect(await of()).toMatch(/^1 not shown [(]settled, refundable after the deposit is sent[)]: .* · 49[.]00 USD · /);
  sandbox.control.sendDeposits();
  expect(await of()).toMatch(/ [(]30[.]00 left[)] · .* · deposited$/);
  await refund(pgId, 10.5);
  expect(await of()).toMatch(/ [(]19[.]50 left[)] · .* · deposited$/);
  await refund(pgId, 19.5);
  expect(await of()).toMatch(/^1 not shown [(]refunded in full[)]: .* · 49[.]00 USD · /);
});

test('offers exactly the sales and amounts that can be refunded', async () => {
  sandbox.control.reset();
  const { results } = await search('searchSales');
  const offered = results.filter(isOffered);
  expect(offered.length).toBeGreaterThan(5);
  for (const { name, value } of offered) {
    const [, amount, left = amount] = / · ([\d.]+) [A-Z]+(?: [(]([\d.]+) left[)])? · /.exec(name) ?? [];
    await refund(String(value), Number(left));
  }
  const after = await search('searchSales');
  expect(after.results.filter(isOffered)).toEqual([]);
  expect(names(after)[0]).toMatch(/^\d+ of the latest \d+ transactions not shown: .*[(]\d+[)]$/);
});

test('shows the cardholder, the order, the whole reason and the card of a dispute', async () => {
  sandbox.control.reset();
  await bench.run({ resource: 'dispute', operation: 'createTestData', additionalFields: { reason_code: '13.1' } });
  const all = { resource: 'dispute', operation: 'getAll', simplify: false };
  const { card_number, purchase_id, reason_desc, rec_id } = (await bench.run(all)).items[0]?.json ?? {};
  const last = asText(card_number).slice(-4);
  const sale = sandbox.control.state().transactions.find(({ dispute_flag: isDisputed }) => isDisputed);
  const name = `${sale?.cardholder_first_name} ${sale?.cardholder_last_name}`;
  const [row = ''] = names(await search('searchDisputes', asText(rec_id)));
  expect(row).toContain(`${name} · ${asText(purchase_id)} · ${asText(reason_desc)} · `);
  expect(row).toContain(` · card ${last} · due about `);
  for (const typed of [name, `card ${last}`, asText(purchase_id), asText(reason_desc)])
    expect(names(await search('searchDisputes', typed))[0]).toBe(row);
});

test('reads the cardholders of all disputes in one request, and shows no name if two differ', async () => {
  sandbox.control.reset();
  await bench.run({ resource: 'dispute', operation: 'createTestData' });
  const asked = () => sandbox.control.journal({ operationId: 'getTransactionRequests' }).length;
  const before = asked();
  const rows = names(await search('searchDisputes'));
  expect(rows.length).toBeGreaterThan(5);
  expect(asked() - before).toBe(1);
  const { purchase_id, card_number } =
    sandbox.control.state().transactions.find(({ dispute_flag }) => dispute_flag) ?? {};
  const row = rows.find((one) => one.includes(` · ${asText(purchase_id)} · `)) ?? '';
  const body = {
    ...{ code: 0, message: 'OK', totalRecords: 2, totalPages: 1 },
    data: ['Eva', 'Ben'].map((cardholder_first_name, index) => ({
      pg_id: `${index}`,
      purchase_id,
      card_number,
      cardholder_first_name,
    })),
  };
  sandbox.control.addFault({ kind: 'status', status: 200, body, operationId: 'getTransactionRequests', calls: 'all' });
  const [, ...rest] = row.split(' · ');
  expect(names(await search('searchDisputes'))).toContain(rest.join(' · '));
});

test('finds a sale by amount, name, day and card', async () => {
  newSale(4900);
  const [name = ''] = names(await search('searchSales', '49'));
  const [person = '', , day = '', method = ''] = name.split(' · ');
  for (const typed of ['49.00', '$49.00', person, person.split(' ').reverse().join(' '), `${day} 49`, method])
    expect(names(await search('searchSales', typed))).toContain(name);
  expect(names(await search('searchSales', `${person} 49`))[0]).toBe(name);
});

test('finds a customer and a saved card by every word of the name', async () => {
  const [customer] = (await search('searchCustomers', 'CUST0006')).results;
  const words = String(customer?.name).split(' · ')[0] ?? '';
  const turned = words.split(' ').reverse().join(' ');
  expect((await search('searchCustomers', turned)).results[0]?.value).toBe('CUST0006');
  const cards = (await search('searchCards', turned)).results;
  expect(cards[0]?.name).toContain('CUST0006');
  const own = await search('searchCards', '', {
    parameters: {
      ...{ resource: 'checkout', operation: 'create' },
      customer_id: { __rl: true, mode: 'list', value: 'CUST0006' },
    },
  });
  expect(own.results.map(({ value }) => value)).toEqual([cards[0]?.value]);
});

test('shows and finds an invoice by number, person, amount, status, balance and due date', async () => {
  const parameters: INodeParameters = { resource: 'invoice', operation: 'cancel' };
  const all = await search('searchInvoices', undefined, { parameters });
  const [name = ''] = names(all);
  expect(name).toMatch(/^INV-20\d\d · \w+ \w+ · [\d.]+ · sent · .*due \d+ \w{3}$/);
  expect(names(all).at(-1)).toMatch(/^1 not shown [(]paid[)]: INV-2005 · /);
  const [number = '', person = '', amount = ''] = name.split(' · ');
  const due = name.split('due ')[1] ?? '';
  for (const typed of [number, person, amount, `${person} ${due}`, String(all.results[0]?.value)])
    expect(names(await search('searchInvoices', typed, { parameters }))).toContain(name);
});

describe('an invoice without a billing contact', () => {
  const post = async (customer_id = 'CUST0006') => {
    const headers = { authorization: `Basic ${sandbox.credentials.test.token}` };
    const line_items = [{ quantity: 1, description: 'Visit', unit_cost: 61.5 }];
    const body = { customer_id, invoice_number: 'INV-3001', line_items };
    await axios.post(`${sandbox.baseUrl}/platform/invoice`, body, { headers });
  };
  const customersRead = () =>
    sandbox.control.journal().filter(({ path }) => path === '/platform/vault/customer').length;

  test("shows and finds an invoice by its customer's name with one request for the customers", async () => {
    await post();
    const { customer_first_name: first, customer_last_name: last } =
      sandbox.control.state().customers.find(({ customer_id }) => customer_id === 'CUST0006') ?? {};
    const [shown = ''] = names(await search('searchInvoices'));
    expect(shown).toMatch(new RegExp(`^INV-3001 · ${first} ${last} · 61[.]50 · not sent · due `));
    expect(customersRead()).toBe(1);
    for (const typed of [`${first} ${last}`, `${last} 61.50`, 'CUST0006'])
      expect(names(await search('searchInvoices', typed))).toContain(shown);
  });

  test("shows the customer's ID if the customers can't be read", async () => {
    await post();
    sandbox.control.addFault({ kind: 'status', status: 403, code: 6, path: '/platform/vault/customer', calls: 'all' });
    expect(names(await search('searchInvoices'))[0]).toMatch(/^INV-3001 · CUST0006 · /);
  });

  test('reads customers only for invoices without a billing contact', async () => {
    await search('searchInvoices');
    await search('searchInvoices', 'INV-2001');
    expect(customersRead()).toBe(0);
  });
});

test.each<[string, string[]]>([
  ['send', ['INV-2002', 'INV-2001']],
  ['update', ['INV-2002', 'INV-2001']],
  ['updateContacts', ['INV-2006', 'INV-2004', 'INV-2003']],
  ['resend', ['INV-2006', 'INV-2005', 'INV-2004', 'INV-2003']],
  ['deletePayment', ['INV-2006', 'INV-2004', 'INV-2003', 'INV-2002', 'INV-2001']],
  ['copy', ['INV-2006', 'INV-2005', 'INV-2004', 'INV-2003', 'INV-2002', 'INV-2001']],
  ['get', ['INV-2006', 'INV-2005', 'INV-2004', 'INV-2003', 'INV-2002', 'INV-2001']],
])('offers invoices for %s only in the states that it accepts', async (operation, numbers) => {
  const found = names(await search('searchInvoices', undefined, { parameters: { resource: 'invoice', operation } }));
  expect(found.filter((name) => name.startsWith('INV')).map((name) => name.slice(0, 8))).toEqual(numbers);
});

describe('a payment on an invoice', () => {
  const of = (invoice?: number): INodeParameters => ({
    resource: 'invoice',
    operation: 'deletePayment',
    invoice_id: { __rl: true, mode: 'list', value: invoice ?? '' },
  });
  const partly = () =>
    sandbox.control.state().invoices.find(({ status, amt_paid }) => status === 'OUTSTANDING' && amt_paid > 0);

  test('shows and finds payments on the selected invoice by type, amount and day', async () => {
    const parameters = of(partly()?.invoice_id);
    const all = await search('searchPayments', undefined, { parameters });
    const [name = ''] = names(all);
    expect(names(all)).toEqual([expect.stringMatching(/^cash · 100\.00 · \d+ \w{3}$/)]);
    for (const typed of ['cash', '100', name.split(' · ')[2] ?? '', String(all.results[0]?.value)])
      expect(names(await search('searchPayments', typed, { parameters }))).toEqual([name]);
    expect(names(await search('searchPayments', 'check', { parameters }))).toEqual([]);
  });

  test('shows the invoice of each payment if no invoice is selected', async () => {
    const invoice = partly()?.invoice_id;
    expect(names(await search('searchPayments', undefined, { parameters: of() }))).toContainEqual(
      expect.stringMatching(new RegExp(`^cash · 100\\.00 .* · on invoice ${invoice}$`)),
    );
  });
});

describe('a subscription', () => {
  beforeEach(() => sandbox.control.reset());
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Basic ${sandbox.credentials.test.token}` };
    const { data } = await axios.post<{ data: { subscription_id: number } }>(`${sandbox.baseUrl}${path}`, body, {
      headers,
    });
    return data.data.subscription_id;
  };
  const terms = { customer_id: 'CUST0002', plan_frequency: 3, plan_duration: 12, date_start: '2030-03-01' };
  const inOperation = async (operation: string, typed?: string) =>
    names(await search('searchSubscriptions', typed, { parameters: { resource: 'subscription', operation } }));

  test('shows and finds a subscription by customer, plan, amount, state and next payment', async () => {
    const id = await post('/platform/subscription', { ...terms, amt_tran: 39.5, plan_desc: 'Garden box' });
    await post('/platform/subscription', { customer_id: 'CUST0001', plan_code: 'MONTHLY25', date_start: '2030-04-01' });
    const found = await inOperation('get', String(id));
    expect(found).toEqual([
      expect.stringMatching(/^\w+ \w+ · 39[.]50 USD monthly · active · next 1 Mar 2030 · Garden box · \d+$/),
    ]);
    const [person = ''] = (found[0] ?? '').split(' · ');
    for (const typed of [person, 'garden', '39.50', '1 Mar 2030', 'CUST0002', `${person} active monthly`])
      expect((await inOperation('get', typed))[0]).toBe(found[0]);
    expect(await inOperation('get', 'MONTHLY25')).toHaveLength(1);
  });

  test("counts and leaves out subscriptions that the operation can't change", async () => {
    const [active, paused, canceled] = [
      await post('/platform/subscription', { ...terms, amt_tran: 1.5 }),
      await post('/platform/subscription', { ...terms, amt_tran: 2.5 }),
      await post('/platform/subscription', { ...terms, amt_tran: 3.5 }),
    ];
    await post(`/platform/subscription/${paused}/pause`, { customer_id: 'CUST0002' });
    await post(`/platform/subscription/${canceled}/cancel`, { customer_id: 'CUST0002' });
    const offered = async (operation: string) =>
      (await inOperation(operation))
        .filter((name) => !name.includes('not shown'))
        .map((name) => name.split(' · ').at(-1));
    expect((await offered('get')).sort()).toEqual([active, paused, canceled].map(String).sort());
    expect((await offered('cancel')).sort()).toEqual([active, paused].map(String).sort());
    expect(await offered('pause')).toEqual([String(active)]);
    expect(await offered('resume')).toEqual([String(paused)]);
    expect((await inOperation('pause')).at(-1)).toMatch(
      /^2 of the latest \d+ subscriptions not shown: canceled [(]1[)]; paused [(]1[)]$/,
    );
  });
});

describe('lists for a selected subscription', () => {
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Basic ${sandbox.credentials.test.token}` };
    const url = `${sandbox.baseUrl}/platform/subscription${path}`;
    return (await axios.post<{ data: { subscription_id: number } }>(url, body, { headers })).data.data;
  };
  const subscribed = async () => {
    const body = { customer_id: 'CUST0003', plan_code: 'MONTHLY25', date_start: '2030-03-01' };
    return String((await post('', body)).subscription_id);
  };
  const beside = (subscription_id: INodeParameters[string]) => ({
    parameters: { resource: 'subscription', operation: 'update', subscription_id },
  });

  test('lists the labels of the subscription, and explains the solution if no subscription is selected', async () => {
    const id = await subscribed();
    await post(`/${id}/labels/add`, { name: 'route', value: 'Tuesday north' });
    await post(`/${id}/labels/add`, { name: 'sales', value: 'Ana' });
    const chosen = beside({ __rl: true, mode: 'id', value: id });
    expect(names(await search('searchLabels', undefined, chosen))).toEqual(['route · Tuesday north', 'sales · Ana']);
    expect((await search('searchLabels', 'tuesday', chosen)).results).toMatchObject([{ value: 'route' }]);
    for (const none of ['', '={{ $json.id }}'])
      await expect(search('searchLabels', undefined, beside(none))).rejects.toMatchObject({
        message: 'No subscription is selected',
        description: expect.stringContaining('Select the subscription first') as string,
      });
  });

  test("lists the cards of the subscription's customer, or all cards if the subscription can't be read", async () => {
    const id = await subscribed();
    const own = names(await search('searchCards', undefined, beside(id)));
    expect(own).toHaveLength(1);
    expect(own[0]).not.toContain('CUST0003');
    expect(names(await search('searchCards', undefined, beside('99999'))).length).toBeGreaterThan(10);
  });
});

test('shows and finds a payee by name, account and ID', async () => {
  const [payee] = (await search('searchPayees')).results;
  expect(payee).toEqual({ name: 'Northside Cleaning · Bank 6789 · 9001', value: '9001' });
  for (const typed of ['cleaning northside', '6789', '9001'])
    expect((await search('searchPayees', typed)).results).toEqual([payee]);
});

test('shows and finds an account updater request by day, cards and status, and accepts its ID as text', async () => {
  const { token } = sandbox.credentials.test;
  const data = [
    { card_number: '4111111111111111', exp_date: '1230' },
    { card_number: '5555555555554444', exp_date: '1130' },
  ];
  const headers = { authorization: `Basic ${token}` };
  const made = await axios.post<{ data: { request_id: number } }>(
    `${sandbox.baseUrl}/platform/aus/add`,
    { data },
    { headers },
  );
  const requestId = String(made.data.data.request_id);
  const [found] = (await search('searchUpdaterRequests')).results;
  expect(found?.value).toBe(requestId);
  expect(found?.name).toMatch(new RegExp(`^\\d+ \\w{3} · 2 cards · queued · ${requestId}$`));
  for (const typed of ['queued', '2 cards', requestId, found?.name.split(' · ')[0]])
    expect((await search('searchUpdaterRequests', typed)).results).toEqual([found]);
  expect((await search('searchUpdaterRequests', 'completed')).results).toEqual([]);
  await sandbox.control.advanceClock({ days: 5 });
  expect(names(await search('searchUpdaterRequests', 'completed'))[0]).toMatch(
    / · 2 cards · completed · \d updated · /,
  );
  for (const request_id of [requestId, { __rl: true, mode: 'list', value: requestId }] as const) {
    const parameters = { resource: 'accountUpdater', operation: 'getSummary', request_id };
    const { items } = await bench.run(parameters);
    expect(items.map(({ json }) => json.request_id)).toEqual([requestId]);
  }
});

const STORED: Array<[string, unknown]> = [
  ['plain text of an older workflow', 'INVOICE'],
  ['an expression in plain text of an older workflow', '={{ $json.invoice }}'],
  ['picked from the list', { __rl: true, mode: 'list', value: 'INVOICE', cachedResultName: 'INV-2001' }],
  ['typed as an ID', { __rl: true, mode: 'id', value: 'INVOICE' }],
  ['an expression', { __rl: true, mode: 'id', value: '={{ $json.invoice }}' }],
];

test.each(STORED)('accepts the ID of a field that became a list: %s', async (_, stored) => {
  const [first] = (await search('searchInvoices', 'not sent')).results;
  const invoice = String(first?.value);
  const withId = JSON.parse(JSON.stringify(stored).replaceAll('INVOICE', invoice)) as INodeParameters[string];
  const { items } = await bench.run(
    {
      ...{ resource: 'invoice', operation: 'addPayment', invoice_id: withId },
      ...{ type: 'CHECK', amt_paid: 1, date_payment: '2026-11-03' },
    },
    [{ invoice }],
  );
  expect(items.map(({ json }) => json.invoice_id)).toEqual([invoice]);
});

const PLANS: INodeParameters = { resource: 'plan', operation: 'create', endsAfter: 'cancellation' };
const makePlan = async (own_plan_code: string, plan_name: string, recur_amt: number, plan_frequency: number) =>
  await bench.run({ ...PLANS, own_plan_code, plan_name, plan_desc: plan_name, recur_amt, plan_frequency });

test('shows and finds a plan by name, amount, frequency and code', async () => {
  await makePlan('GARDEN', 'Garden box', 39.5, 1);
  const [plan] = (await search('searchPlans', 'garden')).results;
  expect(plan).toEqual({ name: 'Garden box · 39.50 USD · every two weeks · GARDEN', value: 'GARDEN' });
  for (const typed of ['39.50', 'two weeks', 'bi-weekly', 'GARDEN', 'box garden 39', '402'])
    expect((await search('searchPlans', typed)).results[0]).toEqual(plan);
  expect(names(await search('searchPlans', 'monthly'))).toEqual(['Monthly support · 25.00 USD · monthly · MONTHLY25']);
});

test('offers archived plans only for deletion, and deleted plans never', async () => {
  const of = async (operation: string, more: INodeParameters) =>
    await bench.run({ resource: 'plan', operation, ...more });
  await of('archive', { plan_code: { __rl: true, mode: 'id', value: 'MONTHLY25' } });
  expect(names(await search('searchPlans'))).toEqual([
    expect.stringContaining('1 not shown (archived): Monthly support'),
  ]);
  expect((await search('searchPlanVersions', 'archived')).results).toEqual([
    { name: 'Monthly support · 25.00 USD · monthly · MONTHLY25 · archived · 401', value: '401' },
  ]);
  await of('delete', { plan_id: { __rl: true, mode: 'id', value: '401' } });
  expect(names(await search('searchPlanVersions'))[0]).toContain('1 not shown (deleted)');
});

test.each(STORED)('accepts the plan of a field that became a list: %s', async (_, stored) => {
  const plan_code = JSON.parse(JSON.stringify(stored).replaceAll('INVOICE', 'MONTHLY25')) as INodeParameters[string];
  const { items, error } = await bench.run(
    {
      ...{ resource: 'subscription', operation: 'create', customerSource: 'existing', termsSource: 'plan', plan_code },
      ...{ customer_id: 'CUST0001', date_start: '2030-03-01' },
    },
    [{ invoice: 'MONTHLY25' }],
  );
  expect(error).toBeUndefined();
  expect(items.map(({ json }) => json.plan_code)).toEqual(['MONTHLY25']);
});
