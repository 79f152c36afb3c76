import type { IDataObject, IRun } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { processedData } from '../../processed-data';
import { timeIsSimulated } from '../../simulated-time';
import { capturedSales, failedOf, goOn, outcomes, refund, refundBench, sandboxForFile } from '../bench';
import { crashedData, runWorkflow, type RunInput, type RunOutput } from '../harness';

timeIsSimulated();

const sandbox = sandboxForFile({ seed: false });
const { input, pathOf, sentTo, appliedTo } = refundBench(sandbox);

/** Simulates killing n8n during the fourth of five refunds. */
async function killedInTheMiddle(rows: IDataObject[], crashed = crashedData(input(rows))): Promise<IRun> {
  sandbox.control.addFault({ kind: 'reset_after_apply', path: pathOf(rows[3]), calls: [1] });
  await runWorkflow(input(rows, { parameters: oneByOne, from: crashed }));
  expect(rows.map(appliedTo)).toEqual([1, 1, 1, 1, 0]);
  return crashed;
}
const oneByOne = { ...refund, options: { sending: { maxParallelRequests: 1 } } };
afterEach(() => {
  delete processedData.failing;
  // Sandbox sale IDs are the same in each test.
  processedData.clear();
});

test('sends only unstarted items in a retry after n8n was killed', async () => {
  const rows = capturedSales(sandbox, 5);
  const crashed = await killedInTheMiddle(rows);
  const retried = await runWorkflow(input(rows, { ...goOn, retryOf: crashed }));
  expect(outcomes(retried)).toEqual(['done before', 'done before', 'done before', 'unknown', 'done']);
  expect(retried.items[0]?.json).toMatchObject({ done_by_earlier_try: true, pg_id_linked: rows[0]?.id });
  expect(retried.hints.join()).toMatch(/row 3.*: not sent again, because n8n's database shows/);
  expect((retried.items[3]?.json.error as IDataObject).message).toMatch(/started to send this item/);
  expect(rows.map(appliedTo)).toEqual([1, 1, 1, 1, 1]);
});

test('sends the unstarted items in a retry after n8n was killed if all started items moved', async () => {
  const rows = capturedSales(sandbox, 6);
  const crashed = await killedInTheMiddle(rows.slice(0, 5));
  const moved = [5, 1, 0, 2, 3, 4].map((row) => rows[row] as IDataObject);
  const retried = await runWorkflow(input(moved, { ...goOn, retryOf: crashed }));
  expect(outcomes(retried)).toEqual(['unknown', 'done before', 'done before', 'done before', 'unknown', 'done']);
  expect(rows.map(appliedTo)).toEqual([1, 1, 1, 1, 1, 0]);
});

test.each<[string, (row: IDataObject, index: number) => IDataObject, RunInput['parameters']?]>([
  ['a parameter changed', (row) => row, { ...refund, additionalFields: { loc_id: '0001' } } as never],
  ['a started item changed', (row, index) => (index === 3 ? { ...row, note: 'new' } : row)],
  ['all items changed', (row) => ({ ...row, note: 'new' })],
])(
  'sends nothing in retries after n8n was killed if the items moved and %s',
  async (_, change, parameters = refund) => {
    const rows = capturedSales(sandbox, 5);
    let retryOf = await killedInTheMiddle(rows);
    const moved = [4, 0, 1, 2, 3].map((row) => change(rows[row] as IDataObject, row));
    for (let retry = 0; retry < 2; retry += 1) {
      const retried = await runWorkflow(input(moved, { ...goOn, parameters, retryOf }));
      expect(outcomes(retried)).not.toContain('done');
      retryOf = retried.run;
    }
    expect(rows.map(sentTo)).toEqual([1, 1, 1, 1, 0]);
  },
);

test('completes other items with On Error set to Stop although an earlier attempt left one item unknown', async () => {
  const rows = capturedSales(sandbox, 5);
  const crashed = await killedInTheMiddle(rows);
  const { error } = await runWorkflow(input(rows, { retryOf: crashed }));
  expect(error?.message).toMatch(
    /^Row 4 of 5 \(\w+\): According to n8n's database, an earlier attempt started to send this item/,
  );
  expect(rows.map(appliedTo)).toEqual([1, 1, 1, 1, 1]);
});

test('resolves an item by its code in a retry of the retry or of the first execution', async () => {
  const rows = capturedSales(sandbox, 5);
  const crashed = await killedInTheMiddle(rows);
  const retried = await runWorkflow(input(rows, { retryOf: crashed }));
  const code = (retried.error?.context?.data as { failed: IDataObject[] }).failed[0]?.resolveCode as string;
  expect(code).toMatch(/^3-/);
  const options = { unknownOutcome: 'resolve', resolve: { item: [{ code, finding: 'applied' }] } };
  for (const retryOf of [retried.run, crashed]) {
    const again = await runWorkflow(input(rows, { parameters: { ...refund, options }, retryOf }));
    expect(again.error).toBeUndefined();
    expect(again.items[3]?.json).toMatchObject({ confirmed_by_person: true });
  }
  const not = { unknownOutcome: 'resolve', resolve: { item: [{ code, finding: 'notApplied' }] } };
  // Hides the first refund from all lists.
  sandbox.control.setListLag(3_600_000);
  const sent = await runWorkflow(input(rows, { parameters: { ...refund, options: not }, retryOf: crashed }));
  expect(sent.error).toBeUndefined();
  const twice = await runWorkflow(input(rows, { parameters: { ...refund, options: not }, retryOf: crashed }));
  expect(twice.items[3]?.json).toMatchObject({ done_by_earlier_try: true });
  sandbox.control.setListLag(0);
  // The user reported that the service didn't apply the fourth refund.
  expect(rows.map(appliedTo)).toEqual([1, 1, 1, 2, 1]);
});

/** In n8n 1, a crashed execution contains neither the start time nor the start node. */
function inVersion1(rows: IDataObject[], source: 'trigger' | 'retry'): IRun {
  const crashed = crashedData(input(rows));
  const { executionData } = crashed.data;
  if (executionData) executionData.runtimeData = { version: 1, establishedAt: Date.now(), source };
  return crashed;
}

test('after n8n 1 was killed, Send Again sends nothing that may be done until the user resolves it', async () => {
  const rows = capturedSales(sandbox, 5);
  await killedInTheMiddle(rows, inVersion1(rows, 'trigger'));
  const resend = { ...refund, options: { unknownOutcome: 'resend' } };
  const retried = await runWorkflow(input(rows, { ...goOn, parameters: resend, retryOf: inVersion1(rows, 'retry') }));
  expect(outcomes(retried)).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'done']);
  expect(rows.map(appliedTo)).toEqual([1, 1, 1, 1, 1]);
});

test('sends nothing again in later retries after the user resolved an item after n8n 1 was killed', async () => {
  const rows = capturedSales(sandbox, 5);
  await killedInTheMiddle(rows, inVersion1(rows, 'trigger'));
  const retried = await runWorkflow(input(rows, { ...goOn, retryOf: inVersion1(rows, 'retry') }));
  expect(outcomes(retried)).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'done']);
  const { resolveCode: code } = retried.items[3]?.json.error as IDataObject;
  const parameters = {
    ...refund,
    options: { unknownOutcome: 'resolve', resolve: { item: [{ code, finding: 'notApplied' }] } },
  } as never;
  const again = async () => await runWorkflow(input(rows, { ...goOn, parameters, retryOf: inVersion1(rows, 'retry') }));
  // Hides the first refund from all lists.
  sandbox.control.setListLag(3_600_000);
  expect(outcomes(await again())).toEqual(['unknown', 'unknown', 'unknown', 'done', 'unknown']);
  expect(outcomes(await again())).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'unknown']);
  sandbox.control.setListLag(0);
  expect(rows.map(appliedTo)).toEqual([1, 1, 1, 2, 1]);
});

test('reports equal items as not sent after n8n 1 was killed if no attempt started them', async () => {
  const [row = {}, other = {}] = capturedSales(sandbox, 2);
  const equal = [row, { ...other, number: 1 }, { ...other, number: 2 }];
  const limited = { ...refund, options: { limitPerItem: 5 } };
  const rows = equal.map((one, index) => ({ ...one, amount: index === 0 ? 4 : 6 }));
  const again = { ...goOn, parameters: limited };
  await runWorkflow(input(rows, { ...again, from: inVersion1(rows, 'trigger') }));
  const retried = await runWorkflow(input(rows, { ...again, retryOf: inVersion1(rows, 'retry') }));
  expect(outcomes(retried)).toEqual(['unknown', 'invalid', 'invalid']);
});

test('sends nothing in a retry with another API key after n8n 1 was killed', async () => {
  const rows = capturedSales(sandbox, 5);
  await killedInTheMiddle(rows, inVersion1(rows, 'trigger'));
  const credential = { ...credentialFor(sandbox), apiKey: 'another-key' };
  for (let retry = 0; retry < 2; retry += 1) {
    const retried = await runWorkflow(input(rows, { ...goOn, credential, retryOf: inVersion1(rows, 'retry') }));
    expect(outcomes(retried)).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'unknown']);
    expect((retried.items[4]?.json.error as IDataObject).message).toMatch(
      /^An earlier attempt may have sent this item with a different credential/,
    );
  }
  expect(rows.map(sentTo)).toEqual([1, 1, 1, 1, 0]);
});

test('applies each refund once in two consecutive and three parallel retries', async () => {
  const rows = capturedSales(sandbox, 8);
  sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: pathOf(rows[2]), calls: [1] });
  const failed = await runWorkflow(input(rows, { parameters: oneByOne }));
  expect(rows.map(appliedTo)).toEqual([1, 1, 0, 0, 0, 0, 0, 0]);
  const together = await Promise.all(
    [1, 2, 3].map(async () => await runWorkflow(input(rows, { retryOf: failed.run }))),
  );
  expect(rows.map(appliedTo)).toEqual(rows.map(() => 1));
  // While one retry sends a write, the other retries report the write as unknown.
  for (const { error } of together.filter((one) => one.error))
    expect(error?.message).toMatch(/Another attempt in n8n is sending this item now/);
  const last = await runWorkflow(input(rows, { retryOf: failed.run }));
  expect(last.error).toBeUndefined();
  expect(last.items).toHaveLength(8);
  expect(rows.map(appliedTo)).toEqual(rows.map(() => 1));
});

describe("an item that a retry after n8n was killed doesn't send", () => {
  const refusing = (...refused: number[]) => ({
    ...refund,
    options: { limitPerItem: `={{ [${refused.join()}].includes($json.row) ? 1 : 100 }}` },
  });

  test('an item of a killed execution is reported as done or unknown if the killed execution completed or started it', async () => {
    const rows = capturedSales(sandbox, 5);
    const crashed = await killedInTheMiddle(rows);
    const { error } = await runWorkflow(input(rows, { parameters: refusing(4), retryOf: crashed }));
    const { finished, failed, notStarted } = error?.context?.data as Record<string, IDataObject[]>;
    expect(finished?.map(({ item }) => item)).toEqual([0, 1, 2]);
    expect(failed).toMatchObject([
      { item: 3, outcome: 'unknown', resolveCode: expect.any(String) as string },
      { item: 4, outcome: 'invalid' },
    ]);
    expect(notStarted).toEqual([]);
  });

  test('an item of a killed execution is unknown if it is refused now but an item at its position was started', async () => {
    const rows = capturedSales(sandbox, 5);
    const crashed = await killedInTheMiddle(rows);
    // In two rows, the limit isn't a number, so the node refuses them.
    const options = { limitPerItem: '={{ [1, 4].includes($json.row) ? "none" : 100 }}' };
    const parameters = { ...refund, options };
    const retried = await runWorkflow(input(rows, { ...goOn, parameters, retryOf: crashed }));
    expect(outcomes(retried)).toEqual(['done before', 'unknown', 'done before', 'unknown', 'invalid']);
    expect((retried.items[1]?.json.error as IDataObject).message).toMatch(
      /^According to n8n's database, an earlier attempt started to send an item at this position.*This attempt was refused: /,
    );
    const stopped = await runWorkflow(input(rows, { parameters, retryOf: crashed }));
    expect((stopped.error?.context?.data as { failed: IDataObject[] }).failed).toMatchObject([
      { item: 1, outcome: 'unknown' },
      { item: 3, outcome: 'unknown' },
      { item: 4, outcome: 'invalid' },
    ]);
    // The killed execution didn't start the last item.
    const last = await runWorkflow(input(rows, { ...goOn, retryOf: crashed }));
    expect(outcomes(last)).toEqual(['done before', 'done before', 'done before', 'unknown', 'done']);
    expect(rows.map(appliedTo)).toEqual([1, 1, 1, 1, 1]);
  });

  test('an item of a killed execution is reported as done before if a limit refuses it now but the killed execution completed it', async () => {
    const rows = capturedSales(sandbox, 5);
    const crashed = await killedInTheMiddle(rows);
    const retried = await runWorkflow(input(rows, { ...goOn, parameters: refusing(1, 4), retryOf: crashed }));
    expect(outcomes(retried)).toEqual(['done before', 'doneBefore', 'done before', 'unknown', 'invalid']);
    expect((retried.items[1]?.json.error as IDataObject).message).toMatch(
      /^An earlier attempt completed this item\. This attempt was refused: "Limit per Item"/,
    );
  });

  test('an item of an execution killed in n8n 1 is unknown if a limit refuses it now but an equal item was sent', async () => {
    const rows = capturedSales(sandbox, 5);
    await killedInTheMiddle(rows, inVersion1(rows, 'trigger'));
    for (const options of [{ limitPerItem: 1 }, { limitPerExecution: 1 }]) {
      const parameters = { ...refund, options };
      const retried = await runWorkflow(input(rows, { ...goOn, parameters, retryOf: inVersion1(rows, 'retry') }));
      expect(outcomes(retried)).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'invalid']);
      expect((retried.items[1]?.json.error as IDataObject).message).toMatch(/already sent a matching item/);
    }
    expect(rows.map(sentTo)).toEqual([1, 1, 1, 1, 0]);
  });

  test('an item of a killed execution is unknown if the credential is invalid now but an item at its position was started', async () => {
    const rows = capturedSales(sandbox, 5);
    const crashed = await killedInTheMiddle(rows);
    const credential = { ...credentialFor(sandbox), baseUrl: 'http://payments.example.com' };
    const retried = await runWorkflow(input(rows, { ...goOn, credential, retryOf: crashed }));
    expect(outcomes(retried)).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'invalid']);
  });

  test('an item of a killed execution counts toward the limit per execution if the killed execution completed or started it', async () => {
    const rows = capturedSales(sandbox, 2);
    const crashed = crashedData(input(rows));
    await runWorkflow(input(rows, { ...goOn, parameters: refusing(0), from: crashed }));
    expect(rows.map(appliedTo)).toEqual([0, 1]);
    const parameters = { ...refund, options: { limitPerExecution: 5 } };
    const retried = await runWorkflow(input(rows, { ...goOn, parameters, retryOf: crashed }));
    expect(outcomes(retried)).toEqual(['invalid', 'done before']);
    expect(rows.map(appliedTo)).toEqual([0, 1]);
  });
});

test('sends again in a new execution of the same workflow', async () => {
  const rows = capturedSales(sandbox, 2);
  await runWorkflow(input(rows));
  await runWorkflow(input(rows));
  expect(rows.map(sentTo)).toEqual([2, 2]);
});

test("sends no item that n8n's database doesn't record, so that it can run again", async () => {
  const rows = capturedSales(sandbox, 2);
  processedData.failing = new Error('Connection terminated');
  const options = { sending: { maxTries: 1 } };
  const { items } = await runWorkflow(input(rows, { parameters: { ...refund, options }, ...goOn }));
  expect(items.map(({ json }) => (json.error as IDataObject).outcome)).toEqual(['notSent', 'notSent']);
  expect(rows.map(sentTo)).toEqual([0, 0]);
});

describe("a retry after n8n was killed, if n8n's database fails", () => {
  const failing = () => void (processedData.failing = new Error('Connection terminated'));
  const limited = (options: IDataObject) => ({ ...refund, options }) as RunInput['parameters'];
  const said = ({ items }: Pick<RunOutput, 'items'>) => items.map(({ json }) => (json.error as IDataObject).message);

  test.each<[string, RunInput['parameters'], Partial<IDataObject>?]>([
    ['the node sends', refund],
    ['the limit per item refuses', limited({ limitPerItem: 1 })],
    ['the limit per execution refuses', limited({ limitPerExecution: 1 })],
    ['is invalid', refund, { amount: 'x' }],
  ])('knows no outcome of an item that %s', async (_, parameters, changed = {}) => {
    const rows = capturedSales(sandbox, 5);
    const crashed = await killedInTheMiddle(rows);
    failing();
    const now = rows.map((row) => ({ ...row, ...changed }));
    const retried = await runWorkflow(input(now, { ...goOn, parameters, retryOf: crashed }));
    expect(outcomes(retried)).toEqual(rows.map(() => 'unknown'));
    for (const message of said(retried))
      expect(message).toMatch(
        /^n8n's database failed, so the node can't tell whether an earlier attempt sent this item/,
      );
    expect(rows.map(appliedTo)).toEqual([1, 1, 1, 1, 0]);
  });

  test('names all items as unknown if the run stops', async () => {
    const rows = capturedSales(sandbox, 5);
    const crashed = await killedInTheMiddle(rows);
    failing();
    const { error } = await runWorkflow(input(rows, { retryOf: crashed, parameters: limited({ limitPerItem: 1 }) }));
    expect(failedOf({ error } as RunOutput).map(({ outcome }) => outcome)).toEqual(rows.map(() => 'unknown'));
  });
});

test('uses no database for requests that only read', async () => {
  const before = processedData.calls;
  await runWorkflow(input([{}], { parameters: { resource: 'customer', operation: 'getAll' } as never }));
  expect(processedData.calls).toBe(before);
});
