import { dirname } from 'node:path';

import { parse } from 'flatted';
import type { INode, IRunExecutionData } from 'n8n-workflow';

import { installHost } from '../../host/install';
import type { FaultRule } from '../../sandbox/control/faults';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { canaries, dumpDatabase, found as foundIn, logText, SECRETS, withoutInput } from './canaries';
import { findFillings, type Found } from './canary-fillings';
import { prepare, rows, sentAs, type Filling } from './filling';
import { startHost, type Host } from './host';
import { PDF } from '../workflow/panel/person/learner';
import { inLine, own, rowsInto, rowsNodes } from './workflows';

let host: Host;
let found: Found[];
/** All fillings with unique names. */
let fillings: Array<[string, Filling]>;
beforeAll(async () => {
  host = await startHost({ env: { N8N_LOG_LEVEL: 'debug' } });
  found = await findFillings(host.sandbox, options);
  const named = found.flatMap(({ name, fillings: own }) =>
    own.map((filling, index): [string, Filling] => [index === 0 ? name : `${name} ${index + 1}`, filling]),
  );
  fillings = [[OWN_REQUEST, ownRequest()], ...named];
});
afterAll(async () => await host.stop());

/** The custom request has no panel of fields. */
const OWN_REQUEST = 'api.request';
const ownRequest = (): Filling => ({
  resource: 'api',
  parameters: {
    resource: 'api',
    operation: 'request',
    method: 'POST',
    path: '/pg/tokenize',
    body: `={{ { card_number: $json.${SECRETS}.card, cvv2: $json.${SECRETS}.cvv, exp_date: '1230', merchant_id: '${host.sandbox.credentials.test.merchantId}' } }}`,
    options,
  },
  before: [],
  secrets: ['body'],
  sends: 'POST /pg/tokenize',
});

const scenarios: Array<[string, Partial<FaultRule> | undefined]> = [
  ['success', undefined],
  // The service's message repeats the submitted value.
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
const options = { sending: { timeout: 1, maxTries: 2, retryTime: 2 }, unknownOutcome: 'refuse' };

/** IDs of all executions, and the errors of those without an injected fault. */
const executions: string[] = [];
const failures: string[] = [];
/** Security keys that the service returned for new webhooks. */
const securityKeys: Record<string, string> = {};
/** Requests sent in the current scenario. */
const sent = new Set<string>();
/** Timeout in milliseconds. All operations in sequence, each with a timeout, take more than two minutes. */
const LONGEST_MS = 400_000;

async function execute(workflow: Parameters<Host['rest']['saveWorkflow']>[0]) {
  const { rest } = host;
  const id = await rest.start(await rest.saveWorkflow(workflow));
  const execution = await rest.executions.waitFor(id, undefined, LONGEST_MS);
  executions.push(execution.id);
  const { control } = host.sandbox;
  for (const request of control.journal()) sent.add(sentAs(request));
  for (const { webhook_id } of control.state().webhooks)
    securityKeys[`key of ${execution.id}`] = control.webhookSecrets(webhook_id).security_key;
  return execution;
}

const errorsIn = ({ error, runData }: IRunExecutionData['resultData']): string[] => [
  ...(error ? [error.message] : []),
  ...Object.entries(runData).flatMap(([name, [first]]) =>
    (first?.data?.main ?? []).flatMap((items) =>
      (items ?? []).flatMap(({ json }) => (json.error ? [`${name}: ${JSON.stringify(json.error)}`] : [])),
    ),
  ),
];

test('includes every operation with every secret in the fillings', () => {
  const all = resources.flatMap(({ value, operations }) => operations.map((one) => `${value}.${one.value}`));
  expect([OWN_REQUEST, ...found.map(({ name }) => name)].sort()).toEqual(all.sort());
  const lacking = found.filter(({ fillings: own, missing }) => own.length === 0 || missing.length > 0);
  expect(lacking.map(({ name, missing }) => ({ name, missing }))).toEqual([]);
});

/** Number of simultaneous executions in n8n. */
const AT_ONCE = 6;

const executeOne = async (scenario: string, name: string, { parameters }: Filling) =>
  await execute(rowsInto(`${scenario} ${name}`, rows, own(host, name, parameters), {}, PDF));

/** Runs each filling separately after preparing the service. */
async function succeedEach(scenario: string): Promise<void> {
  const { control } = host.sandbox;
  for (const [name, filling] of fillings) {
    await prepare(host.sandbox, filling);
    control.clearJournal();
    const { data } = await executeOne(scenario, name, filling);
    failures.push(...errorsIn(data.resultData));
    if (!control.journal().some((request) => sentAs(request) === filling.sends)) failures.push(`${name} sent nothing`);
  }
}

/** Runs the fillings in separate, simultaneous executions. */
async function executeEach(scenario: string): Promise<void> {
  const left = [...fillings];
  const takeOn = async () => {
    for (let next = left.shift(); next; next = left.shift()) await executeOne(scenario, ...next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeOn));
}

/**
 * Runs all fillings in one workflow. n8n runs branches from top to bottom, so later fillings find the records of
 * earlier ones.
 */
async function executeTogether(scenario: string, onError: INode['onError']): Promise<void> {
  const nodes = fillings.map(([name, { parameters }], index) =>
    own(host, name, parameters, { onError, position: [600, index * 100] }),
  );
  const source = rowsNodes(rows, PDF);
  const connections = inLine(...source.map(({ name }) => name));
  connections.Rows = { main: [nodes.map((node) => ({ node: node.name, type: 'main' as const, index: 0 }))] };
  const settings = { executionOrder: 'v1' };
  await execute({ name: `${scenario} ${onError}`, nodes: [...source, ...nodes], connections, settings });
}

test.each(scenarios)('runs all operations and sends their requests: %s', async (name, fault) => {
  const { control } = host.sandbox;
  sent.clear();
  if (!fault) await succeedEach(name);
  control.reset();
  if (fault) control.addFault({ kind: 'status', ...fault });
  const together = modes.map(async (mode) => await executeTogether(name, mode));
  await Promise.all([...(fault ? [executeEach(name)] : []), ...together]);
  expect(fillings.filter(([, { sends }]) => !sent.has(sends)).map(([filling]) => filling)).toEqual([]);
});

test('completes every operation without a fault', () => expect(failures).toEqual([]));

test('cancels an execution without revealing a secret', async () => {
  const [name, filling] =
    fillings.find(([, { secrets, sends }]) => secrets.length > 0 && sends.startsWith('POST')) ?? [];
  if (!name || !filling) throw new Error('No filling sends a secret first');
  const { control } = host.sandbox;
  await prepare(host.sandbox, filling);
  control.clearJournal();
  control.addLatency({ milliseconds: 1000 });
  const workflow = rowsInto('canceled', rows, own(host, name, filling.parameters));
  const started = await host.rest.start(await host.rest.saveWorkflow(workflow));
  while (control.journal().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await host.rest.executions.stop(started);
  executions.push(started);
});

describe('stored data after all runs', () => {
  /** Returns the token, values generated by the service, and the secrets of the input items. */
  const secrets = () => {
    const { apiKey, merchantId } = host.sandbox.credentials.test;
    expect(Object.keys(securityKeys).length).toBeGreaterThan(0);
    return { ...canaries, ...securityKeys, apiKey, token: Buffer.from(`${merchantId}:${apiKey}`).toString('base64') };
  };

  test('stored data contains secrets in executions only where the user entered them', async () => {
    expect(executions.length).toBeGreaterThan(scenarios.length * 20);
    for (const one of executions) {
      const execution = await host.rest.executions.get(one);
      // Proves that the search can find the secrets.
      expect(foundIn(JSON.stringify(execution), secrets())).toContain('card');
      expect({ one, found: foundIn(JSON.stringify(withoutInput(execution)), secrets()) }).toEqual({ one, found: [] });
    }
  });

  test('stored data contains secrets in the database only where the user entered them', async () => {
    const installation = await installHost(() => undefined);
    const tables = dumpDatabase(installation.node, dirname(host.n8n.logFile));
    expect(tables.execution_data?.length).toBeGreaterThanOrEqual(executions.length);
    for (const [table, list] of Object.entries(tables))
      for (const row of list) {
        const readable = Object.fromEntries(
          Object.entries(row).map(([column, value]) => [column, parsed(table, column, value)]),
        );
        expect({ table, found: foundIn(JSON.stringify(withoutInput(readable)), secrets()) }).toEqual({
          table,
          found: [],
        });
      }
  });

  test('stored data contains no secret in the log at level debug', () => {
    const log = logText(host.n8n.logFile);
    expect(log).toMatch(/debug/);
    expect(foundIn(log, secrets())).toEqual([]);
  });
});

/** Parses a database column in n8n's format: execution data is flattened, nodes and pinned data are JSON. */
function parsed(table: string, column: string, value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return table === 'execution_data' && column === 'data' ? (parse(value) as unknown) : (JSON.parse(value) as unknown);
  } catch {
    return value;
  }
}
