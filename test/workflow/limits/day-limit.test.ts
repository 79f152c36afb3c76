import type { IDataObject, INodeParameters, IRun } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../../sandbox';
import { credentialFor } from '../../credential';
import { timeIsSimulated } from '../../simulated-time';
import { capturedSales, refund } from '../bench';
import { crashedData, runWorkflow, type RunInput, type RunOutput } from '../harness';
import { toolOf, type ToolInput } from '../tool/tool-harness';
import { quantity } from '../../quantity';

timeIsSimulated();

// The process remembers each account's amounts.
let sandbox: Sandbox;
let begins = Date.parse('2026-06-15T16:00:00Z');
beforeEach(async () => {
  // The node identifies an execution by its start time.
  jest.setSystemTime((begins += 60_000));
  sandbox = await startSandbox({ port: 0, seed: false });
});
afterEach(async () => await sandbox.stop());

const ZONE = 'America/Los_Angeles';
const sales = (count: number) => capturedSales(sandbox, count);
const pathOf = (row?: IDataObject) => `/pg/refund/${row?.id as string}`;
const applied = (row?: IDataObject) =>
  sandbox.control.journal().filter(({ path, applied: one }) => path === pathOf(row) && one !== null).length;
const sent = () => sandbox.control.journal().filter(({ path }) => path.startsWith('/pg/refund/')).length;
const pages = () => sandbox.control.journal().filter(({ method }) => method === 'GET').length;

const within = (limitPerDay: unknown, options: IDataObject = {}): INodeParameters =>
  ({ ...refund, options: { limitPerDay, ...options } }) as INodeParameters;
const run = async (rows: IDataObject[], parameters: INodeParameters = refund, more: Partial<RunInput> = {}) =>
  await runWorkflow({ rows, parameters, credential: credentialFor(sandbox), timezone: ZONE, ...more });
const goOn: Partial<RunInput> = { onError: 'continueRegularOutput' };
const outcomes = ({ items }: RunOutput) =>
  items.map(({ json }) => (json.error ? (json.error as IDataObject).outcome : 'done'));
const messages = ({ items }: RunOutput) => items.flatMap(({ json }) => (json.error as IDataObject)?.message ?? []);
const at = (time: string) => jest.setSystemTime(new Date(time));

describe('amounts that the report already shows for the day', () => {
  test('refuses items that exceed the limit per day in order and sends the other items', async () => {
    await run(sales(3));
    const rows = sales(5).map((row, index) => ({ ...row, amount: [4, 5, 4, 0.01, 4][index] }));
    const output = await run(rows, within(20.01), goOn);
    expect(outcomes(output)).toEqual(['done', 'invalid', 'done', 'done', 'invalid']);
    expect(rows.map(applied)).toEqual([1, 0, 1, 1, 0]);
    expect(messages(output)).toEqual([
      '"Limit per Day" allows 20.01 per day. Today\'s total is 16 (12 from 3 refunds, voids and credits in the transaction report, 4 from 1 not shown there yet), and this request would add 5',
      '"Limit per Day" allows 20.01 per day. Today\'s total is 20.01 (12 from 3 refunds, voids and credits in the transaction report, 8.01 from 3 not shown there yet), and this request would add 4',
    ]);
  });

  test('sends nothing if an item exceeds the limit per day and On Error is Stop', async () => {
    await run(sales(1));
    const before = sent();
    const { error } = await run(sales(2), within(8));
    expect(error?.message).toMatch(/^Row 2 of 2 \(\w+\): "Limit per Day" allows 8 per day/);
    expect(error?.description).toMatch(/The limit resets at midnight \(America\/Los_Angeles\)/);
    expect(sent()).toBe(before);
  });

  test('counts voids and smaller captures but not sales and declined refunds', async () => {
    const [voided, reduced, declined] = sandbox.control.addCapturedSales({ count: 3, amountCents: 1000 });
    sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: pathOf({ id: declined }), calls: [1] });
    await run(
      [
        { id: voided, amount: 10 },
        { id: reduced, amount: 3 },
        { id: declined, amount: 1 },
      ],
      refund,
      goOn,
    );
    const output = await run(sales(2), within(17), goOn);
    expect(messages(output)[0]).toMatch(/Today's total is 17 \(13 from 2 refunds, voids and credits/);
    expect(outcomes(output)).toEqual(['done', 'invalid']);
  });

  test('reads 250 records in pages once for many items', async () => {
    await run(sales(250).map((row) => ({ ...row, amount: 1 })));
    sandbox.control.clearJournal();
    const many = Array.from({ length: quantity(100, 1000) }, (_, index) => ({ id: String(index), amount: 1 }));
    const output = await run(many, within(250), goOn);
    expect(new Set(outcomes(output))).toEqual(new Set(['invalid']));
    // The report contains 500 records in five pages. The node reads one page again, and checks the list and its end for
    // changes.
    expect([pages(), sent()]).toEqual([11, 0]);
  });
});

describe("the day in the workflow's time zone", () => {
  test.each([
    ['the last minute of the day before', '2026-06-16T06:59:30Z', '2026-06-16T07:00:30Z', 'done'],
    ['the first minute of the day', '2026-06-16T07:00:30Z', '2026-06-17T06:59:30Z', 'invalid'],
    ['the first minute of a day of 23 hours', '2026-03-08T08:00:30Z', '2026-03-09T06:59:30Z', 'invalid'],
    ['the last minute before a day of 23 hours', '2026-03-08T07:59:30Z', '2026-03-08T08:00:30Z', 'done'],
    ['the last minute of a day of 23 hours', '2026-03-09T06:59:30Z', '2026-03-09T07:00:30Z', 'done'],
    ['the first minute of a day of 25 hours', '2026-11-01T07:00:30Z', '2026-11-02T07:59:30Z', 'invalid'],
  ])('assigns a refund of %s to the right day', async (_, before, now, outcome) => {
    const [first, second] = sales(2) as [IDataObject, IDataObject];
    at(before);
    await run([first]);
    at(now);
    expect(outcomes(await run([second], within(7), goOn))).toEqual([outcome]);
  });

  test('uses the day of a time zone in which it is already tomorrow', async () => {
    at('2026-06-15T11:59:30Z');
    const [first, second] = sales(2) as [IDataObject, IDataObject];
    const auckland = { timezone: 'Pacific/Auckland', ...goOn };
    await run([first], refund, auckland);
    at('2026-06-15T12:00:30Z');
    expect(outcomes(await run([second], within(7), auckland))).toEqual(['done']);
    expect(outcomes(await run([first], within(7), auckland))).toEqual(['invalid']);
  });

  test('counts a write that is sent after midnight toward the new day', async () => {
    const rows = sales(4);
    const [other] = sales(1);
    at('2026-06-16T06:58:00Z');
    sandbox.control.addLatency({ operationId: 'refund', milliseconds: 50_000 });
    const own = await run(rows, within(17, { sending: { maxParallelRequests: 1, timeout: 100 } }), goOn);
    expect(outcomes(own)).toEqual(['done', 'done', 'done', 'done']);
    // The service received the third refund only after midnight.
    expect(messages(await run([other as IDataObject], within(4), goOn))[0]).toMatch(/Today's total is 8 \(8 from 2 /);
  });
});

describe('items whose daily report fails or is incomplete', () => {
  const failing = async (fault: object) => {
    const rows = sales(2);
    sandbox.control.addFault({ method: 'GET', ...fault } as never);
    const output = await run(rows, within(100, { sending: { maxTries: 2 } }), goOn);
    expect(sent()).toBe(0);
    return output;
  };

  test('refuses the items if the service refuses the report', async () => {
    const output = await failing({ kind: 'status', status: 403, code: 6 });
    expect(outcomes(output)).toEqual(['invalid', 'invalid']);
    expect(messages(output)[0]).toMatch(
      /^"Limit per Day": the node could not calculate the day's total from the transaction report, so nothing was sent: /,
    );
  });

  test('refuses the items if the report still fails after its retries', async () => {
    const output = await failing({ kind: 'status', status: 500 });
    expect(outcomes(output)).toEqual(['notSent', 'notSent']);
    expect(pages()).toBe(2);
  });

  test('advises running the item again after a failed report, as no write was sent', async () => {
    sandbox.control.addFault({ method: 'GET', kind: 'status', status: 500, code: 99, calls: 'all' });
    const { error } = await run(sales(1), within(100, { sending: { maxTries: 1 } }));
    expect(error?.message).toMatch(
      /so nothing was sent: An error occurred in the service while processing the request$/,
    );
    expect(error?.description).toMatch(/^Run this item again\. This request was not applied\./);
    expect(error?.description).not.toMatch(/not send it again|may have been applied/);
    expect(sent()).toBe(0);
  });

  test('sends the items if a retry reads the report', async () => {
    sandbox.control.addFault({ method: 'GET', kind: 'status', status: 500, calls: [1] });
    expect(outcomes(await run(sales(1), within(100), goOn))).toEqual(['done']);
  });
});

describe('writes of this process are counted once', () => {
  test("counts the previous run if the report doesn't show it yet", async () => {
    sandbox.control.setListLag(60_000);
    expect(outcomes(await run(sales(2), within(12), goOn))).toEqual(['done', 'done']);
    const rows = sales(2);
    expect(outcomes(await run(rows, within(12), goOn))).toEqual(['done', 'invalid']);
    jest.setSystemTime(Date.now() + 61_000);
    const output = await run(sales(1), within(12), goOn);
    expect(messages(output)[0]).toMatch(
      /Today's total is 12 \(12 from 3 refunds, voids and credits in the transaction report\)/,
    );
  });

  test('counts a run without a limit and a run with one at the same time', async () => {
    sandbox.control.setListLag(60_000);
    const [unlimited, limited] = await Promise.all([run(sales(2)), run(sales(1), within(100), goOn)]);
    expect([unlimited, limited].flatMap(outcomes)).toEqual(['done', 'done', 'done']);
    expect(messages(await run(sales(1), within(15), goOn))[0]).toContain("Today's total is 12 (0 from 0");
  });

  test.each([{}, { limitPerDay: 50 }])(
    'counts an API request that the report does not show yet: %j',
    async (options) => {
      const [row, other] = sales(2);
      sandbox.control.setListLag(60_000);
      const body = JSON.stringify({ merchant_id: sandbox.credentials.test.merchantId, amt_tran: 4 });
      const request = { resource: 'api', operation: 'request', method: 'POST', path: pathOf(row), body, options };
      expect((await run([{}], request)).error).toBeUndefined();
      const output = await run([other as IDataObject], within(7), goOn);
      expect(messages(output)[0]).toMatch(/Today's total is 4 \(0 from 0 .+, 4 from 1 not shown there yet\)/);
      sandbox.control.setListLag(0);
      expect(messages(await run([other as IDataObject], within(7), goOn))[0]).toMatch(
        /total is 4 \(4 from 1 [^,]+, voids/,
      );
    },
  );

  test("doesn't count the declined, unsent and other merchants' items of a run without a limit", async () => {
    const [declined, other] = sales(2) as [IDataObject, IDataObject];
    sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: pathOf(declined), calls: 'all' });
    await run([declined], refund, goOn);
    await run([other], { ...refund, additionalFields: { merchant_id: '999' } } as INodeParameters, goOn);
    await run([{ id: '', amount: 4 }], refund, goOn);
    expect(outcomes(await run(sales(1), within(4), goOn))).toEqual(['done']);
  });

  test('counts two parallel runs together', async () => {
    const [one, other] = [sales(3), sales(3)];
    const both = await Promise.all([run(one, within(16), goOn), run(other, within(16), goOn)]);
    expect(both.flatMap(outcomes).filter((outcome) => outcome === 'done')).toHaveLength(4);
    expect([...one, ...other].reduce((sum, row) => sum + applied(row), 0)).toBe(4);
  });

  test('counts parallel runs of one account with an API key and an API token together', async () => {
    const { baseUrl, apiKey, ...byKey } = credentialFor(sandbox);
    const apiToken = Buffer.from(`${byKey.merchantId}:${apiKey}`).toString('base64');
    const byToken = { ...byKey, authMethod: 'apiToken', apiToken, baseUrl: `${baseUrl}/` };
    const both = await Promise.all([
      run(sales(3), within(16), goOn),
      run(sales(3), within(16), { ...goOn, credential: byToken }),
    ]);
    expect(both.flatMap(outcomes).filter((outcome) => outcome === 'done')).toHaveLength(4);
    expect(sent()).toBe(4);
  });

  test("doesn't count the amount of a declined write", async () => {
    const [declined, ...others] = sales(3);
    sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: pathOf(declined), calls: 'all' });
    expect(outcomes(await run([declined as IDataObject], within(8), goOn))).toEqual(['declined']);
    expect(outcomes(await run(others, within(8), goOn))).toEqual(['done', 'done']);
  });

  test("doesn't count the amount of an unstarted write", async () => {
    const rows = sales(4);
    sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: pathOf(rows[0]), calls: [1] });
    await run(rows, within(16, { sending: { maxParallelRequests: 1 } }));
    expect(outcomes(await run(rows, within(16), goOn))).toEqual(['done', 'done', 'done', 'done']);
  });

  test.each(['reset_before_apply', 'reset_after_apply'] as const)(
    'counts a write with an unknown outcome once: %s',
    async (kind) => {
      const [lost, ...others] = sales(3);
      sandbox.control.addFault({ kind, path: pathOf(lost), calls: [1] });
      expect(outcomes(await run([lost as IDataObject], within(8), goOn))).toEqual(['unknown']);
      jest.setSystemTime(Date.now() + 5000);
      expect(outcomes(await run(others, within(8), goOn))).toEqual(['done', 'invalid']);
    },
  );
});

describe("existing records, which don't count toward the limit", () => {
  const existing = (limitPerDay: number) => {
    const since = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000).toISOString();
    return within(limitPerDay, { ifExists: { then: 'return', since } });
  };

  test("doesn't count a record created today", async () => {
    const rows = sales(4);
    await run(rows.slice(0, 2));
    const output = await run(rows, existing(12), goOn);
    expect(outcomes(output)).toEqual(['done', 'done', 'done', 'invalid']);
    expect(sent()).toBe(3);
  });

  test("doesn't count a record created yesterday", async () => {
    const rows = sales(4);
    await run(rows.slice(0, 2));
    jest.setSystemTime(Date.now() + 24 * 60 * 60 * 1000);
    const output = await run(rows, existing(4), goOn);
    expect(outcomes(output)).toEqual(['done', 'done', 'done', 'invalid']);
    expect(sent()).toBe(3);
  });
});

describe('completed writes count once', () => {
  test('counts a write once after a retry', async () => {
    const rows = sales(4);
    sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: pathOf(rows[3]), calls: [1] });
    const failed = await run(rows, within(16, { sending: { maxParallelRequests: 1 } }));
    expect(failed.error).toBeDefined();
    const retried = await run(rows, within(16), { retryOf: failed.run });
    expect(retried.error).toBeUndefined();
    expect(rows.map(applied)).toEqual([1, 1, 1, 1]);
  });

  test('counts only new writes in a run that also returns existing records', async () => {
    const rows = sales(4);
    const options = { ifExists: { then: 'return' } };
    expect(outcomes(await run(rows.slice(0, 3), within(16, options), goOn))).toEqual(['done', 'done', 'done']);
    expect(outcomes(await run(rows, within(16, options), goOn))).toEqual(['done', 'done', 'done', 'done']);
    expect(rows.map(applied)).toEqual([1, 1, 1, 1]);
    expect(outcomes(await run(sales(1), within(16, options), goOn))).toEqual(['invalid']);
  });

  test("counts a write once if only n8n's database contains it after n8n was killed", async () => {
    const rows = sales(5);
    const input = { rows, parameters: refund, credential: credentialFor(sandbox) };
    const crashed: IRun = crashedData(input);
    // The first attempt has no limit, so the node stored no day total.
    await runWorkflow({ ...input, rows: rows.slice(0, 3), from: crashed });
    expect(rows.map(applied)).toEqual([1, 1, 1, 0, 0]);
    const retried = await run(rows, within(20), { retryOf: crashed, ...goOn });
    expect(outcomes(retried)).toEqual(['done', 'done', 'done', 'done', 'done']);
    expect(rows.map(applied)).toEqual([1, 1, 1, 1, 1]);
    const more = await run(sales(1), within(20), goOn);
    expect(outcomes(more)).toEqual(['invalid']);
  });
});

describe("the limit per day in an agent's tool", () => {
  const tool = (id: string, guards: IDataObject, more: Partial<ToolInput> = {}) =>
    toolOf({
      parameters: {
        resource: 'transaction',
        operation: 'refund',
        pg_id: { __rl: true, mode: 'id', value: id },
        amt_tran: 4,
        limitPerItem: 50,
        limitPerExecution: 50,
        ...guards,
      } as INodeParameters,
      credential: credentialFor(sandbox),
      ...more,
    });
  const ids = (count: number) => sales(count).map(({ id }) => id as string);

  test('refuses a call above the limit per day in any execution and explains the refusal to the model', async () => {
    const [one, two, three] = ids(3) as [string, string, string];
    for (const id of [one, two]) expect((await tool(id, { limitPerDay: '8' }).call()).items[0]).toHaveProperty('pg_id');
    const { items } = await tool(three, { limitPerDay: '8' }).call();
    expect(items[0]?.result).toMatch(
      /^REFUSED\. Nothing was sent for this call\. "Limit per Day" allows 8 per day\. Today's total is 8/,
    );
  });

  test("allows only as many parallel calls as the day's limit permits", async () => {
    const calls = await Promise.all(ids(4).map(async (id) => await tool(id, { limitPerDay: '8' }).call()));
    expect(calls.filter(({ items }) => items[0]?.pg_id !== undefined)).toHaveLength(2);
  });

  test('refuses a call whose limit the model fills in', async () => {
    const { text } = await tool(ids(1)[0] as string, { limitPerDay: "={{ $fromAI('limit') }}" }).call({ limit: 999 });
    expect(text).toMatch(/Limit per Day\\" must be a fixed value in the settings of this tool/);
    expect(sent()).toBe(0);
  });
});

test("sends nothing for another merchant, whose report the node doesn't read", async () => {
  const parameters = { ...within(100), additionalFields: { merchant_id: '999' } };
  const { error } = await run(sales(1), parameters as INodeParameters);
  expect(error?.message).toMatch(/"Limit per Day" works only for the credential's merchant/);
  expect(sent()).toBe(0);
});

test('reads no report without the option', async () => {
  await run(sales(2));
  expect(pages()).toBe(0);
});
