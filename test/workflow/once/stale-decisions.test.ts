import type { IDataObject } from 'n8n-workflow';

import { timeIsSimulated } from '../../simulated-time';
import { benchOf, charging, sandboxForFile, toErrors } from '../bench';
import { crashedData, runWorkflow, type RunInput, type RunOutput } from '../harness';

timeIsSimulated();
const sandbox = sandboxForFile();

const refuse = (more: IDataObject = {}) => charging({ unknownOutcome: 'refuse', ...more });
const resolve = (code: unknown, finding: string, more: IDataObject = {}) =>
  charging({ unknownOutcome: 'resolve', resolve: { item: [{ code, finding }] }, ...more });
const { input, run, applied, lose } = benchOf(sandbox, { looksUp: true, ...toErrors });
const codeOf = ({ errors }: RunOutput) => (errors[0]?.json.error as IDataObject).resolveCode;
const RETRIED: Partial<RunInput> = {
  settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 } as RunInput['settings'],
  onError: undefined,
};

/** Resolves the same item of an earlier execution. Returns the code, which stays in the saved workflow. */
async function codeOfLastMonth(): Promise<unknown> {
  lose('sale', 'before');
  const failed = await run(refuse(), [{}], { onError: undefined });
  const code = codeOf(await run(refuse(), [{}], { retryOf: failed.run }));
  await run(resolve(code, 'notApplied'), [{}], { retryOf: failed.run });
  sandbox.control.clearJournal();
  sandbox.control.clearFaults();
  return code;
}

test('the finding "It was not applied" of an earlier execution releases no item of this execution', async () => {
  const code = await codeOfLastMonth();
  sandbox.control.setListLag(600_000);
  lose('sale', 'after');
  await run(resolve(code, 'notApplied'), [{}], RETRIED);
  expect(applied('sale')).toBe(1);
});

test('the finding "It was applied" of an earlier execution completes no item of this execution', async () => {
  const code = await codeOfLastMonth();
  lose('sale', 'before');
  const { items } = await run(resolve(code, 'applied'), [{}], RETRIED);
  expect([items, applied('sale')]).toEqual([[], 0]);
});

test('a hint names the codes that belong to no attempt of the execution', async () => {
  const code = await codeOfLastMonth();
  const { hints } = await run(resolve(code, 'notApplied'));
  expect(hints.join()).toContain(
    `"Resolve Items" contains codes that belong to no attempt of this execution, so they had no effect: ${String(code)}.`,
  );
});

test('the code of one node does not resolve the same item of another node', async () => {
  lose('sale', 'before', 'all');
  const given = input(refuse(), [{}], { second: refuse() });
  const started = crashedData(given);
  await runWorkflow({ ...given, from: started });
  const { run: retried } = await runWorkflow({ ...given, retryOf: started });
  const { 'Payment Platform': one, 'Second Payment': other } = retried.data.resultData.runData;
  const codes = [one, other].map((runs) => (runs?.[0]?.data?.main?.[1]?.[0]?.json.error as IDataObject).resolveCode);
  expect(codes).toEqual([expect.stringMatching(/^0-/), expect.stringMatching(/^0-/)]);
  expect(codes[0]).not.toBe(codes[1]);
});

test('the code of one key does not release another key', async () => {
  lose('sale', 'after');
  await run(refuse({ oncePerKey: 'A' }));
  const code = codeOf(await run(refuse({ oncePerKey: 'A' })));
  sandbox.control.clearFaults();
  lose('sale', 'after');
  await run(refuse({ oncePerKey: 'B' }));
  await run(resolve(code, 'notApplied', { oncePerKey: 'B' }));
  expect(applied('sale')).toBe(2);
});

test('the code of one attempt does not release the next attempt of the same key', async () => {
  lose('sale', 'before');
  await run(refuse({ oncePerKey: 'A' }));
  const code = codeOf(await run(refuse({ oncePerKey: 'A' })));
  sandbox.control.clearFaults();
  sandbox.control.setListLag(600_000);
  lose('sale', 'after');
  await run(resolve(code, 'notApplied', { oncePerKey: 'A' }));
  await run(resolve(code, 'notApplied', { oncePerKey: 'A' }));
  expect(applied('sale')).toBe(1);
});

test.each([
  ['does not complete the key for a new amount', { amt_tran: 30 }, 'for another payment'],
  ['completes the key if the payment is the same', { additionalFields: { dba_name: 'SHOP' } }, 'already completed'],
])('the finding "It was applied" for an edited item %s', async (_, edit, message) => {
  const withKey = { unknownOutcome: 'refuse', oncePerKey: 'A' };
  lose('sale', 'before');
  const failed = await run(charging(withKey), [{}], { onError: undefined });
  const edited = await run(charging(withKey, edit), [{}], { retryOf: failed.run });
  const applying = { unknownOutcome: 'resolve', resolve: { item: [{ code: codeOf(edited), finding: 'applied' }] } };
  const resolved = await run(charging({ ...withKey, ...applying }, edit), [{}], { retryOf: failed.run });
  expect(resolved.items).toHaveLength(1);
  const { errors } = await run(charging(withKey, edit));
  expect(errors[0]?.json.error).toMatchObject({ message: expect.stringContaining(message) as string });
  expect(applied('sale')).toBe(0);
});
