import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, sandboxForFile, toErrors } from '../bench';
import { toolOf } from '../tool/tool-harness';

timeIsSimulated();

const sandbox = sandboxForFile({ seed: false });
const close: INodeParameters = { resource: 'batch', operation: 'close' };
const { run, sent } = benchOf(sandbox, { parameters: close });
const inProduction = () => ({ credential: credentialFor(sandbox, 'production') });
const sales = (count: number) => sandbox.control.addCapturedSales({ count, amountCents: 1_050 });
const statuses = () => sandbox.control.state().transactions.map(({ tran_status }) => tran_status);

test('settles the captured transactions and returns the batch as a record', async () => {
  sales(2);
  const { items, error } = await run();
  expect(error).toBeUndefined();
  expect(items[0]?.json).toMatchObject({
    what_happened: 'Closed the open batch with 2 transactions for settlement.',
    batch_info: [{ amt_total: 21, cnt_total: 2, cnt_return: 0, amt_purch: 21, batch_id: expect.any(String) as string }],
  });
  expect(statuses()).toEqual(['S', 'S']);
  await sandbox.control.advanceClock({ days: 1 });
  expect(statuses()).toEqual(['P', 'P']);
});

test('reports that an empty batch was not closed', async () => {
  sales(1);
  await run();
  const { error } = await run();
  expect(error?.message).toContain(
    'The batch was not closed, perhaps because it has no open transactions or is already closed',
  );
  expect(error?.description).toContain('9 PM Pacific time');
  expect(sent('closeBatch')).toHaveLength(2);
});

test('closes the batch once for two equal items and keeps the first result', async () => {
  sales(1);
  const { items, errors } = await run({}, [{}, {}], toErrors);
  expect([items.length, errors?.length]).toEqual([1, 1]);
  expect((errors?.[0]?.json.error as IDataObject).rcode).toBe('404');
});

describe('a lost response', () => {
  const lost = (kind: 'reset_after_apply' | 'reset_before_apply', calls = [1]) =>
    sandbox.control.addFault({ kind, operationId: 'closeBatch', calls });
  const goOn = { looksUp: true, onError: 'continueRegularOutput' } as const;
  const FOUND = 'a transaction of the open batch is settled, changed since the request';
  const told = (items: Array<{ json: IDataObject }>) =>
    items.map(({ json }) => json.found_at_service ?? (json.error as IDataObject | undefined)?.outcome ?? 'sent');

  test('a lost batch close is completed if a transaction of the batch was settled afterwards', async () => {
    sales(2);
    lost('reset_after_apply');
    const { items, hints } = await run({}, [{}], { looksUp: true });
    expect(items[0]?.json).toEqual({
      what_happened: 'Closed the open batch for settlement.',
      found_at_service: FOUND,
    });
    expect(hints.join()).toContain('the node found a matching record at the service');
    expect(sent('closeBatch')).toHaveLength(1);
  });

  test('a lost batch close is completed if the service applies the request seconds later', async () => {
    sales(1);
    lost('reset_before_apply');
    setTimeout(() => sandbox.control.closeBatch(), 5000);
    expect(told((await run({}, [{}], goOn)).items)).toEqual([FOUND]);
  });

  test("a lost batch close stays unknown if the batch is still open, and Retry On Fail doesn't send it again", async () => {
    sales(1);
    lost('reset_before_apply');
    const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
    const { error } = await run({}, [{}], { settings, looksUp: true });
    expect(error?.description).toContain('outcome is unknown');
    expect(sent('closeBatch')).toHaveLength(1);
    expect(statuses()).toEqual(['C']);
  });

  test('a lost batch close stays unknown if the batch was empty, the report fails, or the batch belongs to a profile', async () => {
    lost('reset_after_apply');
    expect(told((await run({}, [{}], goOn)).items)).toEqual(['unknown']);
    sandbox.control.reset();
    sales(1);
    lost('reset_after_apply');
    sandbox.control.addFault({ kind: 'status', status: 403, code: 6, method: 'GET' });
    expect(told((await run({}, [{}], goOn)).items)).toEqual(['unknown']);
    expect(statuses()).toEqual(['S']);
    sandbox.control.reset();
    sales(1);
    lost('reset_after_apply');
    const profile = { additionalFields: { profile_id: '12345678901234567890' } };
    expect(told((await run(profile, [{}], goOn)).items)).toEqual(['unknown']);
  });

  test("a lost batch close isn't confused with the close of another item", async () => {
    for (const [first, second, expected] of [
      ['reset_after_apply', 'reset_before_apply', [FOUND, 'unknown']],
      // Either request may have closed the batch, so the outcome of each request is unknown.
      ['reset_before_apply', 'reset_after_apply', ['unknown', 'unknown']],
    ] as const) {
      sandbox.control.reset();
      sales(1);
      lost(first);
      lost(second, [2]);
      const { items } = await run({}, [{}, {}], goOn);
      expect([told(items), sent('closeBatch').length]).toEqual([expected, 2]);
    }
    sandbox.control.reset();
    sales(1);
    lost('reset_before_apply');
    const { items } = await run({}, [{}, {}], goOn);
    expect(told(items)).toEqual(['unknown', 'sent']);
  });

  test("a lost batch close isn't confused with the close of a batch in another currency", async () => {
    sales(1);
    lost('reset_before_apply');
    sandbox.control.closeBatch();
    sandbox.control.addCapturedSales({ count: 1, amountCents: 500 });
    const { items } = await run({ tran_currency: '124' }, [{}], goOn);
    expect(told(items)).toEqual(['unknown']);
  });
});

test('requires a confirmation for Production before anything is sent', async () => {
  const { error } = await run({}, [{}], inProduction());
  expect(error?.message).toContain('this operation affects all transactions in the open batch');
  expect(error?.message).toContain(
    'To allow this operation in Production, a person must add this option and turn it off',
  );
  expect(sent('closeBatch')).toEqual([]);
  const confirmed = await run({ options: { testEnvironmentOnly: false } }, [{}], inProduction());
  expect(confirmed.error?.message).toContain('The batch was not closed');
  expect(sent('closeBatch')).toHaveLength(1);
});

test('accepts no confirmation from a model', async () => {
  const parameters = { ...close, testEnvironmentOnly: "={{ $fromAI('test') }}" };
  const { items } = await toolOf({ parameters, ...inProduction() }).call({ test: false });
  expect(items[0]?.result).toMatch(/^REFUSED.*must be a fixed value/);
  expect(sent('closeBatch')).toEqual([]);
});

test("returns the text of a batch unchanged if it isn't JSON", async () => {
  sandbox.control.addFault({
    kind: 'status',
    status: 200,
    operationId: 'closeBatch',
    body: { rcode: '000', rmsg: 'Batch closed', pg_id: 'p1', batch_info: 'Batch 7' },
  });
  const { items } = await run();
  expect(items[0]?.json).toMatchObject({
    what_happened: 'Closed the open batch for settlement.',
    batch_info: 'Batch 7',
  });
});
