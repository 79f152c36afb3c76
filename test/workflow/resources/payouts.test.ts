import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, messages, sandboxForFile, toErrors } from '../bench';
import { toolOf, type ToolInput } from '../tool/tool-harness';
import { idOf } from '../writes';

timeIsSimulated();

let begins = Date.parse('2026-06-15T16:00:00Z');
// The node identifies an execution by its start time.
beforeEach(() => jest.setSystemTime((begins += 60_000)));
const sandbox = sandboxForFile();

const payout: INodeParameters = {
  resource: 'transaction',
  operation: 'payout',
  payee_id: '={{ $json.payee ?? "9001" }}',
  amt_tran: '={{ $json.amount }}',
};
const { run, sent } = benchOf(sandbox, { parameters: payout });
const paid = () =>
  sandbox.control.state().transactions.filter(({ request_type: type, rcode }) => type === 'payment' && rcode === '000');
const retryOnFail = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };

test('pays out even if one payout is refused, and names the payee and the last digits of the account', async () => {
  const output = await run({}, [{ amount: 25 }, { amount: 5, payee: '404' }, { amount: 7.5 }], toErrors);
  expect(output.items.map(({ json }) => json)).toEqual([
    expect.objectContaining({
      what_happened: 'Paid out 25.00 to Northside Cleaning, account ending in 6789.',
      payee_id: '9001',
      payee_name: 'Northside Cleaning',
      dda_number: expect.stringMatching(/^x+6789$/) as string,
      amt_tran: 25,
      merch_ref_num: expect.stringMatching(/^[A-Z0-9]{20}$/) as string,
      pg_id: expect.any(String) as string,
    }),
    expect.objectContaining({ amt_tran: 7.5 }),
  ]);
  expect(messages(output.errors)).toEqual(['No payee has the ID 404, so nothing was sent']);
  expect(paid().map(({ amt_tran }) => amt_tran)).toEqual([25, 7.5]);
});

test.each([
  ['1234', ''],
  ['1234567', ''],
  ['12345678', ', account ending in 5678'],
  ['12345678901234567', ', account ending in 4567'],
])('shows no whole account number of a payee, even if the service repeats it: %s', async (number, ending) => {
  const payee_account = { tr_number: '021000021', dda_number: number };
  const payee = { payee_id: 9001, payee_name: 'Ana', payee_account };
  const answer = (operationId: string, body: object) =>
    sandbox.control.addFault({ kind: 'status', status: 200, operationId, body });
  answer('getPayee', { code: 0, message: 'Success', data: payee });
  answer('payPayee', { rcode: '000', rmsg: `Approved for account ${number} at 021000021`, pg_id: 'p1' });
  const { items } = await run({}, [{ amount: 5 }]);
  expect(items[0]?.json).toMatchObject({
    what_happened: `Paid out 5.00 to Ana${ending}.`,
    rmsg: 'Approved for account *** at ***',
    dda_number: ending === '' ? 'x' : `x${number.slice(-4)}`,
  });
});

test('refuses a payee without a bank account before anything is sent', async () => {
  const { items } = await run({ resource: 'payee', operation: 'create', payee_name: 'Ben' }, [{}]);
  const { error } = await run({}, [{ amount: 5, payee: items[0]?.json.payee_id }]);
  expect(error?.message).toContain('has no bank account, so nothing was paid. Add one with Payee > Update Account');
  expect(sent('payPayee')).toEqual([]);
});

test('finds two equal payouts after lost responses and pays each once', async () => {
  sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'payPayee' });
  const { items, error } = await run({}, [{ amount: 25 }, { amount: 25 }], { looksUp: true });
  expect(error).toBeUndefined();
  expect(items.map(({ json }) => json.found_at_service)).toEqual(
    Array(2).fill(expect.stringContaining('same generated reference')),
  );
  expect(items[0]?.json).toMatchObject({
    what_happened: 'Paid out 25.00 USD to Northside Cleaning, account ending in 6789.',
    payee_name: 'Northside Cleaning',
  });
  expect(new Set(items.map(({ json }) => json.pg_id)).size).toBe(2);
  expect([sent('payPayee').length, paid().length]).toEqual([2, 2]);
});

test.each([
  ['applied', true, 2],
  ['not applied', false, 1],
])('pays once under Retry On Fail if the service fails after the payout was %s', async (_, applied, payouts) => {
  sandbox.control.addFault({ kind: 'status', operationId: 'payPayee', applied, calls: [1] });
  await run({}, [{ amount: 25 }, { amount: 7 }], { settings: retryOnFail, looksUp: true });
  const references = sent('payPayee').map(({ body }) => (body as IDataObject).merch_ref_num);
  expect(new Set(references).size).toBe(references.length);
  expect(paid()).toHaveLength(payouts);
});

test('sends the same reference in a retry of the execution and finds the payout', async () => {
  sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'payPayee' });
  const failed = await run({}, [{ amount: 25 }]);
  sandbox.control.clearFaults();
  const { items } = await run({}, [{ amount: 25 }], { retryOf: failed.run, looksUp: true });
  expect(items[0]?.json).toMatchObject({ found_at_service: expect.any(String) as string, amt_tran: 25 });
  expect(sent('payPayee')).toHaveLength(1);
});

test('returns the existing payout for the same reference', async () => {
  const reference = { additionalFields: { merch_ref_num: 'P-1' } };
  await run(reference, [{ amount: 25 }]);
  const again = await run({ ...reference, options: { ifExists: { then: 'return' } } }, [{ amount: 25 }]);
  expect(again.items[0]?.json).toMatchObject({ merch_ref_num: 'P-1', found_at_service: expect.any(String) as string });
  expect(paid()).toHaveLength(1);
});

test('refuses a payout above any limit, counting the payouts of the day', async () => {
  await run({}, [{ amount: 20 }]);
  const refused = async (rows: IDataObject[], options: IDataObject) =>
    messages((await run({ options }, rows, toErrors)).errors);
  expect(await refused([{ amount: 25 }], { limitPerItem: 24 })).toEqual([
    expect.stringContaining('"Limit per Item"') as string,
  ]);
  expect(await refused([{ amount: 5 }, { amount: 5 }], { limitPerExecution: 9 })).toEqual([
    expect.stringContaining('"Limit per Execution"') as string,
  ]);
  expect(await refused([{ amount: 10 }], { limitPerDay: 30 })).toEqual([
    '"Limit per Day" allows 30 per day. Today\'s total is 25 (25 from 2 payouts in the transaction report), and this request would add 10',
  ]);
  expect(await refused([{ amount: 1 }], { testEnvironmentOnly: true })).toEqual([]);
});

test('pays from a prepaid account, and the payout settles', async () => {
  await run({ additionalFields: { fbo_id: 7001 } }, [{ amount: 250 }]);
  const balance = await run({ resource: 'card', operation: 'getBalance', fbo_id: 7001 }, [{}]);
  expect(balance.items[0]?.json.amt_balance).toBe(750);
  const statuses = ['C', 'S', 'P'];
  const seen = [paid()[0]?.tran_status];
  sandbox.control.closeBatch();
  seen.push(paid()[0]?.tran_status);
  sandbox.control.sendDeposits();
  seen.push(paid()[0]?.tran_status);
  expect(seen).toEqual(statuses);
});

describe('a tool of an AI agent', () => {
  const guards = { allowAgent: true, limitPerItem: 50, limitPerExecution: 40, testEnvironmentOnly: true };
  const call = (more: IDataObject, args: Partial<ToolInput> = {}) =>
    toolOf({
      parameters: { ...payout, payee_id: idOf('9001'), amt_tran: 25, ...more } as INodeParameters,
      credential: credentialFor(sandbox),
      ...args,
    });
  const answer = async (more: IDataObject) => (await call(more).call({ on: true, payee: '9001' })).items[0];

  test('a payout tool pays nothing until a person turns payouts on', async () => {
    const off = await answer({ ...guards, allowAgent: false });
    expect(off?.result).toMatch(/^REFUSED\. Nothing was sent.*"Allow AI Agent" must be turned on by a person/);
    expect((await answer({ ...guards, allowAgent: undefined }))?.result).toMatch(/"Allow AI Agent"/);
    expect(sandbox.control.journal()).toEqual([]);
  });

  test.each([
    ['allowAgent', "={{ $fromAI('on') }}"],
    ['onlyFor', "={{ $fromAI('payee') }}"],
  ])('a payout tool refuses a call in which the model fills %s', async (name, value) => {
    expect((await answer({ ...guards, [name]: value }))?.result).toMatch(/^REFUSED.*must be a fixed value/);
    expect(sandbox.control.journal()).toEqual([]);
  });

  test('a payout tool pays only the listed payees', async () => {
    const refused = await answer({ ...guards, onlyFor: '9000', payee_id: idOf("={{ $fromAI('payee') }}") });
    expect(refused?.result).toMatch(/^REFUSED.*"Allowed IDs"/);
    const done = await answer({ ...guards, onlyFor: '9001' });
    expect(done?.what_happened).toBe('Paid out 25.00 to Northside Cleaning, account ending in 6789.');
    expect(paid()).toHaveLength(1);
  });

  test('a payout tool pays once for two equal calls and refuses payouts above the limits', async () => {
    const first = call(guards);
    await first.call();
    const again = await call(guards, { data: first.data }).call();
    expect(again.items[0]?.outcome).toBe('doneBefore');
    expect((await call({ ...guards, amt_tran: 16 }, { data: first.data }).call()).items[0]?.result).toMatch(
      /^REFUSED.*"Limit per Execution"/,
    );
    expect(paid()).toHaveLength(1);
  });

  test('a payout tool also refuses a custom request to the same path', async () => {
    const parameters: INodeParameters = {
      resource: 'api',
      operation: 'request',
      method: 'POST',
      path: '/pg/payment',
      bodyJson: JSON.stringify({ payee_id: '9001', amt_tran: 5 }),
      ...guards,
      allowAgent: false,
    };
    const { items } = await toolOf({ parameters, credential: credentialFor(sandbox) }).call();
    expect(items[0]?.result).toMatch(/"Allow AI Agent"/);
    expect(sandbox.control.journal()).toEqual([]);
  });
});
