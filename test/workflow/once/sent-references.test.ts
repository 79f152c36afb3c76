import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { timeIsSimulated } from '../../simulated-time';
import { sandboxForFile } from '../bench';
import { crashedData, runWorkflow, type RunInput, type RunOutput } from '../harness';

timeIsSimulated();
const sandbox = sandboxForFile();

const charge = (options: IDataObject = {}, more: IDataObject = {}) =>
  ({
    resource: 'transaction',
    operation: 'sale',
    paymentMethod: 'customerCard',
    customer_id: 'CUST0001',
    amt_tran: 25,
    ...more,
    options,
  }) as INodeParameters;
const REFUSE = { unknownOutcome: 'refuse' };
const input = (rows: IDataObject[], more: Partial<RunInput> = {}): RunInput => ({
  rows,
  parameters: charge(REFUSE),
  credential: credentialFor(sandbox),
  looksUp: true,
  onError: 'continueErrorOutput',
  ...more,
});
const sent = () => sandbox.control.journal({ operationId: 'sale' }).map(({ body }) => body as IDataObject);
const applied = () => sandbox.control.journal({ operationId: 'sale' }).filter((one) => one.applied !== null).length;
const lose = (calls: number[] | 'all' = [1]) =>
  sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'sale', calls });
const errorOf = ({ errors }: RunOutput) => errors[0]?.json.error as IDataObject;
const referenceIn = (error: IDataObject) => (error.references as IDataObject).merch_ref_num;

/** Runs the input, but loses all responses and the results, as if n8n was killed. */
async function kill(given: RunInput) {
  const started = crashedData(given);
  lose('all');
  await runWorkflow({ ...given, from: started });
  sandbox.control.clearFaults();
  return started;
}

test('each charge has a reference of its own, also beside a purchase ID', async () => {
  const additionalFields = { purchase_id: 'DUES' };
  await runWorkflow(input([{}, {}], { parameters: charge({}, { additionalFields }) }));
  const references = sent().map(({ merch_ref_num: reference }) => reference);
  expect(references).toEqual([expect.stringMatching(/^[0-9A-F]{20}$/), expect.stringMatching(/^[0-9A-F]{20}$/)]);
  expect(new Set(references).size).toBe(2);
});

test("the node keeps the user's own merchant reference", async () => {
  await runWorkflow(input([{}], { parameters: charge({}, { additionalFields: { merch_ref_num: 'MINE' } }) }));
  expect(sent()).toMatchObject([{ merch_ref_num: 'MINE' }]);
});

test('rows that moved after a kill are found by the references that were sent', async () => {
  const given = input([{ id: 'A' }, { id: 'B' }]);
  const retryOf = await kill(given);
  const rows = [{ id: 'X' }, ...given.rows];
  await runWorkflow({ ...given, rows, parameters: charge({ unknownOutcome: 'resend' }), retryOf });
  expect(applied()).toBe(3);
});

test('rows in another batch size after a kill are found by the references that were sent', async () => {
  const given = input([{ id: 'A' }, { id: 'B' }, { id: 'C' }], { batchSize: 3, onError: 'continueRegularOutput' });
  const retryOf = await kill(given);
  await runWorkflow({ ...given, batchSize: 1, parameters: charge({ unknownOutcome: 'resend' }), retryOf });
  expect(applied()).toBe(3);
});

test('a message about an unknown key names the reference that was sent', async () => {
  lose();
  await runWorkflow(input([{}], { parameters: charge({ ...REFUSE, oncePerKey: 'deal 1' }) }));
  const error = errorOf(await runWorkflow(input([{}], { parameters: charge({ ...REFUSE, oncePerKey: 'deal 1' }) })));
  expect(referenceIn(error)).toBe(sent()[0]?.merch_ref_num);
});

test('a result of an earlier attempt shows the reference that was sent', async () => {
  const given = input([{ id: 'A' }]);
  const started = crashedData(given);
  await runWorkflow({ ...given, from: started });
  const { items } = await runWorkflow({ ...given, rows: [{ id: 'X' }, { id: 'A' }], retryOf: started });
  expect(items.map(({ json }) => json.merch_ref_num)).toEqual([sent()[0]?.merch_ref_num]);
});

test('a message after a kill of n8n 1 names only a reference that was sent', async () => {
  const given = input([{ id: 'A' }]);
  const version1 = (source: 'trigger' | 'retry') => {
    const crashed = crashedData(given);
    if (crashed.data.executionData)
      crashed.data.executionData.runtimeData = { version: 1, establishedAt: Date.now(), source };
    return crashed;
  };
  lose();
  await runWorkflow({ ...given, from: version1('trigger') });
  const error = errorOf(await runWorkflow({ ...given, parameters: charge(), retryOf: version1('retry') }));
  expect([undefined, sent()[0]?.merch_ref_num]).toContain((error.references as IDataObject | undefined)?.merch_ref_num);
});

test('a message after an edit names the values that were sent', async () => {
  lose();
  const { run } = await runWorkflow(input([{}], { onError: undefined }));
  const edited = charge(REFUSE, { amt_tran: 30 });
  const error = errorOf(await runWorkflow(input([{}], { parameters: edited, retryOf: run })));
  expect(error.description).toContain('the amount 25');
  expect(error.description).not.toContain('the amount 30');
});
