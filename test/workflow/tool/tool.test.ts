import { sleep, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, capturedSales, sandboxForFile } from '../bench';
import { toolOf, type Tool, type ToolInput } from './tool-harness';

timeIsSimulated();
const sandbox = sandboxForFile({ seed: false });
const bench = benchOf(sandbox);

const sale = () => (capturedSales(sandbox, 1)[0] as IDataObject).id as string;
const applied = () => sandbox.control.journal().filter(({ path, applied: one }) => /refund/.test(path) && one !== null);
const sent = () => sandbox.control.journal().filter(({ path }) => /refund/.test(path));

const LIMITS = { limitPerItem: 50, limitPerExecution: 20, options: { ifExists: { then: 'skip' } } };
/** The user sets the guards, and the model provides the sale ID and the amount. */
const refundOf = (id: string, amount: number, guards: IDataObject = LIMITS, more: IDataObject = {}) =>
  ({
    resource: 'transaction',
    operation: 'refund',
    pg_id: { __rl: true, mode: 'id', value: id },
    amt_tran: amount,
    ...guards,
    ...more,
  }) as INodeParameters;
const tool = (parameters: INodeParameters, more: Partial<ToolInput> = {}) =>
  toolOf({ parameters, credential: credentialFor(sandbox), ...more });
const retryOnFail = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };

/** Phrases that caused models to repeat a call. */
const INVITES =
  /retry|try again|run (it|this item|the node|again|fewer)|send again|this item|item \d|econn|etimedout|immediately/i;

describe('one call of the model', () => {
  test('returns the record of the service', async () => {
    const { items } = await tool(refundOf(sale(), 4)).call();
    expect(items).toEqual([expect.objectContaining({ rcode: '000', pg_id: expect.any(String) as string })]);
    expect(items[0]).not.toHaveProperty('result');
  });

  test('returns the main fields, all fields or the selected fields of each record', async () => {
    sandbox.control.addCapturedSales({ count: 1, amountCents: 500 });
    const report = { resource: 'report', operation: 'getTransactions', limit: 1 };
    const namesOf = async (more: INodeParameters) =>
      Object.keys((await tool({ ...report, ...more }).call()).items[1] ?? {});
    expect(await namesOf({})).toContain('customer_name');
    expect((await namesOf({ output: 'raw' })).length).toBeGreaterThan(15);
    const outputFields = ['amt_tran', 'customer_name'];
    expect(await namesOf({ output: 'selectedFields', outputFields })).toEqual(outputFields);
  });

  test("Retry On Fail doesn't repeat an applied call without a response, and tells the model", async () => {
    sandbox.control.addFault({ kind: 'reset_after_apply' });
    const { text, items } = await tool(refundOf(sale(), 4), { settings: retryOnFail }).call();
    expect(sent()).toHaveLength(1);
    expect(items).toHaveLength(1);
    expect(items[0]?.result).toMatch(/^OUTCOME UNKNOWN\. Do not call again\. The request may have been applied/);
    expect(items[0]?.outcome).toBe('unknown');
    expect(items[0]).not.toHaveProperty('error');
    expect(items[0]?.result).toMatch(/Look in Report > Get Many Transactions/);
    expect(text).not.toMatch(INVITES);
  });

  test.each([
    ['declined', { kind: 'status', status: 402, code: '005' }, /^DECLINED\. Nothing was changed/],
    ['turned away', { kind: 'rate_limited', retryAfterSeconds: 3600 }, /^NOT DONE\..*Do not call again now/],
    ['answered by an error page', { kind: 'html_error_page' }, /^OUTCOME UNKNOWN\. Do not call again/],
  ] as const)('explains a call that was %s instead of throwing', async (_, fault, words) => {
    sandbox.control.addFault(fault);
    const { items, text } = await tool(refundOf(sale(), 4, LIMITS), {
      settings: retryOnFail,
    }).call();
    expect(items[0]?.result).toMatch(words);
    expect(text).not.toMatch(INVITES);
    expect(sent()).toHaveLength(1);
  });

  test.each([
    ['without limits', {}, /^REFUSED\. Nothing was sent.*"Limit per Item" must be set/],
    ['over the amount for a call', { ...LIMITS, limitPerItem: 3 }, /^REFUSED\. Nothing was sent.*allows at most 3/],
    [
      'with a limit that the model fills',
      { ...LIMITS, limitPerItem: "={{ $fromAI('max') }}" },
      /^REFUSED.*fixed value/,
    ],
  ])('refuses a call %s with the reason before anything is sent', async (_, options, words) => {
    const { items, text } = await tool(refundOf(sale(), 4, options)).call({ max: 999_999 });
    expect(items[0]?.result).toMatch(words);
    expect(text).not.toMatch(INVITES);
    expect(sent()).toHaveLength(0);
  });

  test('explains an invalid credential to the model', async () => {
    const credential = { ...credentialFor(sandbox), baseUrl: 'not an address' };
    const { items } = await tool(refundOf('1', 4), { credential }).call();
    expect(items[0]?.result).toMatch(/^REFUSED\. Nothing was sent for this call\. .*the Base URL is not a URL/);
  });

  test('says that nothing changed if a call that only reads fails', async () => {
    sandbox.control.addFault({ kind: 'status', status: 500 });
    const parameters = { resource: 'customer', operation: 'getAll', options: { sending: { maxTries: 1 } } };
    const { items } = await tool(parameters).call();
    expect(items[0]?.result).toMatch(/^NOT READ\. Nothing was changed\./);
  });
});

describe('a second equal call in the same execution', () => {
  test('returns the record of the first call and says that it was done before', async () => {
    const id = sale();
    const first = tool(refundOf(id, 4));
    const [record] = (await first.call()).items;
    const again = tool(refundOf(id, 4, LIMITS, { additionalFields: { session_id: 'worded anew' } }), {
      data: first.data,
    });
    const { items, text } = await again.call();
    expect(items[0]).toMatchObject({ ...record, outcome: 'doneBefore' });
    expect(items[0]?.result).toMatch(
      /^DONE BEFORE\. An earlier call for the same record and the same amount was completed/,
    );
    expect(text).not.toMatch(INVITES);
    expect(applied()).toHaveLength(1);
  });

  test('returns the record of an equal call by another node', async () => {
    const id = sale();
    const first = tool(refundOf(id, 4));
    await first.call();
    const { items } = await tool(refundOf(id, 4), { data: first.data, name: 'Pay too' }).call();
    expect(items[0]?.outcome).toBe('doneBefore');
    expect(applied()).toHaveLength(1);
  });

  test('refuses a parallel call while the first is in progress', async () => {
    const one = tool(refundOf(sale(), 4));
    sandbox.control.addLatency({ milliseconds: 50 } as never);
    const answers = await Promise.all([one.call(), one.call(), one.call()]);
    expect(applied()).toHaveLength(1);
    expect(answers.filter(({ items }) => items[0]?.rcode === '000')).toHaveLength(1);
    const others = answers.filter(({ items }) => items[0]?.rcode !== '000');
    for (const { items } of others)
      expect(items[0]?.result).toMatch(
        /^OUTCOME UNKNOWN FOR AN EARLIER CALL\. Do not call again\. The earlier call may have been applied, and money may have moved\. An earlier call for the same record and the same amount is still in progress or has an unknown outcome, so this call was not sent\./,
      );
  });

  test('reports the outcome of the simultaneous equal call if the duplicate search fails', async () => {
    const one = tool(refundOf(sale(), 4, { ...LIMITS, options: {} }));
    const report = '/platform/reporting/transaction-requests';
    sandbox.control.addFault({ kind: 'status', status: 403, path: report, calls: [2] });
    const [first, second] = await Promise.all([one.call(), one.call()]);
    expect(applied()).toHaveLength(1);
    const outcomes = [first, second].map(({ items }) => items[0]?.outcome ?? 'done').sort();
    // If an error concealed the earlier write, the model would call the tool again.
    expect(outcomes).toEqual(['done', expect.stringMatching(/^(doneBefore|unknown)$/)]);
  });

  test('returns the record of an equal call that was completed before this call was retried', async () => {
    const one = tool(refundOf(sale(), 4));
    sandbox.control.addFault({ kind: 'rate_limited', retryAfterSeconds: 2, calls: [1] });
    const first = one.call();
    while (sent().length === 0) await sleep(5);
    // The call is refused until the node has processed the first response.
    let second = await one.call();
    while (second.items[0]?.outcome === 'unknown') second = await one.call();
    expect(second.items[0]?.rcode).toBe('000');
    expect((await first).items[0]).toMatchObject({ outcome: 'doneBefore', pg_id: second.items[0]?.pg_id });
    expect(sent()).toHaveLength(2);
  });

  test('refuses a call after an equal one with an unknown outcome', async () => {
    sandbox.control.addFault({ kind: 'reset_after_apply', calls: [1] });
    const one = tool(refundOf(sale(), 4));
    await one.call();
    const { items, text } = await one.call();
    expect(items[0]?.result).toMatch(/^OUTCOME UNKNOWN FOR AN EARLIER CALL\. Do not call again/);
    expect(items[0]?.result).not.toContain('The request may have been applied');
    expect(text).not.toMatch(INVITES);
    expect(sent()).toHaveLength(1);
  });

  test('sends a call after a declined one, or with another amount', async () => {
    const id = sale();
    sandbox.control.addFault({ kind: 'status', status: 402, code: '005', calls: [1] });
    const one = tool(refundOf(id, 4));
    await one.call();
    await one.call();
    await tool(refundOf(id, 3), { data: one.data }).call();
    expect(applied()).toHaveLength(2);
  });

  test('sends an equal call if the user allows equal payments, unless the first is unknown', async () => {
    const id = sale();
    const options = { ...LIMITS, options: {}, allowEqual: true };
    const one = tool(refundOf(id, 4, options));
    await one.call();
    await one.call();
    expect(applied()).toHaveLength(2);
    sandbox.control.addFault({ kind: 'reset_after_apply', path: `/pg/refund/${id}` });
    const other = tool(refundOf(id, 1, options), { data: one.data });
    await other.call();
    await other.call();
    expect(applied()).toHaveLength(3);
  });

  test('refuses a key with an unknown outcome after an equal call with another key', async () => {
    const id = sale();
    const call = async (data: Tool['data'] | undefined, oncePerKey: string) => {
      const keyed = { ...LIMITS, options: { ...LIMITS.options, oncePerKey }, allowEqual: true };
      return await tool(refundOf(id, 4, keyed), { data }).call();
    };
    sandbox.control.addFault({ kind: 'reset_after_apply', calls: [1] });
    expect((await call(undefined, 'K-1')).items[0]).toMatchObject({ outcome: 'unknown' });
    // A new execution has no memory of the first call.
    const { data } = tool(refundOf(id, 4));
    expect((await call(data, 'K-2')).items[0]).toMatchObject({ rcode: '000' });
    const { items } = await call(data, 'K-1');
    expect(items[0]?.result).toMatch(/^OUTCOME UNKNOWN/);
    expect(sent()).toHaveLength(2);
  });

  test("refuses an equal call after the credential changed, because earlier calls can't be compared", async () => {
    const one = tool(refundOf(sale(), 4));
    await one.call();
    const credential = { ...credentialFor(sandbox), apiKey: 'another_key_0123456789' };
    const { items } = await tool(refundOf(sale(), 4), { data: one.data, credential }).call();
    expect(items[0]?.result).toMatch(/^OUTCOME UNKNOWN.*a different credential/);
    expect(sent()).toHaveLength(1);
  });
});

describe('limit for all calls of an execution', () => {
  test('refuses the third of four refunds of 10 with a limit of 20', async () => {
    const ids = Array.from({ length: 4 }, sale);
    let data: ToolInput['data'];
    const results: unknown[] = [];
    for (const id of ids) {
      const one = tool(refundOf(id, 10), { data });
      results.push((await one.call()).items[0]?.result);
      data = one.data;
    }
    expect(applied()).toHaveLength(2);
    expect(results.slice(0, 2)).toEqual([undefined, undefined]);
    expect(results[2]).toMatch(/^REFUSED.*"Limit per Execution" allows 20 in total\. The total so far is 20/);
  });

  test('counts amounts with an unknown outcome but not declined amounts', async () => {
    const [a, b, c] = [sale(), sale(), sale()];
    sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: `/pg/refund/${a}` });
    sandbox.control.addFault({ kind: 'reset_before_apply', path: `/pg/refund/${b}` });
    const one = tool(refundOf(a, 10));
    await one.call();
    await tool(refundOf(b, 10), { data: one.data }).call();
    await tool(refundOf(c, 10), { data: one.data }).call();
    const { items } = await tool(refundOf(sale(), 0.01), { data: one.data }).call();
    expect(applied()).toHaveLength(1);
    expect(items[0]?.result).toMatch(/The total so far is 20/);
  });
});

test('recognizes equal calls and limits their total if the MCP Server Trigger starts each call with its own data', async () => {
  const [id, other] = [sale(), sale()];
  const call = async (wanted: string, amount: number) => {
    const one = tool(refundOf(wanted, amount), { fromOutside: true, settings: retryOnFail });
    return (await one.call()).items[0];
  };
  expect(await call(id, 10)).toMatchObject({ rcode: '000' });
  expect(await call(id, 10)).toMatchObject({ outcome: 'doneBefore' });
  sandbox.control.addFault({ kind: 'reset_after_apply' });
  expect(await call(other, 10)).toMatchObject({ outcome: 'unknown' });
  expect((await call(other, 5))?.result).toMatch(/The total so far is 20/);
  expect(applied()).toHaveLength(2);
});

test('refuses calls of the MCP Server Trigger after the credential changed, until the user replaces the tool', async () => {
  const outside = { fromOutside: true, name: 'Pay by MCP' };
  // All tools of the workflow share the total of 24 hours.
  const limits = { ...LIMITS, limitPerExecution: 500 };
  await tool(refundOf(sale(), 4, limits), outside).call();
  sandbox.credentials.test.apiKey = 'another_key_0123456789';
  const { items } = await tool(refundOf(sale(), 4, limits), outside).call();
  expect(items[0]?.result).toMatch(/^OUTCOME UNKNOWN.*a different credential/);
  const replaced = await tool(refundOf(sale(), 4, limits), { ...outside, name: 'Pay by MCP again' }).call();
  expect(replaced.items[0]).toMatchObject({ rcode: '000' });
  expect(applied()).toHaveLength(2);
});

test("returns failures as items if n8n's engine runs the tool, so that n8n doesn't run it again", async () => {
  sandbox.control.addFault({ kind: 'reset_after_apply' });
  const { items, error } = await bench.run(refundOf(sale(), 4), [{}], {
    type: 'paymentPlatformTool',
    settings: retryOnFail,
  });
  expect(error).toBeUndefined();
  expect(items[0]?.json.result).toMatch(/^OUTCOME UNKNOWN/);
  expect(sent()).toHaveLength(1);
});
