import { dirname } from 'node:path';

import { parse } from 'flatted';
import type { INode, IRunExecutionData } from 'n8n-workflow';

import { installHost } from '../../host/install';
import type { Execution, WorkflowJson } from '../../host/rest';
import type { FaultRule } from '../../sandbox/control/faults';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { canaries, dumpDatabase, found as foundIn, logText, SECRETS, withoutInput } from './canaries';
import { findFillings, type Found } from './canary-fillings';
import { prepare, rows, sentAs, type Filling } from './filling';
import { startHost, type Host } from './host';
import { isDeep } from '../quantity';
import { PDF } from '../workflow/panel/person/learner';
import { node, own, rowsInto } from './workflows';

let host: Host;
let found: Found[];
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

/** Name of the custom API request, which has no fields of its own. */
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

const faults: Array<[string, Partial<FaultRule>]> = [
  // The service's error message repeats a secret that the node submitted.
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
/** Faults for which the test adds executions that stop on an error. */
const STOPPING = ['decline', 'platform refusal', 'reset after'];
const modes = ['continueRegularOutput', 'continueErrorOutput'] as const;
const options = { sending: { timeout: 1, maxTries: 2, retryTime: 2 }, unknownOutcome: 'refuse' };

const executions: Array<{ id: string; input: string; rest: string }> = [];
const failures: string[] = [];
const securityKeys = new Set<string>();

const saved = new Map<string, Promise<string>>();
async function savedAs(workflow: WorkflowJson): Promise<string> {
  const { name } = workflow;
  const id = saved.get(name) ?? host.rest.saveWorkflow(workflow);
  saved.set(name, id);
  return await id;
}

function remember({ data, ...execution }: Execution): void {
  const input = JSON.stringify([execution, data.resultData.runData.Start]);
  executions.push({ id: execution.id, input, rest: JSON.stringify(withoutInput({ ...execution, data })) });
}

async function execute(workflow: WorkflowJson): Promise<Execution> {
  const execution = await host.rest.execute(await savedAs(workflow));
  remember(execution);
  return execution;
}

/** Stores the security keys, because a reset deletes them from the sandbox. */
function noteSecurityKeys(): void {
  const { control } = host.sandbox;
  for (const { webhook_id } of control.state().webhooks)
    securityKeys.add(control.webhookSecrets(webhook_id).security_key);
}

const errorsIn = ({ error, runData }: IRunExecutionData['resultData']): string[] => [
  ...(error ? [error.message] : []),
  ...Object.entries(runData).flatMap(([name, [first]]) =>
    (first?.data?.main ?? []).flatMap((items) =>
      (items ?? []).flatMap(({ json }) => (json.error ? [`${name}: ${JSON.stringify(json.error)}`] : [])),
    ),
  ),
];

test('the parameter sets of the test contain every secret of every operation', () => {
  const all = resources.flatMap(({ value, operations }) => operations.map((one) => `${value}.${one.value}`));
  expect([OWN_REQUEST, ...found.map(({ name }) => name)].sort()).toEqual(all.sort());
  const lacking = found.filter(({ fillings: own, missing }) => own.length === 0 || missing.length > 0);
  expect(lacking.map(({ name, missing }) => ({ name, missing }))).toEqual([]);
});

const AT_ONCE = 12;
/** Number of operations in one workflow. Each operation may wait for two timeouts. */
const IN_ONE = 12;

/** Pins the input rows, so that n8n outputs the rows without running the trigger. */
function pinnedRowsInto(name: string, last: INode[]): WorkflowJson {
  const nodes = [node('Start', 'n8n-nodes-base.manualTrigger'), ...last];
  const connections = { Start: { main: [last.map((one) => ({ node: one.name, type: 'main' as const, index: 0 }))] } };
  const pinData = { Start: rows.map((json) => ({ json, binary: { data: PDF } })) };
  return { name, nodes, connections, settings: { executionOrder: 'v1' }, pinData };
}

const executeOne = async (name: string, { parameters }: Filling) =>
  await execute(pinnedRowsInto(name, [own(host, name, parameters)]));

async function succeedEach(): Promise<void> {
  const { control } = host.sandbox;
  for (const [name, filling] of fillings) {
    await prepare(host.sandbox, filling);
    control.clearJournal();
    const { data } = await executeOne(name, filling);
    noteSecurityKeys();
    failures.push(...errorsIn(data.resultData));
    if (!control.journal().some((request) => sentAs(request) === filling.sends)) failures.push(`${name} sent nothing`);
  }
}

async function atOnce(jobs: Array<() => Promise<unknown>>): Promise<void> {
  const left = [...jobs];
  const takeOn = async () => {
    for (let next = left.shift(); next; next = left.shift()) await next();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeOn));
}

/** n8n runs branches from top to bottom, so later operations find the earlier records. */
async function executeTogether(some: typeof fillings, onError: INode['onError']): Promise<void> {
  const nodes = some.map(([name, { parameters }], index) =>
    own(host, name, parameters, { onError, position: [600, index * 100] }),
  );
  await execute(pinnedRowsInto(`${onError} ${some.length} from ${some[0]?.[0]}`, nodes));
}

function withoutRequest(): string[] {
  const { control } = host.sandbox;
  const sent = new Set(control.journal().map(sentAs));
  control.clearJournal();
  return fillings.filter(([, { sends }]) => !sent.has(sends)).map(([filling]) => filling);
}

test('every operation sends its request: success', async () => {
  await succeedEach();
  host.sandbox.control.reset();
  await Promise.all(modes.map(async (mode) => await executeTogether(fillings, mode)));
  noteSecurityKeys();
  expect(withoutRequest()).toEqual([]);
});

test.each(faults)('every operation sends its request: %s', async (name, fault) => {
  const { control } = host.sandbox;
  control.reset();
  control.addFault({ kind: 'status', ...fault });
  if (isDeep || STOPPING.includes(name)) {
    await atOnce(fillings.map((filling) => async () => await executeOne(...filling)));
    expect(withoutRequest()).toEqual([]);
  }
  const groups = Array.from({ length: Math.ceil(fillings.length / IN_ONE) }, (__, index) =>
    fillings.slice(index * IN_ONE, (index + 1) * IN_ONE),
  );
  for (const mode of modes) {
    await atOnce(groups.map((group) => async () => await executeTogether(group, mode)));
    expect(withoutRequest()).toEqual([]);
  }
  noteSecurityKeys();
});

test('every operation completes without a fault', () => expect(failures).toEqual([]));

test('a canceled execution reveals no secret', async () => {
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
  remember(await host.rest.executions.stop(started));
});

describe('Stored data after all runs', () => {
  const secrets = () => {
    const { apiKey, merchantId } = host.sandbox.credentials.test;
    expect(securityKeys.size).toBeGreaterThan(0);
    const keys = Object.fromEntries([...securityKeys].map((key, index) => [`security key ${index + 1}`, key]));
    const token = Buffer.from(`${merchantId}:${apiKey}`).toString('base64');
    return { ...canaries, ...keys, apiKey, token };
  };

  test('stored data contains secrets in executions only where the user entered them', () => {
    expect(executions.length).toBeGreaterThan(STOPPING.length * fillings.length);
    const values = secrets();
    for (const { id, input, rest } of executions) {
      // The search must find a secret in the input, so that a result without secrets is meaningful.
      expect(foundIn(input, values)).toContain('card');
      expect({ id, found: foundIn(rest, values) }).toEqual({ id, found: [] });
    }
  });

  test('stored data contains secrets in the database only where the user entered them', async () => {
    const installation = await installHost(() => undefined);
    const tables = dumpDatabase(installation.node, dirname(host.n8n.logFile));
    expect(tables.execution_data?.length).toBeGreaterThanOrEqual(executions.length);
    const values = secrets();
    for (const [table, list] of Object.entries(tables))
      for (const row of list) {
        const readable = Object.fromEntries(
          Object.entries(row).map(([column, value]) => [column, parsed(table, column, value)]),
        );
        expect({ table, found: foundIn(JSON.stringify(withoutInput(readable)), values) }).toEqual({ table, found: [] });
      }
  });

  test('stored data contains no secret in the log at level debug', () => {
    const log = logText(host.n8n.logFile);
    expect(log).toMatch(/debug/);
    expect(foundIn(log, secrets())).toEqual([]);
  });
});

/** n8n stores execution data in a flattened format, but nodes and pinned data as JSON. */
function parsed(table: string, column: string, value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return table === 'execution_data' && column === 'data' ? (parse(value) as unknown) : (JSON.parse(value) as unknown);
  } catch {
    return value;
  }
}
