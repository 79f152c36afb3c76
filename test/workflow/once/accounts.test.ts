import type { IDataObject } from 'n8n-workflow';

import { credentialFor, type CredentialData } from '../../credential';
import { recovered } from '../../loop-node';
import { timeIsSimulated } from '../../simulated-time';
import { capturedSales, goOn, refund, refundBench, sandboxForFile } from '../bench';
import { crashedData, runWorkflow, type RunInput, type RunOutput } from '../harness';

timeIsSimulated();
const sandbox = sandboxForFile({ seed: false });

const sent = () => sandbox.control.journal().length;
const oneByOne = (options: IDataObject = {}) =>
  ({ ...refund, options: { sending: { maxParallelRequests: 1 }, ...options } }) as RunInput['parameters'];
const confirming = (code: string) =>
  oneByOne({ unknownOutcome: 'resolve', resolve: { item: [{ code, finding: 'notApplied' }] } });
const { input } = refundBench(sandbox, { parameters: oneByOne() });
const failuresOf = ({ items }: RunOutput) =>
  items.flatMap(({ json }) => (json.error ? [json.error as IDataObject] : []));

const production = () => credentialFor(sandbox, 'production');
const OTHERS: Array<[string, () => CredentialData]> = [
  ['the production environment', production],
  ['another merchant of the same environment', () => ({ ...credentialFor(sandbox), merchantId: '99999999' })],
  ['another base URL', () => ({ ...credentialFor(sandbox), baseUrl: `${sandbox.baseUrl}/other` })],
];

/** Two refunds succeed, the service declines the third, and the node doesn't start the fourth. */
async function stopped(rows: IDataObject[]) {
  sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: `/pg/refund/${rows[2]?.id as string}` });
  const { run } = await runWorkflow(input(rows));
  sandbox.control.clearFaults();
  expect(sent()).toBe(3);
  return run;
}

/** Simulates killing n8n after three of four refunds. */
async function killed(rows: IDataObject[]) {
  const crashed = crashedData(input(rows));
  sandbox.control.addFault({ kind: 'reset_after_apply', path: `/pg/refund/${rows[2]?.id as string}` });
  await runWorkflow(input(rows, { from: crashed }));
  sandbox.control.clearFaults();
  expect(sent()).toBe(3);
  return recovered(crashed, ['Rows', 'Payment Platform']);
}

describe.each(OTHERS)('a retry with %s', (_, credential) => {
  test.each([
    ['a failed execution', stopped],
    ['an execution that was killed', killed],
  ])('sends no requests of %s', async (_name, first) => {
    const rows = capturedSales(sandbox, 4);
    const run = await first(rows);
    let retryOf = run;
    for (let retry = 0; retry < 2; retry += 1) {
      const retried = await runWorkflow(input(rows, { ...goOn, credential: credential(), retryOf }));
      expect(failuresOf(retried)).toHaveLength(4);
      expect(failuresOf(retried)[3]).toMatchObject({
        outcome: 'invalid',
        message: expect.stringMatching(/^This execution started with a different account/) as string,
      });
      retryOf = retried.run;
      // The second retry repeats the original execution, not the first retry.
      if (retry === 0) retryOf = structuredClone(run);
    }
    expect(sent()).toBe(3);
  });
});

test('a retry with another account reports the items of a killed loop iteration as unknown', async () => {
  const rows = capturedSales(sandbox, 4);
  const run = await killed(rows);
  const memory = { paymentPlatformWrites: { account: 'account of the first round', accounts: [], runs: {} } };
  const contextData = { ...run.data.executionData?.contextData, 'node:Payment Platform': memory };
  Object.assign(run.data.executionData ?? {}, { contextData });
  const retried = await runWorkflow(input(rows, { ...goOn, credential: production(), retryOf: run }));
  expect(failuresOf(retried).map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown', 'unknown', 'invalid']);
  expect(sent()).toBe(3);
});

test('sends nothing with another account, even if the last retry refused all unstarted items', async () => {
  const rows = capturedSales(sandbox, 4);
  const run = await killed(rows);
  const parameters = oneByOne({ limitPerItem: '={{ $json.row === 3 ? 1 : 100 }}' });
  const retry = { ...goOn, credential: production(), retryOf: structuredClone(run) };
  expect(failuresOf(await runWorkflow(input(rows, { ...retry, parameters })))).toHaveLength(4);
  const again = await runWorkflow(input(rows, { ...retry, retryOf: structuredClone(run) }));
  expect(failuresOf(again)[3]?.message).toMatch(/^This execution started with a different account/);
  expect(sent()).toBe(3);
});

test.each([
  ['a failed execution', stopped, 2],
  ['an execution that was killed', killed, 1],
])('accepts another account for %s after the user confirms all items with one code', async (_name, first, left) => {
  const rows = capturedSales(sandbox, 4);
  const run = await first(rows);
  const refused = await runWorkflow(input(rows, { ...goOn, credential: production(), retryOf: structuredClone(run) }));
  const codes = failuresOf(refused).flatMap(({ outcome, resolveCode: code }) => (outcome === 'invalid' ? [code] : []));
  expect(codes).toHaveLength(left);
  expect(new Set(codes).size).toBe(1);
  const code = codes[0] as string;
  expect(code).toMatch(/^account-\w{5}$/);
  const wrong = oneByOne({ unknownOutcome: 'resolve', resolve: { item: [{ code, finding: 'applied' }] } });
  const confirmed = { ...goOn, credential: production() };
  await runWorkflow(input(rows, { ...confirmed, parameters: wrong, retryOf: structuredClone(run) }));
  expect(sent()).toBe(3);
  await runWorkflow(input(rows, { ...confirmed, parameters: confirming(code), retryOf: structuredClone(run) }));
  expect(sent()).toBe(3 + left);
});

test('sends nothing with Retry On Fail after the credential changed to another account', async () => {
  const rows = capturedSales(sandbox, 4);
  const credential = credentialFor(sandbox);
  sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: `/pg/refund/${rows[2]?.id as string}` });
  const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 500 };
  const running = runWorkflow(input(rows, { credential, settings }));
  while (sent() < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  Object.assign(credential, production());
  const { error } = await running;
  expect(sent()).toBe(3);
  expect(error?.message).toBeDefined();
});

describe('an execution that was killed before the node recorded a write', () => {
  const refunds = () => sandbox.control.journal().filter(({ operationId }) => operationId === 'refund').length;
  const limited = { parameters: oneByOne({ limitPerDay: 1000 }) };

  /** Simulates killing n8n while the node reads the day's report, before it sends a refund. */
  async function killedWhileReading(rows: IDataObject[]) {
    const crashed = crashedData(input(rows));
    sandbox.control.addFault({ kind: 'status', status: 403, code: 1, operationId: 'getTransactionRequests' });
    await runWorkflow(input(rows, { ...limited, from: crashed }));
    sandbox.control.clearFaults();
    expect(refunds()).toBe(0);
    return recovered(crashed, ['Rows', 'Payment Platform']);
  }

  test.each(OTHERS)('sends nothing in retries with %s until the user confirms the account', async (_, credential) => {
    const rows = capturedSales(sandbox, 3);
    const run = await killedWhileReading(rows);
    const retry = async (parameters: RunInput['parameters']) =>
      await runWorkflow(input(rows, { ...goOn, parameters, credential: credential(), retryOf: structuredClone(run) }));
    for (let time = 0; time < 2; time += 1) {
      const failures = failuresOf(await retry(oneByOne()));
      expect(failures.map(({ outcome }) => outcome)).toEqual(['invalid', 'invalid', 'invalid']);
      expect(failures[0]?.message).toMatch(/^This execution started with a different account/);
      expect(refunds()).toBe(0);
    }
    const [{ resolveCode: code } = {}] = failuresOf(await retry(oneByOne()));
    await retry(confirming(code as string));
    expect(sandbox.control.journal().filter(({ path }) => /\/pg\/refund\//.test(path))).toHaveLength(3);
  });

  test('sends all items once in a retry with the same account, without asking', async () => {
    const rows = capturedSales(sandbox, 3);
    const run = await killedWhileReading(rows);
    const retried = await runWorkflow(input(rows, { ...limited, ...goOn, retryOf: run }));
    expect(failuresOf(retried)).toEqual([]);
    expect(refunds()).toBe(3);
  });

  test('sends all items once in a retry after another kill, without asking', async () => {
    const rows = capturedSales(sandbox, 3);
    const run = await killedWhileReading(rows);
    sandbox.control.addFault({ kind: 'status', status: 403, code: 1, operationId: 'getTransactionRequests' });
    await runWorkflow(input(rows, { ...limited, ...goOn, retryOf: structuredClone(run) }));
    sandbox.control.clearFaults();
    const retried = await runWorkflow(input(rows, { ...limited, ...goOn, retryOf: run }));
    expect(failuresOf(retried)).toEqual([]);
    expect(refunds()).toBe(3);
  });
});

/** Replaces the API key in the sandbox and returns a credential with the new key. */
function renewed(): CredentialData {
  const { test } = sandbox.credentials;
  test.apiKey = `${test.apiKey}-renewed`;
  return credentialFor(sandbox);
}

test.each([
  ['a new API key', renewed],
  [
    'another spelling of the base URL',
    () => ({ ...credentialFor(sandbox), baseUrl: ` ${sandbox.baseUrl.replace('http', 'HTTP')}/ ` }),
  ],
])('treats %s as the same account and sends the remaining items of a failed execution', async (_, credential) => {
  const rows = capturedSales(sandbox, 4);
  const retryOf = await stopped(rows);
  await runWorkflow(input(rows, { ...goOn, credential: credential(), retryOf }));
  expect(sent()).toBe(5);
});

test('sends nothing with a new API key after n8n was killed, until a person resolves the item', async () => {
  const rows = capturedSales(sandbox, 4);
  const retryOf = await killed(rows);
  const [first, second, third, fourth] = rows as [IDataObject, IDataObject, IDataObject, IDataObject];
  // n8n runs the whole workflow again, so its rows can come in another order.
  const retry = input([fourth, first, second, third], { ...goOn, credential: renewed(), retryOf });
  const failures = failuresOf(await runWorkflow({ ...retry, retryOf: structuredClone(retryOf) }));
  expect(failures.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
  expect(failures[3]?.message).toMatch(/^An earlier attempt may have sent this item with a different credential/);
  expect(sent()).toBe(3);
  const parameters = confirming(failures[0]?.resolveCode as string);
  await runWorkflow({ ...retry, parameters, retryOf: structuredClone(retryOf) });
  const refunds = sandbox.control.journal().filter(({ operationId }) => operationId === 'refund');
  expect(refunds.slice(3)).toMatchObject([{ path: `/pg/refund/${fourth.id as string}` }]);
});

test('sends the remaining items after n8n was killed and the base URL was spelled differently', async () => {
  const rows = capturedSales(sandbox, 4);
  const retryOf = await killed(rows);
  const credential = { ...credentialFor(sandbox), baseUrl: ` ${sandbox.baseUrl.replace('http', 'HTTP')}/ ` };
  await runWorkflow(input(rows, { ...goOn, credential, retryOf }));
  expect(sent()).toBe(4);
});

test('lets a new execution use another account', async () => {
  const rows = capturedSales(sandbox, 4);
  await stopped(rows);
  await runWorkflow(input(rows, { ...goOn, credential: production() }));
  expect(sent()).toBe(7);
});

test('sends refused items after an invalid credential is corrected', async () => {
  const rows = capturedSales(sandbox, 2);
  const credential = { ...credentialFor(sandbox), apiKey: '' };
  const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 500 };
  const running = runWorkflow(input(rows, { ...goOn, credential, settings }));
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(sent()).toBe(0);
  Object.assign(credential, credentialFor(sandbox));
  expect(failuresOf(await running)).toEqual([]);
  expect(sent()).toBe(2);
});
