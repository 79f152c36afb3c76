import { dirname } from 'node:path';

import axios from 'axios';
import { parse } from 'flatted';
import type { IDataObject, INode, IRunExecutionData } from 'n8n-workflow';

import { installHost } from '../../host/install';
import type { FaultRule } from '../../sandbox/control/faults';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { canaries, dumpDatabase, found, logText, SECRETS, withoutInput } from './canaries';
import { startHost, type Host } from './host';
import { inLine, own, rowsInto, rowsNodes } from './workflows';

let host: Host;
beforeAll(async () => {
  host = await startHost({ env: { N8N_LOG_LEVEL: 'debug' } });
});
afterAll(async () => await host.stop());

const secret = (name: keyof typeof canaries) => `={{ $json.${SECRETS}.${name} }}`;
const id = (value: unknown) => ({ __rl: true, mode: 'id', value });

const recipient = { shipping_first_name: 'Ana', shipping_last_name: 'Silva' };

const terms = { plan_name: 'Canary', plan_desc: 'Canary', plan_frequency: 3 };

/** A token, an address, plans, an account updater request and a checkout link that the operations can name. */
async function earlierRecords() {
  const { baseUrl, credentials } = host.sandbox;
  const headers = { authorization: `Basic ${credentials.test.token}` };
  const card = { card_number: '4111111111111111', exp_date: '1230' };
  const tokenized = await axios.post<{ card_id: string }>(
    `${baseUrl}/pg/tokenize`,
    { ...card, merchant_id: credentials.test.merchantId },
    { headers },
  );
  const submitted = await axios.post<{ data: { request_id: string } }>(
    `${baseUrl}/platform/aus/add`,
    { data: [card] },
    { headers },
  );
  const checkout = await axios.post<{ data: { checkout_id: string } }>(
    `${baseUrl}/platform/checkout`,
    { amt_tran: 5, checkout_profile_id: 3001 },
    { headers },
  );
  const subscribe = async () => {
    const body = { customer_id: host.sandbox.control.state().customers[0]?.customer_id, plan_code: 'MONTHLY25' };
    const path = `${baseUrl}/platform/subscription`;
    const { data } = await axios.post<{ data: { subscription_id: number } }>(path, body, { headers });
    const { subscription_id } = data.data;
    await axios.post(`${path}/${subscription_id}/labels/add`, { name: 'route', value: 'North' }, { headers });
    return subscription_id;
  };
  const number = host.sandbox.control.state().plans.length;
  const codes = ['CHANGE', 'CLOSE', 'DELETE'].map((word) => `${word}${number}`);
  for (const plan_code of codes)
    await axios.post(`${baseUrl}/platform/plan`, { plan_code, ...terms, plan_duration: -1, amt_tran: 5 }, { headers });
  const planned = host.sandbox.control.state().plans.find(({ plan_code }) => plan_code === codes[2]);
  const [first] = host.sandbox.control.state().customers;
  const vault = `${baseUrl}/platform/vault/customer/${String(first?.customer_id)}`;
  const addressed = await axios.post<{ data: { shipping_addresses: Array<{ shipping_id: number }> } }>(
    `${vault}/shipping`,
    recipient,
    { headers },
  );
  return {
    plans: { change: codes[0], close: codes[1], delete: planned?.plan_id },
    shipping_id: addressed.data.data.shipping_addresses[0]?.shipping_id,
    subscriptions: [await subscribe(), await subscribe(), await subscribe(), await subscribe()],
    card_id: tokenized.data.card_id,
    request_id: submitted.data.data.request_id,
    checkout_id: checkout.data.data.checkout_id,
  };
}

/** Parameters of every operation, with all the secrets that it can take. */
async function operations(): Promise<Record<string, object>> {
  const { control } = host.sandbox;
  const { card_id, request_id, checkout_id, subscriptions, shipping_id, plans } = await earlierRecords();
  const [sale] = control.addCapturedSales({ count: 1, amountCents: 1000 });
  const { customers, payees, invoices, payments } = control.state();
  const { merchantId } = host.sandbox.credentials.test;
  const customer = customers[0]?.customer_id;
  const card = { card_number: secret('card'), exp_date: '1230', cvv2: secret('cvv') };
  const otherCard = { ...card, card_number: secret('otherCard') };
  const paid = (index: number) => {
    const invoice_id = invoices[index]?.invoice_id;
    return { invoice_id, payment_id: id(payments.find((one) => one.invoice_id === invoice_id)?.payment_id) };
  };
  const cardOf = (index: number) => id(customers[index]?.billing_cards[0]?.card_id);
  return {
    'accountUpdater.submit': { data: { item: [{ card_number: secret('card'), exp_date: '1230' }] } },
    'accountUpdater.getSummary': { request_id },
    'api.request': {
      method: 'POST',
      path: '/pg/tokenize',
      body: `={{ { card_number: $json.${SECRETS}.card, cvv2: $json.${SECRETS}.cvv, exp_date: '1230', merchant_id: '${merchantId}' } }}`,
    },
    'card.tokenize': { ...card, additionalFields: { avs_zip: '12345' } },
    'card.updateToken': {
      card_id,
      paymentMethod: 'bankAccount',
      tr_number: secret('routing'),
      dda_number: secret('account'),
    },
    'checkout.create': { purpose: 'payment', amt_tran: 5, customer_id: id(customer) },
    'checkout.get': { checkout_id: id(checkout_id) },
    'customer.create': {
      customer_first_name: 'Ana',
      customer_last_name: 'Silva',
      billing_cards: { item: [card] },
    },
    'customer.update': { customer_id: id(customer), billing_cards: { item: [otherCard] } },
    'customer.upsert': {
      own_customer_id: 'CANARY1',
      customer_firm_name: 'Canary',
      billing_cards: { item: [card] },
    },
    'customerCard.update': { customer_id: id(customers[4]?.customer_id), card_id: cardOf(4), cvv2: secret('cvv') },
    'customerAddress.update': { customer_id: id(customer), shipping_id: id(shipping_id), shipping_city: 'Bend' },
    'customer.delete': { customer_id: id(customers[2]?.customer_id) },
    'customer.get': { customer_id: id(customer) },
    'customerAddress.create': { customer_id: id(customer), ...recipient },
    'customerAddress.setPrimary': { customer_id: id(customer), shipping_id: id(shipping_id) },
    'customerAddress.getAll': { customer_id: id(customer) },
    'customerAddress.delete': { customer_id: id(customer), shipping_id: id(shipping_id) },
    'customerCard.create': { customer_id: id(customer), ...card, billing_zip: '97477' },
    'customerCard.delete': { customer_id: id(customers[3]?.customer_id), card_id: cardOf(3) },
    'customerCard.getAll': { customer_id: id(customer) },
    'customerCard.setPrimary': { customer_id: id(customer), card_id: cardOf(0) },
    'customer.getAll': { limit: 2 },
    'dispute.createTestData': { reason_code: '10.4' },
    'invoice.addPayment': {
      invoice_id: invoices[0]?.invoice_id,
      type: 'CHECK',
      amt_paid: 1,
      date_payment: '2026-03-31',
    },
    'invoice.create': {
      customer_id: id(customer),
      invoice_number: '={{ $runIndex + "-" + $now.toMillis() }}',
      line_items: { item: [{ quantity: 1, description: 'Hour', unit_cost: 5 }] },
    },
    'invoice.get': { invoice_id: invoices[0]?.invoice_id },
    'invoice.getAll': { limit: 2 },
    'invoice.resend': { invoice_id: invoices[2]?.invoice_id },
    'invoice.update': { invoice_id: invoices[1]?.invoice_id, invoice_number: 'CANARY' },
    'invoice.updateContacts': {
      invoice_id: invoices[2]?.invoice_id,
      billing_contact: { item: { first_name: 'Ana', last_name: 'Silva', email_address: 'a@example.com' } },
    },
    'invoice.copy': { invoice_id: invoices[2]?.invoice_id, invoice_number: '={{ "C" + $now.toMillis() }}' },
    'invoice.cancel': { invoice_id: invoices[3]?.invoice_id },
    'invoice.getPayments': { invoice_id: invoices[0]?.invoice_id },
    'invoice.getAllPayments': {},
    'plan.getAll': {},
    'plan.get': { plan_code: id('MONTHLY25') },
    'plan.create': { own_plan_code: `NEW${plans.change}`, ...terms, recur_amt: 5, endsAfter: 'cancellation' },
    'plan.upsert': { own_plan_code: `UP${plans.change}`, ...terms, recur_amt: 5, endsAfter: 'cancellation' },
    'plan.update': { plan_code: id(plans.change), recur_amt: 6 },
    'plan.archive': { plan_code: id(plans.close) },
    'plan.delete': { plan_id: id(plans.delete) },
    'invoice.updatePayment': { ...paid(5), amt_paid: 99 },
    'invoice.deletePayment': paid(5),
    'invoice.getBounced': {},
    'payee.get': { payee_id: payees[1]?.payee_id ?? payees[0]?.payee_id },
    'webhook.getAll': { returnAll: true },
    'accountUpdater.getAll': {},
    'invoice.send': { invoice_id: invoices[0]?.invoice_id, email_address: ['a@example.com'] },
    'payee.updateAccount': {
      payee_id: payees[0]?.payee_id,
      tr_number: secret('routing'),
      dda_number: secret('account'),
    },
    'payee.delete': { payee_id: payees[0]?.payee_id },
    'report.getSettlements': { limit: 2 },
    'report.getTransactions': { limit: 2 },
    'subscription.create': {
      customerSource: 'new',
      customer: {
        item: {
          customer_first_name: 'Ana',
          customer_last_name: 'Silva',
          auto_generate_customer_id: true,
          billing_cards: { item: [card] },
        },
      },
      termsSource: 'plan',
      plan_code: 'MONTHLY25',
      date_start: '2027-01-01',
    },
    'subscription.getAll': {},
    'subscription.get': { subscription_id: id(subscriptions[0]) },
    'subscription.update': { subscription_id: id(subscriptions[0]), chargedBy: 'primary' },
    'subscription.getTransactions': { subscription_id: id(subscriptions[0]) },
    'subscription.getAllTransactions': { limit: 2 },
    'subscription.addLabel': {
      subscription_id: id(subscriptions[0]),
      own_label_name: '={{ "run-" + $execution.id }}',
      label_value: 'Canary',
    },
    'subscription.getLabels': { subscription_id: id(subscriptions[0]) },
    'subscription.updateLabel': {
      subscription_id: id(subscriptions[0]),
      label_name: id('route'),
      label_value: 'Canary',
    },
    'subscription.deleteLabel': { subscription_id: id(subscriptions[1]), label_name: id('route') },
    // An operation that runs a second time finds the state as it left it.
    'subscription.pause': { subscription_id: id(subscriptions[1]), ifAlready: 'continue' },
    'subscription.resume': { subscription_id: id(subscriptions[2]), ifAlready: 'continue' },
    'subscription.cancel': { subscription_id: id(subscriptions[3]), ifAlready: 'continue' },
    'transaction.get': { pg_id: id(sale) },
    'transaction.refund': { pg_id: id(sale), amt_tran: 1 },
    'webhook.create': {
      notification_url: 'https://n8n.example.com/webhook/x',
      label: 'Canary',
      additionalFields: {
        auth_type: 'BASIC',
        auth_settings: { item: { user_name: 'n8n', user_password: secret('password') } },
      },
    },
  };
}

const scenarios: Array<[string, Partial<FaultRule> | undefined]> = [
  ['success', undefined],
  // The service repeats what it was sent in its own words.
  [
    'decline',
    { kind: 'status', status: 402, code: '005', message: `Declined ${canaries.card} Basic ${canaries.password}` },
  ],
  [
    'platform refusal',
    { kind: 'status', status: 400, code: 2, message: `Refused ${canaries.card} and ${canaries.account}` },
  ],
  ['server error', { kind: 'status', status: 500 }],
  ['reset before', { kind: 'reset_before_apply' }],
  ['reset after', { kind: 'reset_after_apply' }],
  ['timeout', { kind: 'timeout' }],
  ['truncated', { kind: 'truncated_json' }],
  ['error page', { kind: 'html_error_page' }],
  ['rate limit', { kind: 'rate_limited', retryAfterSeconds: 0 }],
];
const modes = ['continueRegularOutput', 'continueErrorOutput'] as const;
const options = { timeout: 1, maxTries: 2, retryTime: 2, lookUpUnknown: false };

const operationNode = (name: string, parameters: object, more: Partial<INode> = {}): INode => {
  const [resource, operation] = name.split('.');
  return own(host, name, { resource, operation, ...parameters, options }, more);
};
const rows: IDataObject[] = [{ [SECRETS]: canaries }];

/** IDs of all executions, and what went wrong in those without a fault. */
const executions: string[] = [];
const failures: string[] = [];
/** The keys that the service gave out when webhooks were created. */
const securityKeys: Record<string, string> = {};
/** All operations one after the other, each of which waits in vain, take two minutes and more. */
const LONGEST_MS = 400_000;

async function execute(workflow: Parameters<Host['rest']['saveWorkflow']>[0]): Promise<void> {
  const { rest } = host;
  const id = await rest.start(await rest.saveWorkflow(workflow));
  const execution = await rest.executions.waitFor(id, undefined, LONGEST_MS);
  executions.push(execution.id);
  const { control } = host.sandbox;
  for (const { webhook_id } of control.state().webhooks)
    securityKeys[`key of ${execution.id}`] = control.webhookSecrets(webhook_id).security_key;
  if (workflow.name.startsWith('success')) failures.push(...errorsIn(execution.data.resultData));
}

const errorsIn = ({ error, runData }: IRunExecutionData['resultData']): string[] => [
  ...(error ? [error.message] : []),
  ...Object.entries(runData).flatMap(([name, [first]]) =>
    (first?.data?.main ?? []).flatMap((items) =>
      (items ?? []).flatMap(({ json }) => (json.error ? [`${name}: ${JSON.stringify(json.error)}`] : [])),
    ),
  ),
];

test('every operation of the node takes part', async () => {
  const all = resources.flatMap(({ value, operations: list }) =>
    list.map((operation) => `${value}.${operation.value}`),
  );
  expect(Object.keys(await operations()).sort()).toEqual(all.sort());
});

/** Executions that n8n has under way at once. */
const AT_ONCE = 6;

/** Each operation by itself. @param atOnce how many of them at the same time. */
async function executeEach(scenario: string, all: Array<[string, object]>, atOnce: number): Promise<void> {
  const left = [...all];
  const takeOn = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [operation, parameters] = next;
      await execute(rowsInto(`${scenario} ${operation}`, rows, operationNode(operation, parameters)));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, takeOn));
}

/** All operations in one workflow: n8n runs branches from top to bottom. */
async function executeTogether(
  scenario: string,
  all: Array<[string, object]>,
  onError: INode['onError'],
): Promise<void> {
  const nodes = all.map(([operation, parameters], index) =>
    operationNode(operation, parameters, { onError, position: [600, index * 100] }),
  );
  const connections = inLine('Start', 'Data', 'Rows');
  connections.Rows = { main: [nodes.map((node) => ({ node: node.name, type: 'main' as const, index: 0 }))] };
  const settings = { executionOrder: 'v1' };
  await execute({ name: `${scenario} ${onError}`, nodes: [...rowsNodes(rows), ...nodes], connections, settings });
}

test.each(scenarios)('all operations run through: %s', async (name, fault) => {
  const begin = async () => {
    host.sandbox.control.reset();
    return Object.entries(await operations());
  };
  if (fault) {
    const all = await begin();
    host.sandbox.control.addFault({ kind: 'status', ...fault });
    const together = modes.map(async (mode) => await executeTogether(name, all, mode));
    await Promise.all([executeEach(name, all, AT_ONCE), ...together]);
    return;
  }
  // What one does, another one would find.
  await executeEach(name, await begin(), 1);
  for (const mode of modes) await executeTogether(name, await begin(), mode);
});

test('without a fault every operation does its work', () => expect(failures).toEqual([]));

test('a canceled execution', async () => {
  host.sandbox.control.reset();
  const tokenize = operationNode('card.tokenize', (await operations())['card.tokenize'] ?? {});
  host.sandbox.control.clearJournal();
  host.sandbox.control.addLatency({ milliseconds: 1000 });
  const started = await host.rest.start(await host.rest.saveWorkflow(rowsInto('canceled', rows, tokenize)));
  while (host.sandbox.control.journal().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await host.rest.executions.stop(started);
  executions.push(started);
});

describe('afterwards', () => {
  /** The token and what the service gave out, besides what the input items held. */
  const secrets = () => {
    const { apiKey, merchantId } = host.sandbox.credentials.test;
    expect(Object.keys(securityKeys).length).toBeGreaterThan(0);
    return { ...canaries, ...securityKeys, apiKey, token: Buffer.from(`${merchantId}:${apiKey}`).toString('base64') };
  };

  test('no secret is in a stored execution but where the person put it', async () => {
    expect(executions.length).toBeGreaterThan(scenarios.length * 20);
    for (const one of executions) {
      const execution = await host.rest.executions.get(one);
      // The search finds what is there.
      expect(found(JSON.stringify(execution), secrets())).toContain('card');
      expect({ one, found: found(JSON.stringify(withoutInput(execution)), secrets()) }).toEqual({ one, found: [] });
    }
  });

  test('no secret is in any table of the database but where the person put it', async () => {
    const installation = await installHost(() => undefined);
    const tables = dumpDatabase(installation.node, dirname(host.n8n.logFile));
    expect(tables.execution_data?.length).toBeGreaterThanOrEqual(executions.length);
    for (const [table, list] of Object.entries(tables))
      for (const row of list) {
        const readable = Object.fromEntries(
          Object.entries(row).map(([column, value]) => [column, parsed(table, column, value)]),
        );
        expect({ table, found: found(JSON.stringify(withoutInput(readable)), secrets()) }).toEqual({
          table,
          found: [],
        });
      }
  });

  test('no secret is in the log, at level debug', () => {
    const log = logText(host.n8n.logFile);
    expect(log).toMatch(/debug/);
    expect(found(log, secrets())).toEqual([]);
  });
});

/** A column as n8n means it: execution data is flattened, nodes and pinned data are JSON. */
function parsed(table: string, column: string, value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return table === 'execution_data' && column === 'data' ? (parse(value) as unknown) : (JSON.parse(value) as unknown);
  } catch {
    return value;
  }
}
