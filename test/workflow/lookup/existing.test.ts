import type { INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { goOn, refund, refundBench, refunding, sandboxForFile } from '../bench';
import type { RunOutput } from '../harness';
import { box } from '../resources/plan-bench';
import { quantity } from '../../quantity';

const sandbox = sandboxForFile({ seed: false });
const wrote = () =>
  sandbox.control.journal().filter(({ method, applied }) => method === 'POST' && applied !== null).length;
const { run, sales, looks } = refundBench(sandbox, { looksUp: true });
const returning = refunding({ ifExists: { then: 'return' } });
const failing = refunding({ ifExists: { then: 'fail' } });
const whatCame = ({ items }: RunOutput) =>
  items.map(({ json }) => (json.error ? 'failed' : json.found_at_service ? 'existed' : 'made'));

const invoices: INodeParameters = {
  resource: 'invoice',
  operation: 'create',
  customer_id: '={{ $json.customer }}',
  invoice_number: '={{ $json.deal }}',
  line_items: { item: [{ quantity: 1, description: 'Hour', unit_cost: '={{ $json.price }}' }] },
  options: { ifExists: { then: 'return' } },
};
const deals = (count: number) =>
  Array.from({ length: count }, (_, row) => ({
    customer: sandbox.control.state().customers[0]?.customer_id,
    deal: `D-${row}`,
    price: 10 + row,
  }));

describe('the option If It Already Exists set to Return the Existing Record', () => {
  test("doesn't count existing records toward the limit per execution", async () => {
    const rows = sales(4);
    await run(rows.slice(0, 2), returning);
    const again = await run(rows, refunding({ ifExists: { then: 'return' }, limitPerExecution: 4 }), goOn);
    expect(whatCame(again)).toEqual(['existed', 'existed', 'made', 'failed']);
    expect(JSON.stringify(again.items[3]?.json)).toContain(
      'allows 4 in total. The total so far is 4, and this request would add 4',
    );
    expect(wrote()).toBe(3);
  });

  test('a nightly job that runs twice refunds once and says so', async () => {
    const rows = sales(3);
    expect(whatCame(await run(rows, returning))).toEqual(['made', 'made', 'made']);
    const again = await run(rows, returning);
    expect(whatCame(again)).toEqual(['existed', 'existed', 'existed']);
    expect(again.items[0]?.json).toMatchObject({ pg_id: expect.any(String) as string, pg_id_linked: rows[0]?.id });
    expect(again.items[0]?.json.what_happened).toMatch(
      /^Nothing was sent, because the record already exists in the transaction report \(same transaction, same amount, since \d{4}-\d\d-\d\d \d\d:\d\d [\w/]+\)\.$/,
    );
    expect(again.hints.join()).toMatch(
      /^Row 1 .* row 3 .*not sent, because a matching record already exists \(same transaction, same amount, since /s,
    );
    expect(wrote()).toBe(3);
  });

  test('creates each invoice number once in a CRM workflow that runs three times on two days', async () => {
    sandbox.control.addCustomers(1);
    const rows = deals(3);
    expect(whatCame(await run(rows.slice(0, 2), invoices))).toEqual(['made', 'made']);
    await sandbox.control.advanceClock({ days: 40 });
    const again = await run(rows, invoices);
    expect(whatCame(again)).toEqual(['existed', 'existed', 'made']);
    const last = await run(rows, invoices);
    expect(whatCame(last)).toEqual(['existed', 'existed', 'existed']);
    expect(last.items[0]?.json.what_happened).toMatch(
      /^Nothing was sent, .* already exists in the list of invoices \(/,
    );
    expect(sandbox.control.state().invoices.map(({ invoice_number }) => invoice_number)).toEqual(['D-0', 'D-1', 'D-2']);
  });

  test('sends two of three equal refunds if one exists', async () => {
    const [row] = sales(1);
    const equal = [row, row, row].map((one) => ({ ...one, amount: 2 }));
    await run(equal.slice(0, 1), refund);
    expect(whatCame(await run(equal, returning))).toEqual(['existed', 'made', 'made']);
    expect(wrote()).toBe(3);
  });

  test('sends a refund again that was declined before', async () => {
    const rows = sales(1);
    sandbox.control.addFault({ kind: 'status', status: 402, code: '005', method: 'POST', calls: [1] });
    await run(rows, refund, goOn);
    expect(whatCame(await run(rows, returning))).toEqual(['made']);
  });

  test('ignores a record that is older than the start time', async () => {
    const rows = sales(1);
    await run(rows, refunding({}));
    const later = refunding({ ifExists: { then: 'return', since: new Date().toISOString() } });
    expect(whatCame(await run(rows, later))).toEqual(['made']);
  });

  test('refuses a start time in the future, at which no record can exist', async () => {
    const rows = sales(1);
    for (const then of ['return', 'fail', 'skip']) {
      const { error } = await run(rows, refunding({ ifExists: { then, since: '2999-01-01' } }));
      expect(error?.message).toBe('"If It Already Exists > Look Back To" must be in the past (found "2999-01-01")');
    }
    expect(looks() + wrote()).toBe(0);
  });

  test("doesn't search for a write that is in the memory", async () => {
    const rows = sales(2);
    await run(rows.slice(0, 1), refund);
    sandbox.control.addFault({ kind: 'status', status: 402, code: '005', method: 'POST', calls: [1] });
    const failed = await run(rows, refunding({ ifExists: { then: 'return' }, sending: { maxParallelRequests: 1 } }));
    expect(failed.error).toBeDefined();
    const before = looks();
    const retried = await run(rows, refunding({ ifExists: { then: 'return' }, sending: { maxParallelRequests: 1 } }), {
      retryOf: failed.run,
    });
    expect(whatCame(retried)).toEqual(['existed', 'made']);
    expect(looks() - before).toBeLessThanOrEqual(1);
    expect(wrote()).toBe(2);
  });
});

test("with If It Already Exists set to Fail, the node fails the item with the existing record's name and sends the other items", async () => {
  const rows = sales(2);
  await run(rows.slice(0, 1), refund);
  const { items } = await run(rows, failing, goOn);
  expect(items[0]?.json.error).toMatchObject({
    outcome: 'invalid',
    message: expect.stringMatching(
      /^A matching record already exists: pg_id \w+ is in the transaction report \(same transaction/,
    ) as string,
  });
  expect(wrote()).toBe(2);
});

test('Skip the Check sends items without a search', async () => {
  const rows = sales(1).map((row) => ({ ...row, amount: 1 }));
  await run(rows, refund);
  const before = looks();
  expect(whatCame(await run(rows, refunding({ ifExists: { then: 'skip', since: '2020-01-01' } })))).toEqual(['made']);
  expect(looks()).toBe(before);
});

test.each(['return', 'fail'])('sends nothing with %j if the search fails', async (action) => {
  const rows = sales(1);
  sandbox.control.addFault({ kind: 'status', status: 403, code: 6, method: 'GET' });
  const { error } = await run(rows, refunding({ ifExists: { then: action } }));
  expect(error?.message).toMatch(
    /"If It Already Exists" could not read the records of the service, so nothing was sent/,
  );
  expect(wrote()).toBe(0);
});

test('refuses an invalid choice before anything is sent', async () => {
  const { error } = await run(sales(1), refunding({ ifExists: { then: 'maybe' } }));
  expect(error?.message).toMatch(
    /"If It Already Exists > Action" must be one of: return, fail, skip \(found "maybe"\)/,
  );
  expect(looks() + wrote()).toBe(0);
});

describe('requests of the duplicate search', () => {
  test('reads pages of the report instead of searching for each of many items', async () => {
    const count = quantity(300, 1000);
    const rows = sales(count);
    await run(rows.slice(0, 150), refund);
    const before = looks();
    const came = whatCame(await run(rows, returning));
    expect(came.filter((what) => what === 'existed')).toHaveLength(150);
    expect(wrote()).toBe(count);
    // The node reads pages of 100 records, reads the first page twice, and checks the list for changes.
    expect(looks() - before).toBeLessThanOrEqual(2 * ((count + 150) / 100 + 1));
  });

  test('searches for each of a few items in a long report', async () => {
    const rows = sales(600);
    await run(rows.slice(0, 1), refund);
    const before = looks();
    expect(whatCame(await run(rows.slice(0, 3), returning))).toEqual(['existed', 'made', 'made']);
    expect(looks() - before).toBe(4);
  });
});

test("searches the records of the credential's merchant even if the item names this merchant", async () => {
  const options = { ifExists: { then: 'fail' } };
  const { merchantId } = credentialFor(sandbox);
  const additionalFields = { merchant_id: merchantId } as INodeParameters;
  const creating = { resource: 'plan', operation: 'create', ...box, additionalFields, options };
  expect((await run([{}], creating)).error).toBeUndefined();
  expect((await run([{}], creating)).error?.message).toMatch(/^A matching record already exists: plan_id/);
});

test("sends nothing for another merchant, whose list the node doesn't read", async () => {
  const rows = sales(1);
  const elsewhere = {
    ...refunding({ ifExists: { then: 'return' } }),
    additionalFields: { merchant_id: '990000000009' },
  };
  const { error } = await run(rows, elsewhere as INodeParameters);
  expect(error?.message).toMatch(
    /"If It Already Exists" works only for the credential's merchant, because the node searches only this merchant's records/,
  );
  expect(looks() + wrote()).toBe(0);
});

test('finds subscriptions for any start time, because their list contains no times', async () => {
  sandbox.control.addCustomers(3);
  const subscribing: INodeParameters = {
    resource: 'subscription',
    operation: 'create',
    customer_id: '={{ $json.customer_id }}',
    termsSource: 'offPlan',
    plan_frequency: 3,
    recur_amt: '25',
    endsAfter: 'payments',
    plan_duration: '12',
    date_start: '2031-01-01',
    options: { ifExists: { then: 'return', since: '2020-01-01' } },
  };
  const rows = sandbox.control.state().customers.map(({ customer_id }) => ({ customer_id }));
  expect(whatCame(await run(rows, subscribing))).toEqual(['made', 'made', 'made']);
  const again = await run(rows, subscribing);
  expect(whatCame(again)).toEqual(['existed', 'existed', 'existed']);
  expect(again.items[0]?.json.what_happened).toMatch(
    /^Nothing was sent, .* already exists in the list of subscriptions \(/,
  );
  expect(sandbox.control.journal({ operationId: 'addSubscription' })).toHaveLength(3);
});
