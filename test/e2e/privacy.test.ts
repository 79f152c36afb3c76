import { dirname } from 'node:path';

import { parse } from 'flatted';
import type { IDataObject, INode } from 'n8n-workflow';

import { installHost } from '../../host/install';
import type { FaultRule } from '../../sandbox/control/faults';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { canaries, dumpDatabase, found, logText, SECRETS, withoutInput } from './canaries';
import type { Host } from './host';
import { startHost } from './host';
import { inLine, own, rowsInto, rowsNodes } from './workflows';

let host: Host;
beforeAll(async () => {
  host = await startHost({ env: { N8N_LOG_LEVEL: 'debug' } });
});
afterAll(async () => await host.stop());

const secret = (name: keyof typeof canaries) => `={{ $json.${SECRETS}.${name} }}`;
const id = (value: unknown) => ({ __rl: true, mode: 'id', value });

/** Parameters of every operation, with all the secrets that it can take. */
function operations(): Record<string, object> {
  const { control } = host.sandbox;
  const [sale] = control.addCapturedSales({ count: 1, amountCents: 1000 });
  const { customers, payees, invoices } = control.state();
  const customer = customers[0]?.customer_id;
  const card = { card_number: secret('card'), exp_date: '1230', cvv2: secret('cvv') };
  return {
    'accountUpdater.submit': { data: { item: [{ card_number: secret('card'), exp_date: '1230' }] } },
    'accountUpdater.getSummary': { request_id: '15001' },
    'api.request': {
      method: 'POST',
      path: '/pg/tokenize',
      body: `={{ { card_number: $json.${SECRETS}.card, cvv2: $json.${SECRETS}.cvv, exp_date: '1230', merchant_id: '1' } }}`,
    },
    'card.tokenize': { ...card, additionalFields: { avs_zip: '12345' } },
    'card.updateToken': { card_id: 'nosuchcard', tr_number: secret('routing'), dda_number: secret('account') },
    'checkout.create': { amt_tran: 5, customer_id: id(customer) },
    'checkout.get': { checkoutId: id('nosuch') },
    'customer.getAll': { limit: 2 },
    'dispute.createTestData': { reasonCode: '10.4' },
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
    'invoice.send': { invoice_id: invoices[0]?.invoice_id, email_address: ['a@example.com'] },
    'payee.delete': { payee_id: 'nosuch' },
    'payee.updateAccount': {
      payee_id: payees[0]?.payee_id,
      tr_number: secret('routing'),
      dda_number: secret('account'),
    },
    'report.getSettlements': { limit: 2 },
    'report.getTransactions': { limit: 2 },
    'subscription.create': {
      customerMode: 'new',
      customer: {
        item: {
          customer_first_name: 'Ana',
          customer_last_name: 'Silva',
          auto_generate_customer_id: true,
          billing_cards: { item: [card] },
        },
      },
      customerJson: `={{ { customer_first_name: 'Ana', customer_last_name: 'Silva', auto_generate_customer_id: true, billing_cards: [{ card_number: $json.${SECRETS}.card, exp_date: '1230', cvv2: $json.${SECRETS}.cvv }] } }}`,
      date_start: '2027-01-01',
      plan_code: 'MONTHLY',
      amt_setup: 5,
    },
    'transaction.refund': { pgIdOrig: id(sale), amt_tran: 1 },
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
const modes = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
const options = { timeout: 1, maxTries: 2, retryTime: 2 };

const operationNode = (name: string, parameters: object, more: Partial<INode> = {}): INode => {
  const [resource, operation] = name.split('.');
  return own(host, name, { resource, operation, ...parameters, options }, more);
};
const rows: IDataObject[] = [{ [SECRETS]: canaries }];

const executions: string[] = [];
async function execute(workflow: Parameters<Host['rest']['saveWorkflow']>[0]): Promise<void> {
  const execution = await host.rest.execute(await host.rest.saveWorkflow(workflow));
  executions.push(execution.id);
}

test('every operation of the node takes part', () => {
  const all = resources.flatMap(({ value, operations: list }) =>
    list.map((operation) => `${value}.${operation.value}`),
  );
  expect(Object.keys(operations()).sort()).toEqual(all.sort());
});

test.each(scenarios)('all operations run through: %s', async (name, fault) => {
  for (const onError of modes) {
    host.sandbox.control.reset();
    const all = Object.entries(operations());
    if (fault) host.sandbox.control.addFault({ kind: 'status', ...fault });
    if (onError === 'stopWorkflow') {
      for (const [operation, parameters] of all)
        await execute(rowsInto(`${name} ${operation}`, rows, operationNode(operation, parameters)));
      continue;
    }
    const nodes = all.map(([operation, parameters]) => operationNode(operation, parameters, { onError }));
    const connections = inLine('Start', 'Data', 'Rows');
    connections.Rows = { main: [nodes.map((node) => ({ node: node.name, type: 'main' as const, index: 0 }))] };
    await execute({
      name: `${name} ${onError}`,
      nodes: [...rowsNodes(rows), ...nodes],
      connections,
      settings: { executionOrder: 'v1' },
    });
  }
});

test('a cancelled execution', async () => {
  host.sandbox.control.reset();
  host.sandbox.control.addLatency({ milliseconds: 1000 });
  const tokenize = operationNode('card.tokenize', operations()['card.tokenize'] ?? {});
  const started = await host.rest.start(await host.rest.saveWorkflow(rowsInto('cancelled', rows, tokenize)));
  while (host.sandbox.control.journal().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await host.rest.executions.stop(started);
  executions.push(started);
});

describe('afterwards', () => {
  /** The token and what the service gave out, besides what the input items held. */
  const secrets = () => {
    const { apiKey, merchantId } = host.sandbox.credentials.test;
    return { ...canaries, apiKey, token: Buffer.from(`${merchantId}:${apiKey}`).toString('base64') };
  };

  test('no secret is in a stored execution but where the person put it', async () => {
    expect(executions.length).toBeGreaterThan(scenarios.length * 20);
    for (const one of executions) {
      const execution = await host.rest.executions.get(one);
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
