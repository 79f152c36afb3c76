import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { processedData } from '../../processed-data';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, errorOf, sandboxForFile, toErrors } from '../bench';
import type { RunInput, RunOutput } from '../harness';
import { box } from '../resources/plan-bench';
import { subscriptionBench } from '../resources/subscription-bench';
import { idOf } from '../writes';

timeIsSimulated();

const sandbox = sandboxForFile();
const bench = benchOf(sandbox, toErrors);
const { run, newSubscription } = subscriptionBench(sandbox, '2030-03-01');
let keys = 0;
const newKey = () => `S-${(keys += 1)}`;
const changing = (id: string, oncePerKey: string, options: IDataObject = {}): INodeParameters => ({
  ...{ subscription_id: idOf(id), ifAlready: 'continue' },
  options: { oncePerKey, ...options } as INodeParameters,
});
const pause = async (...given: Parameters<typeof changing>) => await run('pause', changing(...given), [{}], toErrors);
const outcomes = ({ items, errors }: RunOutput) => [
  ...items.map(() => 'done'),
  ...errors.map((item) => errorOf(item).outcome),
];
const sent = (operationId: string) => sandbox.control.journal({ operationId }).length;
const send = async (parameters: INodeParameters, more?: Partial<RunInput>) => await bench.run(parameters, [{}], more);

afterEach(() => delete processedData.failing);

test('a key of an item that needed no request stays done even if another user reverts the change later', async () => {
  const [id, key] = [await newSubscription(), newKey()];
  await run('pause', { subscription_id: idOf(id) });
  expect(outcomes(await pause(id, key))).toEqual(['done']);
  await run('resume', { subscription_id: idOf(id) });
  expect(outcomes(await pause(id, key))).toEqual(['doneBefore']);
  expect(sent('pauseSubscription')).toBe(1);
  expect(outcomes(await pause(id, newKey()))).toEqual(['done']);
});

test('a key of an item that needed no request is done for a customer without changes', async () => {
  const upsert = (customer_first_name: string, oncePerKey?: string): INodeParameters => ({
    ...{ resource: 'customer', operation: 'upsert', own_customer_id: 'KEY1', customer_last_name: 'Silva' },
    ...{ customer_first_name, options: oncePerKey === undefined ? {} : { oncePerKey } },
  });
  await send(upsert('Ana'));
  const key = newKey();
  expect(outcomes(await send(upsert('Ana', key)))).toEqual(['done']);
  await send(upsert('Eva'));
  expect(outcomes(await send(upsert('Ana', key)))).toEqual(['doneBefore']);
});

test("a key of an item that needed no request isn't done if n8n's database doesn't store it, so that the item can run again", async () => {
  const [id, key] = [await newSubscription(), newKey()];
  await run('pause', { subscription_id: idOf(id) });
  processedData.failing = new Error('Connection terminated');
  expect(outcomes(await pause(id, key))).toEqual(['notSent']);
  delete processedData.failing;
  expect(outcomes(await pause(id, key))).toEqual(['done']);
});

test('treats keys of Plan > Create and Plan > Create or Update as different', async () => {
  const options = { oncePerKey: newKey() };
  const plan = (operation: string, recur_amt: string) => ({ resource: 'plan', operation, ...box, recur_amt, options });
  expect(outcomes(await send(plan('create', '39.50')))).toEqual(['done']);
  const upserted = await send(plan('upsert', '45'));
  expect(upserted.items[0]?.json).toMatchObject({ amt_tran: 45 });
  expect(outcomes(await send(plan('upsert', '46')))).toEqual(['invalid']);
  expect(outcomes(await send(plan('create', '40')))).toEqual(['invalid']);
});

test('completes an unknown key if a retry finds the record at the service', async () => {
  const options = { oncePerKey: newKey() };
  const plan = { resource: 'plan', operation: 'upsert', ...box, options };
  sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'addPlan', calls: [1] });
  const failed = await send(plan, { onError: 'stopWorkflow' });
  const { items } = await send(plan, { looksUp: true, retryOf: failed.run });
  expect(items[0]?.json.found_at_service).toBe('the service already has the requested values');
  expect(outcomes(await send({ ...plan, recur_amt: '45' }))).toEqual(['invalid']);
  expect(sent('addPlan')).toBe(1);
});

test('completes an unknown key if the user states it, even for an item with steps', async () => {
  const [id, key] = [await newSubscription(), newKey()];
  sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'pauseSubscription', calls: [1] });
  const first = await pause(id, key);
  expect(outcomes(first)).toEqual(['unknown']);
  await run('resume', { subscription_id: idOf(id) });
  const again = await pause(id, key);
  expect(outcomes(again)).toEqual(['unknown']);
  const code = errorOf(again.errors[0]).resolveCode;
  const word = { unknownOutcome: 'resolve', resolve: { item: [{ code, finding: 'applied' }] } };
  expect(outcomes(await pause(id, key, word))).toEqual(['done']);
  expect(outcomes(await pause(id, key))).toEqual(['doneBefore']);
  expect(sent('pauseSubscription')).toBe(1);
});
