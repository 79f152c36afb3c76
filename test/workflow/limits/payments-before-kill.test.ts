import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { RecentPayments } from '../../../nodes/PaymentPlatform/limits/recent-payments';
import { OtherRuns } from '../../../nodes/PaymentPlatform/lookup/record-owners';
import { KeyRow, MOST_KEYS } from '../../../nodes/PaymentPlatform/n8n/key-row';
import { credentialFor } from '../../credential';
import { processedData } from '../../processed-data';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, charging, outcomes, refundBench, refunding, sandboxForFile, toErrors } from '../bench';
import type { RunInput } from '../harness';
import { toolOf } from '../tool/tool-harness';

timeIsSimulated();

const sandbox = sandboxForFile();
const { run, applied, lose } = benchOf(sandbox);
const { sales, appliedTo, neverApplied } = refundBench(sandbox);
const production = () => ({ ...credentialFor(sandbox), environment: 'production' });

/** Runs the node as a person does in the editor. */
const click = async (parameters: object, rows?: IDataObject[], more: Partial<RunInput> = {}) =>
  await run(parameters, rows, { credential: production(), ...more });
const later = (milliseconds: number) => void jest.advanceTimersByTime(milliseconds);
const MINUTE = 60_000;

/** Forgets what a killed n8n process forgets. */
function kill(): void {
  RecentPayments.byIdentity.clear();
  OtherRuns.byAccount.clear();
  KeyRow.workflows.clear();
}

afterEach(() => {
  delete processedData.failing;
});

const ADVICE = 'To send it again, turn on the option "Allow Repeated Payments".';
const keys = () => [...processedData.rows.values()].flat();

/** Returns the error's message of a click on one charge, or `sent`. */
const sent = async (...given: Parameters<typeof click>) => (await click(...given)).error?.message ?? 'sent';

test('after n8n was killed, a second click sends only the rows that the first click did not send', async () => {
  const rows = sales(5);
  neverApplied(rows[2]);
  await click(refunding({}), rows.slice(0, 3), toErrors);
  kill();
  const { items, errors } = await click(refunding({}), rows, toErrors);
  expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 3 }, { item: 4 }]);
  expect(outcomes({ items: errors })).toEqual(['doneBefore', 'doneBefore', 'invalid']);
  expect(rows.map(appliedTo)).toEqual([1, 1, 0, 1, 1]);
});

test('after n8n was killed, the message contains the latest time of the payment and no execution', async () => {
  await click(charging());
  lose('sale', 'before');
  await click(charging({}, { amt_tran: 7 }));
  kill();
  later(2.5 * MINUTE);
  const { error } = await click(charging());
  expect(error?.message).toMatch(
    /^The same charge for this customer was made at most [34] minutes ago, so the item was not sent$/,
  );
  expect(error?.description).toContain(ADVICE);
  const { error: unknown } = await click(charging({}, { amt_tran: 7 }));
  expect(unknown?.message).toMatch(/^The same charge for this customer was sent at most [34] minutes ago, so the item/);
  expect(unknown?.description).toContain(`Check the outcome of that execution first. ${ADVICE}`);
});

test('after n8n was killed, another amount, customer or reference, the option, and 11 minutes allow the payment', async () => {
  const order = (more: object = {}, options: object = {}) =>
    charging(options, { additionalFields: { purchase_id: 'A-1' }, ...more });
  expect(await sent(order())).toBe('sent');
  for (const more of [
    { amt_tran: 24 },
    { customer_id: 'CUST0002' },
    { additionalFields: { purchase_id: 'A-2' } },
    { paymentMethod: 'card', card_number: '4111111111111111', exp_date: '12/35' },
  ]) {
    kill();
    expect([more, await sent(order(more))]).toEqual([more, 'sent']);
  }
  kill();
  expect(await sent(order({}, { allowEqual: false }))).toMatch(/^The same charge for this customer was made/);
  kill();
  const { items } = await click(order({}, { allowEqual: true }));
  expect(items[0]?.json.notice).toMatch(/^The same charge for this customer was made at most \d minutes? ago\.$/);
  kill();
  later(9.9 * MINUTE);
  expect(await sent(order())).toMatch(/^The same charge for this customer was made at most 1[01] minutes ago/);
  kill();
  later(1.1 * MINUTE);
  expect(await sent(order())).toBe('sent');
});

test('after n8n was killed, equal rows, loop iterations and a retry belong to one execution', async () => {
  const rows = [{}, {}, {}];
  expect((await click(charging(), rows)).error).toBeUndefined();
  expect((await click(charging({}, { amt_tran: 7 }), rows, { batchSize: 1 })).error).toBeUndefined();
  kill();
  const again = await click(charging(), rows, toErrors);
  expect(outcomes({ items: again.errors })).toEqual(['doneBefore', 'doneBefore', 'doneBefore']);
  sandbox.control.addFault({ kind: 'status', status: 400, code: '051', operationId: 'sale', calls: [2] });
  const more = charging({ sending: { maxParallelRequests: 1 } }, { amt_tran: 8 });
  const failed = await click(more, rows);
  expect(failed.error).toBeDefined();
  kill();
  const { items, error } = await click(more, rows, { retryOf: failed.run });
  expect([error, items.map(({ json }) => json.notice)]).toEqual([undefined, rows.map(() => undefined)]);
  expect(applied('sale')).toBe(9);
});

test('equal rows of one execution are sent for longer than ten minutes', async () => {
  const rows = Array.from({ length: 14 }, () => ({}));
  sandbox.control.addLatency({ operationId: 'sale', milliseconds: 50_000 });
  const { error, items } = await click(charging({ sending: { maxParallelRequests: 1 } }), rows);
  expect([error, items.length, applied('sale')]).toEqual([undefined, 14, 14]);
  sandbox.control.clearLatency();
});

test('after n8n was killed, a declined payment does not count', async () => {
  sandbox.control.addFault({ kind: 'status', status: 400, code: '051', operationId: 'sale', calls: [1] });
  expect(await sent(charging())).not.toBe('sent');
  kill();
  expect(await sent(charging())).toBe('sent');
});

test('one of two equal rows that is declined leaves the trace of the other one', async () => {
  sandbox.control.addFault({ kind: 'status', status: 400, code: '051', operationId: 'sale', calls: [2] });
  await click(charging({ sending: { maxParallelRequests: 1 } }), [{}, {}], toErrors);
  expect(applied('sale')).toBe(1);
  kill();
  expect(await sent(charging())).toMatch(/^The same charge for this customer was made/);
});

test('after n8n was killed in an execution of a trigger, a click does not repeat its payment', async () => {
  await click(charging(), [{}], { mode: 'trigger' });
  kill();
  expect(await sent(charging())).toMatch(/^The same charge for this customer was sent at most 1 minute ago/);
  expect((await click(charging(), [{}], { mode: 'trigger' })).error).toBeUndefined();
  expect(applied('sale')).toBe(2);
});

test('in Test, the database contains no key of the payment', async () => {
  await click(charging(), [{}], { credential: credentialFor(sandbox) });
  const inTest = keys().length;
  processedData.clear();
  kill();
  await click(charging(), [{}], { mode: 'trigger' });
  expect(keys().length).toBe(inTest + 1);
});

test('a payment of a click leaves one key more than one in Test, and a trigger needs no more calls', async () => {
  const used = async (more: Partial<RunInput>) => {
    processedData.clear();
    kill();
    const before = processedData.calls;
    await click(charging(), [{}], more);
    return [keys().length, processedData.calls - before];
  };
  const test = { credential: credentialFor(sandbox) };
  const [[keysInTest = 0, callsInTest = 0], [byTrigger, calls], [byPerson]] = [
    await used({ ...test, mode: 'trigger' }),
    await used({ mode: 'trigger' }),
    await used({}),
  ] as [number[], number[], number[]];
  expect([byTrigger, calls, byPerson]).toEqual([keysInTest + 1, callsInTest, keysInTest + 1]);
});

test('after n8n was killed, a preview shows the refusal and counts as no payment', async () => {
  const rows = sales(1);
  const preview = async (of = rows) =>
    (await click(refunding({ previewOnly: true }), of)).items.map(({ json }) => json);
  expect(await preview([...rows, ...rows])).toMatchObject([{ decision: 'send' }, { decision: 'send' }]);
  kill();
  expect((await click(refunding({}), rows)).error).toBeUndefined();
  kill();
  const before = keys();
  const would = expect.stringMatching(/^Would send nothing\. The same refund of this sale was made/) as string;
  expect(await preview()).toMatchObject([{ decision: 'refuse', what_would_happen: would }]);
  expect(keys()).toEqual(before);
});

test.each([{ oncePerKey: 'A-1' }, { ifExists: { then: 'return' } }])(
  'after n8n was killed, a second click with %j returns the record of the first click',
  async (options) => {
    const rows = sales(1);
    const first = await click(refunding(options), rows);
    kill();
    const { error, items } = await click(refunding(options), rows);
    expect(error).toBeUndefined();
    if ('ifExists' in options) expect(items[0]?.json.pg_id).toBe(first.items[0]?.json.pg_id);
    expect(items[0]?.json).not.toHaveProperty('notice');
    expect(applied('refund')).toBe(1);
  },
);

test('an existing record that the node returns is no payment of the node', async () => {
  const rows = sales(1);
  await click(refunding({}), rows);
  later(12 * MINUTE);
  kill();
  expect((await click(refunding({ ifExists: { then: 'return' } }), rows)).error).toBeUndefined();
  kill();
  expect(await sent(refunding({}), rows)).toBe('sent');
});

test('after n8n was killed, an unknown payment with a key is sent again if a person resolves it', async () => {
  const again = async (options: object) =>
    await click(charging({ oncePerKey: 'A-1', ...options }), [{}], { looksUp: true });
  lose('sale', 'before');
  const { error } = await again({ unknownOutcome: 'refuse' });
  expect(error).toBeDefined();
  kill();
  const [code] = /\bkey-\w+/.exec((await again({ unknownOutcome: 'refuse' })).error?.description ?? '') ?? [];
  kill();
  const resolve = { item: [{ code, finding: 'notApplied' }] };
  const { error: none, items } = await again({ unknownOutcome: 'resolve', resolve });
  expect([none, items[0]?.json.notice]).toEqual([undefined, undefined]);
  expect(applied('sale')).toBe(1);
});

test('after n8n was killed, a tool refuses the payment of an earlier chat in the editor', async () => {
  const guards = { limitPerItem: 50, limitPerExecution: 500, testEnvironmentOnly: false };
  const chat = async (more: object = {}) => {
    const parameters = { ...charging({}, guards), ...more } as INodeParameters;
    const { items } = await toolOf({ parameters, credential: production() }).call();
    return items[0] as IDataObject;
  };
  expect((await chat()).pg_id).toBeDefined();
  kill();
  const { result } = await chat({ additionalFields: { purchase_id: 'A-2' } });
  expect(result).toMatch(/^DONE BEFORE\. The request was not sent again\. The same charge for this customer was made/);
  expect(applied('sale')).toBe(1);
});

test('nothing is sent if the database fails', async () => {
  await click(charging());
  kill();
  processedData.failing = new Error('gone');
  expect(await sent(charging())).toMatch(/n8n's database did not record this item/);
  expect(applied('sale')).toBe(1);
});

test('a click is refused if n8n may have removed the keys of the last ten minutes', async () => {
  await click(charging());
  const [row = '', known = []] = [...processedData.rows].find(([name]) => name.includes('n:')) ?? [];
  const fill = (before: string[]) =>
    processedData.rows.set(row, [
      ...before,
      ...Array.from({ length: MOST_KEYS - before.length }, (_, key) => `k${key}`),
    ]);
  fill([]);
  kill();
  const { error } = await click(charging());
  expect(error?.message).toBe(
    "n8n's database no longer contains all payments of the last 10 minutes, so the item was not sent",
  );
  expect(error?.description).toContain(
    'Check the transaction report first. To send it again, turn on the option "Allow Repeated Payments".',
  );
  expect(await sent(charging({ allowEqual: true }))).toBe('sent');
  // The row contains a key of an earlier time.
  fill(known);
  kill();
  later(32 * MINUTE);
  expect(await sent(charging({}, { amt_tran: 9 }))).toBe('sent');
});

test('an execution that fills the row itself goes on', async () => {
  const rows = Array.from({ length: 3 }, (_, row) => ({ amount: row + 1 }));
  const fill = () => {
    for (const [name, all] of processedData.rows)
      processedData.rows.set(
        name,
        [...all, ...Array.from({ length: MOST_KEYS }, (_, key) => `${name} ${key}`)].slice(-MOST_KEYS),
      );
  };
  sandbox.control.addLatency({ operationId: 'sale', milliseconds: 1000 });
  const filling = setTimeout(fill, 1500);
  const { error } = await click(charging({}, { amt_tran: '={{ $json.amount }}' }), rows, { batchSize: 1 });
  clearTimeout(filling);
  sandbox.control.clearLatency();
  expect([error, applied('sale')]).toEqual([undefined, 3]);
});
