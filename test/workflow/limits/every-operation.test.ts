import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { describedOperation } from '../../../interface/generate/interface-document';
import { movesMoney } from '../../../nodes/PaymentPlatform/model/read-amounts';
import type { Operation } from '../../../nodes/PaymentPlatform/model/types';
import { resources } from '../../../nodes/PaymentPlatform/resources';
import { startSandbox, type JournalEntry, type Sandbox } from '../../../sandbox';
import { credentialFor } from '../../credential';
import { testEvery } from '../../every-case';
import { exampleRequest } from '../../example-request';
import { Random } from '../../simulator/random';
import { timeIsSimulated } from '../../simulated-time';
import { runWorkflow, type RunInput } from '../harness';
import { Learner, PDF, type Attempt, type Chosen } from '../panel/person/learner';
import { freshRecords } from '../panel/person/records';
import { startRecorder, type Recorder } from '../panel/person/service';

timeIsSimulated();

/** Limits in the node's options, in the currency's main unit. */
type Limits = Partial<Record<'limitPerExecution' | 'limitPerDay', number>>;

/** Parameters and amount of a request that succeeds without limits. */
interface Filling {
  parameters: INodeParameters;
  amount?: number;
}

const MOST_FILLINGS = 500;
/** Time after which the node no longer adds its earlier writes to the day total. */
const LONGER_THAN_DAY_WRITES_MS = 3 * 24 * 60 * 60 * 1000;
const UNKNOWN = 'allows only requests with a known amount';

const moving = resources.flatMap(({ value: resource, operations }) =>
  operations.filter(movesMoney).map((declared): Chosen => {
    const { operationId = '' } = declared.request;
    return { name: `${resource}.${declared.value}`, resource, declared, operationId };
  }),
);

/** Returns whether the amount of the operation's requests is unknown to both the interface and the node. */
const isNeverKnown = ({ money, request }: Operation) => (money ?? request.moves) === 'untold';

const isWrite = ({ applied, operationId }: JournalEntry) =>
  applied !== null && describedOperation(operationId ?? '')['x-money'] !== 'reads';

let sandbox: Sandbox;
let recorder: Recorder;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
  recorder = await startRecorder(sandbox.port);
  for (const chosen of moving) fillings.set(chosen.name, await fillingOf(chosen));
}, 300_000);
afterAll(async () => {
  await recorder.stop();
  await sandbox.stop();
});

async function run({ resource }: Chosen, parameters: INodeParameters, limits: Limits, more: Partial<RunInput> = {}) {
  await freshRecords(sandbox, resource);
  sandbox.control.clearJournal();
  const { items, error } = await runWorkflow({
    rows: [{}, {}],
    files: [{ data: PDF }, { data: PDF }],
    parameters: { ...parameters, options: { ...limits } },
    credential: credentialFor(sandbox),
    onError: 'continueRegularOutput',
    ...more,
  });
  const messages = items.flatMap(({ json }) => ((json.error as IDataObject | undefined)?.message as string) ?? []);
  const writes = sandbox.control.journal().filter(isWrite).length;
  return { said: error?.message ?? messages.join('\n'), writes };
}

async function withAmount(chosen: Chosen, parameters: INodeParameters): Promise<Filling> {
  const { said } = await run(chosen, parameters, { limitPerExecution: 0.001 });
  const amounts = [...said.matchAll(/\(found [^)]*? "?-?([\d.]+)"?\)/g)].map(([, amount]) => Number(amount));
  if (amounts.length === 0) return { parameters };
  const allowed = await run(chosen, parameters, { limitPerExecution: 1e9 }, { rows: [{}] });
  return { parameters, ...(allowed.said === '' && { amount: Math.max(...amounts) }) };
}

/** The simulated user can't fill in the panel of an API request. */
const apiRequest: INodeParameters = {
  ...{ resource: 'api', operation: 'request', method: 'POST', path: '/platform/invoice' },
  body: JSON.stringify({ ...exampleRequest('createInvoice').body, customer_id: 'CUST0001' }),
};

async function fillingOf(chosen: Chosen): Promise<Filling> {
  if (chosen.operationId === '') return await withAmount(chosen, apiRequest);
  const learner = new Learner(new Random(1), sandbox, recorder);
  const withKnownAmount = async ({ filled: { parameters } }: Attempt) => {
    const filling = await withAmount(chosen, parameters);
    return filling.amount !== undefined || isNeverKnown(chosen.declared) ? filling : undefined;
  };
  return await learner.fill(chosen, withKnownAmount, MOST_FILLINGS);
}

const fillings = new Map<string, Filling>();
const known = moving.filter(({ declared }) => !isNeverKnown(declared));
const unknown = moving.filter(({ declared }) => isNeverKnown(declared));
const reported = known.filter(({ declared }) => declared.dayRecords !== undefined);

function filled({ name }: Chosen): Required<Filling> {
  const { parameters = {}, amount = NaN } = fillings.get(name) ?? {};
  return { parameters, amount };
}

const oneByOne = { batchSize: 1 };

const writesOfOne = async (chosen: Chosen) => (await run(chosen, filled(chosen).parameters, {}, { rows: [{}] })).writes;

async function totalOfDay(chosen: Chosen): Promise<number> {
  const { parameters, amount } = filled(chosen);
  const { said } = await run(chosen, parameters, { limitPerDay: amount }, { onError: 'stopWorkflow' });
  const total = Number(/Today's total is ([\d.]+)/.exec(said)?.[1]);
  return said.startsWith('Row 2') ? total - amount : total;
}

test("takes the total of the day from the service's report for every request that moves or holds money immediately", () => {
  const lacking = moving.filter(({ declared: { request, dayRecords } }) => request.family === 'gateway' && !dayRecords);
  expect(lacking.map(({ name }) => name)).toEqual([]);
  expect(reported.length).toBeGreaterThan(5);
});

describe('limits below the amount of an operation that moves money', () => {
  testEvery(known)('send nothing if the amount exceeds the limit per execution', async (chosen) => {
    const { parameters, amount } = filled(chosen);
    const { said, writes } = await run(chosen, parameters, { limitPerExecution: amount - 0.01 });
    expect(said).toContain(`"Limit per Execution" allows at most ${amount - 0.01}`);
    expect(writes).toBe(0);
  });

  testEvery(known)('send nothing if the amount exceeds the limit per day', async (chosen) => {
    const { parameters, amount } = filled(chosen);
    const { said, writes } = await run(chosen, parameters, { limitPerDay: amount - 0.01 });
    expect(said).toContain(`"Limit per Day" allows at most ${amount - 0.01}`);
    expect(writes).toBe(0);
  });

  testEvery(unknown)('send nothing with a limit if the amount is unknown', async (chosen) => {
    for (const [name, label] of [
      ['limitPerExecution', 'Limit per Execution'],
      ['limitPerDay', 'Limit per Day'],
    ] as const) {
      const { said, writes } = await run(chosen, filled(chosen).parameters, { [name]: 1e9 });
      expect(said).toContain(`"${label}" ${UNKNOWN}`);
      expect(writes).toBe(0);
    }
  });
});

describe('limits above the amount of an operation that moves money', () => {
  testEvery(known)('count a sent amount toward the limit per execution', async (chosen) => {
    const { parameters, amount } = filled(chosen);
    const { said, writes } = await run(chosen, parameters, { limitPerExecution: amount * 1.5 }, oneByOne);
    expect(said).toContain(`The total so far is ${amount}, and this request would add ${amount}`);
    expect(writes).toBe(await writesOfOne(chosen));
  });

  testEvery(known)('count a sent amount toward the limit per day', async (chosen) => {
    const { parameters, amount } = filled(chosen);
    jest.setSystemTime(Date.now() + LONGER_THAN_DAY_WRITES_MS);
    const before = await totalOfDay(chosen);
    const { said, writes } = await run(chosen, parameters, { limitPerDay: before + amount * 1.5 }, oneByOne);
    expect(said).toContain(`and this request would add ${amount}`);
    expect(Number(/Today's total is ([\d.]+)/.exec(said)?.[1])).toBeCloseTo(before + amount, 2);
    expect(writes).toBe(await writesOfOne(chosen));
  });

  testEvery(reported)(
    'count an amount that was sent without a limit and that the report does not show yet',
    async (chosen) => {
      const { parameters, amount } = filled(chosen);
      jest.setSystemTime(Date.now() + LONGER_THAN_DAY_WRITES_MS);
      const before = await totalOfDay(chosen);
      sandbox.control.setListLag(600_000);
      await run(chosen, parameters, {}, { rows: [{}] });
      const after = await totalOfDay(chosen);
      sandbox.control.setListLag(0);
      expect(after - before).toBeCloseTo(amount, 2);
    },
  );
});
