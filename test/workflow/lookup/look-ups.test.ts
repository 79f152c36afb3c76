import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { timeIsSimulated } from '../../simulated-time';
import { failedOf, goOn, outcomes, refund, refundBench, refunding, sandboxForFile } from '../bench';
import type { RunInput, RunOutput } from '../harness';

timeIsSimulated();

const sandbox = sandboxForFile({ seed: false });
const { sales, pathOf, sentTo, looks, lost, neverApplied, run: runNow } = refundBench(sandbox, { looksUp: true });

const run = async (rows: IDataObject[], parameters = refund, more: Partial<RunInput> = {}, after = 0) => {
  jest.setSystemTime(Date.now() + after * 60_000);
  return await runNow(rows, parameters, more);
};

describe('a refund with a lost response', () => {
  test('a refund with a lost response returns its record, the match and a hint if the report shows it', async () => {
    const rows = sales(3);
    lost(rows[1]);
    const { items, error, hints } = await run(rows);
    expect(error).toBeUndefined();
    expect(items[1]?.json).toMatchObject({
      what_happened: expect.stringMatching(/^Refunded 4\.00 USD to the customer/) as string,
      found_at_service: 'same transaction, same amount, within 2 minutes',
      pg_id_linked: rows[1]?.id,
      amt_tran: 4,
      pg_id: expect.any(String) as string,
    });
    expect(items[0]?.json).not.toHaveProperty('found_at_service');
    expect(hints.join()).toMatch(
      /Row 2 \(\w+\): no response arrived, but the node found a matching record at the service/,
    );
    expect(rows.map(sentTo)).toEqual([1, 1, 1]);
    expect(looks()).toBe(1);
  });

  test("a refund with a lost response stays unknown and names the search if the report doesn't show it", async () => {
    const rows = sales(2);
    neverApplied(rows[0]);
    lost(rows[1]);
    sandbox.control.setListLag(60_000);
    const output = await run(rows, refund, goOn);
    expect(outcomes(output)).toEqual(['unknown', 'unknown']);
    const told = JSON.stringify(output.items);
    expect(told).toMatch(
      /By \d{4}-\d\d-\d\d \d\d:\d\d [\w/]+, the node had checked the transaction report 3 times \(same transaction, same amount, within 2 minutes\) without finding a match\. The record may still appear/,
    );
    expect(rows.map(sentTo)).toEqual([1, 1]);
  });

  test("a refund with a lost response stays unknown and says so if the service doesn't respond", async () => {
    const rows = sales(1);
    lost(rows[0]);
    sandbox.control.addFault({ kind: 'status', status: 403, code: 6, method: 'GET' });
    const { error } = await run(rows);
    expect(error?.description).toMatch(/could not look up the record in the transaction report/);
    expect(failedOf({ error } as RunOutput)[0]).toMatchObject({ outcome: 'unknown' });
    expect(rows.map(sentTo)).toEqual([1]);
  });

  test('a refund with a lost response is found by a later search after a failed search', async () => {
    const rows = sales(1);
    lost(rows[0]);
    sandbox.control.setListLag(4000);
    sandbox.control.addFault({ kind: 'status', status: 500, method: 'GET', calls: [1] });
    expect(outcomes(await run(rows))).toEqual(['found']);
    expect(rows.map(sentTo)).toEqual([1]);
  });

  test("a refund with a lost response isn't looked up if the option is off", async () => {
    const rows = sales(1);
    lost(rows[0]);
    expect(failedOf(await run(rows, refunding({ unknownOutcome: 'refuse' })))).toHaveLength(1);
    expect(looks()).toBe(0);
  });

  test("a refund with a lost response isn't looked up after the user stops the run, which ends at once", async () => {
    const rows = sales(1);
    lost(rows[0]);
    let cancel = () => {};
    const started = run(rows, refund, { onStart: (stop) => void (cancel = stop) });
    while (sentTo(rows[0]) === 0) await new Promise((resolve) => setImmediate(resolve));
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    cancel();
    await started;
    expect(looks()).toBe(0);
  });
});

describe('refunds by other users', () => {
  test('ignores declined refunds and those of another amount, sale or earlier time', async () => {
    const rows = sales(2);
    await run(rows.slice(0, 1));
    await run([{ ...rows[0], amount: 1 }, rows[1] ?? {}], refund, {}, 3);
    sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: pathOf(rows[0]), calls: [1] });
    sandbox.control.addFault({ kind: 'reset_before_apply', path: pathOf(rows[0]), calls: [2] });
    await run(rows.slice(0, 1), refund, goOn, 3);
    expect(outcomes(await run(rows.slice(0, 1), refund, goOn, 3))).toEqual(['unknown']);
  });

  test('completes one of three equal refunds if one was applied', async () => {
    const [row] = sales(1);
    const rows = [row, row, row].map((one) => ({ ...one, amount: 2 }));
    lost(row);
    sandbox.control.addFault({ kind: 'reset_before_apply', path: pathOf(row), calls: [2, 3] });
    const output = await run(rows, refund, goOn);
    expect(outcomes(output).sort()).toEqual(['found', 'unknown', 'unknown']);
    expect(sandbox.control.state().transactions.filter(({ pg_id_linked }) => pg_id_linked === row?.id)).toHaveLength(1);
  });

  test("doesn't assign a refund of the same run to a lost response", async () => {
    const [row] = sales(1);
    const rows = [row, row].map((one) => ({ ...one, amount: 2 }));
    sandbox.control.addFault({ kind: 'reset_before_apply', path: pathOf(row), calls: [2] });
    expect(outcomes(await run(rows, refund, goOn))).toEqual(['done', 'unknown']);
  });
});

test('reads pages of the list instead of searching for each of 200 lost responses', async () => {
  const rows = sales(200);
  sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'refund' });
  const output = await run(rows, refunding({ sending: { maxParallelRequests: 100 } }), goOn, 3);
  expect(outcomes(output)).toEqual(rows.map(() => 'found'));
  expect(new Set(output.items.map(({ json }) => json.pg_id)).size).toBe(200);
  expect(looks()).toBeLessThan(40);
});

describe('lost responses with On Error set to Stop', () => {
  test('starts nothing until the outcome is known and continues if the record is found', async () => {
    const rows = sales(6);
    lost(rows[0]);
    const { items, error } = await run(rows, refunding({ sending: { maxParallelRequests: 1 } }));
    expect(error).toBeUndefined();
    expect(items).toHaveLength(6);
    const paths = sandbox.control.journal().map(({ path }) => path);
    expect(paths.slice(0, 2)).toEqual([pathOf(rows[0]), '/platform/reporting/transaction-requests']);
  });

  test("starts nothing more if the record isn't found", async () => {
    const rows = sales(20);
    neverApplied(rows[0]);
    const { error } = await run(rows, refunding({ sending: { maxParallelRequests: 2 } }));
    expect(error?.message).toMatch(/^Row 1 of 20/);
    expect(rows.map(sentTo).filter((count) => count > 0).length).toBeLessThan(4);
  });
});

test('sends nothing again in a retry and returns the record that was found', async () => {
  const rows = sales(2);
  lost(rows[0]);
  sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: pathOf(rows[1]), calls: [1] });
  const failed = await run(rows, refunding({ sending: { maxParallelRequests: 1 } }));
  const retried = await run(rows, refund, { retryOf: failed.run });
  expect(outcomes(retried)).toEqual(['found', 'done']);
  expect(rows.map(sentTo)).toEqual([1, 2]);
  // Only the journal shows that both refunds are done.
  const again = await run(rows, refund, { retryOf: failed.run });
  expect(again.error).toBeUndefined();
  expect(rows.map(sentTo)).toEqual([1, 2]);
});

describe('an invoice with a lost response', () => {
  const invoice = (more: IDataObject = {}) =>
    ({
      resource: 'invoice',
      operation: 'create',
      customer_id: { __rl: true, mode: 'id', value: sandbox.control.state().customers[0]?.customer_id },
      invoice_number: '={{ $json.number }}',
      line_items: { item: [{ quantity: 2, description: 'Hour', unit_cost: 5 }] },
      ...more,
    }) as INodeParameters;
  beforeEach(() => sandbox.control.addCustomers(1));

  test('an invoice with a lost response is done if the list shows a new one with its customer, number and total', async () => {
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'createInvoice', calls: [1] });
    const { items, error } = await run([{ number: 'A-1' }, { number: 'A-2' }], invoice());
    expect(error).toBeUndefined();
    expect(items[0]?.json).toMatchObject({
      invoice_number: 'A-1',
      amt_tran: 10,
      found_at_service:
        'same customer, same invoice number if the item has one, same total and currency, within 2 minutes',
    });
    expect(sandbox.control.state().invoices).toHaveLength(2);
  });

  test.each([
    ['with a number', { number: 'A-7' }, ' with the number A-7'],
    ['without a number', {}, ''],
  ])("names the values to search for if it isn't found: %s", async (_, row, numbered) => {
    sandbox.control.addFault({ kind: 'reset_before_apply', operationId: 'createInvoice', calls: [1] });
    const { error } = await run([row], invoice());
    const { customer_id: id } = sandbox.control.state().customers[0] ?? {};
    expect(error?.description).toContain(`Look for the invoice of customer ${id}${numbered} in Invoice > Get Many.`);
  });

  test('an invoice with a lost response stays unknown if only an older invoice has its number', async () => {
    await run([{ number: 'A-1' }], invoice());
    sandbox.control.addFault({ kind: 'reset_before_apply', operationId: 'createInvoice' });
    expect(outcomes(await run([{ number: 'A-1' }], invoice(), goOn, 3))).toEqual(['unknown']);
  });

  test('an invoice with a lost response stays unknown if the new invoice with its number has another total', async () => {
    sandbox.control.addFault({ kind: 'reset_before_apply', operationId: 'createInvoice', calls: [2] });
    await run(
      [{ number: 'A-1' }],
      invoice({ line_items: { item: [{ quantity: 1, description: 'x', unit_cost: 7 }] } }),
    );
    expect(outcomes(await run([{ number: 'A-1' }], invoice(), goOn))).toEqual(['unknown']);
  });
});

test("doesn't assign a late record to the next equal item", async () => {
  const [row] = sales(1);
  const equal = [row, row].map((one) => ({ ...one, amount: 2 }));
  sandbox.control.setListLag(16_000);
  sandbox.control.addFault({ kind: 'reset_after_apply', path: pathOf(row), calls: [1] });
  sandbox.control.addFault({ kind: 'reset_before_apply', path: pathOf(row), calls: [2] });
  const came = await run(equal, refund, goOn);
  expect(sentTo(row)).toBe(2);
  expect(outcomes(came)).toEqual(['unknown', 'unknown']);
});
