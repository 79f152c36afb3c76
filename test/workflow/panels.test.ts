import { NodeHelpers, type IDataObject, type INode } from 'n8n-workflow';

import { asText } from '../../nodes/PaymentPlatform/shared/objects';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { startSandbox, type Sandbox } from '../../sandbox';
import { Random } from '../simulator/random';
import { PAYMENT_NODE, runWorkflow } from './harness';
import { Panel, type Filled } from './panel/fill';
import { Habits } from './panel/habits';
import { fieldsKnown, fieldsSent } from './panel/reach';
import { freshRecords } from './panel/records';
import { startWitness, type Seen } from './panel/service';

/** How many fillings of each panel are tried at least, and for how many a field is waited for that was not sent yet. */
const LEAST = Number(process.env.PANELS ?? 25);
const MOST_IN_VAIN = 200;
const SEED = Number(process.env.SEED ?? 1);

const { description } = PAYMENT_NODE;
const operations = resources.flatMap(({ value: resource, operations: own }) =>
  own.flatMap(({ value: operation, request: { operationId } }) =>
    operationId === undefined ? [] : [{ name: `${resource}.${operation}`, resource, operation, operationId }],
  ),
);

/** The fields of each request that no filling reached yet; two operations may share a request. */
const left = new Map(operations.map(({ operationId }) => [operationId, new Set(fieldsKnown(operationId))]));

let sandbox: Sandbox;
let witness: Awaited<ReturnType<typeof startWitness>>;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
  witness = await startWitness(sandbox.port);
});
afterAll(async () => {
  await witness.stop();
  await sandbox.stop();
});

/** What n8n says before it starts, or the node in place of a result; and what was sent. */
async function tried({ parameters }: Filled): Promise<{ said: string; sent: Seen[] }> {
  const node = { typeVersion: 1, parameters } as INode;
  const issues = NodeHelpers.getNodeParametersIssues(description.properties, node, description)?.parameters ?? {};
  if (Object.keys(issues).length > 0) return { said: Object.values(issues).flat().join('; '), sent: [] };
  const { merchantId, apiKey } = sandbox.credentials.test;
  const { items, error } = await runWorkflow({
    rows: [{}],
    parameters,
    credential: { environment: 'test', baseUrl: witness.baseUrl, merchantId, authMethod: 'apiKey', apiKey },
    onError: 'continueRegularOutput',
  });
  const failed = items.map(({ json }) => json.error as IDataObject | undefined).find((one) => one !== undefined);
  return { said: error?.message ?? asText(failed?.message), sent: witness.passed() };
}

/** The labels of the panel that a message names, what was found left out. */
function named(message: string, labels: ReadonlySet<string>): string[] {
  const quoted = [...message.replace(/\(found [^)]*\)/g, '').matchAll(/"([^"]+)"/g)].map(([, words = '']) => words);
  const parts = quoted.flatMap((words) => words.split(' > '));
  return parts
    .flatMap((part) => [part, part.replace(/ \d+$/, '')])
    .flatMap((part) => [part, `${part} (JSON)`])
    .filter((part) => labels.has(part));
}

test.each(operations)(
  '$name, filled at random as its panel allows: sent as the interface takes it, or refused before by a message that names a field',
  async ({ resource, operation, operationId }) => {
    sandbox.control.reset();
    const random = new Random(SEED);
    const habits = new Habits(random);
    const panel = new Panel(description, random, habits);
    const unreached = left.get(operationId) ?? new Set();
    let [fillings, sendings, inVain] = [0, 0, 0];
    for (; fillings < LEAST || (unreached.size > 0 && inVain < MOST_IN_VAIN); fillings += 1) {
      await freshRecords(sandbox, resource);
      const filled = panel.fill(resource, operation, sandbox.control.state());
      const { said, sent } = await tried(filled);
      for (const { operationId: of, problems } of sent)
        expect({ of, problems, filled }).toEqual({ of, problems: [], filled });
      const own = sent.filter((request) => request.operationId === operationId);
      const before = unreached.size;
      for (const field of own.flatMap(fieldsSent)) unreached.delete(field);
      inVain = unreached.size < before ? 0 : inVain + 1;
      const labels = named(said, filled.labels);
      if (sent.length === 0 && labels.length === 0)
        throw new Error(`Refused without naming a field: ${said}\n${JSON.stringify(filled.parameters)}`);
      if (own.length > 0) {
        sendings += 1;
        habits.learn(filled.typed, true);
      } else
        habits.learn(
          filled.typed.filter(({ label }) => labels.includes(label)),
          false,
        );
    }
    if (process.env.REPORT) process.stderr.write(`${resource}.${operation}: ${fillings} filled, ${sendings} sent\n`);
    expect(sendings).toBeGreaterThan(0);
  },
  120_000,
);

test('every field of every request that the node makes is reached by some filling of a panel', () => {
  expect([...left].flatMap(([operationId, fields]) => [...fields].map((field) => `${operationId}: ${field}`))).toEqual(
    [],
  );
});
