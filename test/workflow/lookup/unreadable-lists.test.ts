import type { IDataObject } from 'n8n-workflow';

import { allDayWrites } from '../../../nodes/PaymentPlatform/limits/day-writes';
import type { FaultRule } from '../../../sandbox/control/faults';
import { credentialFor } from '../../credential';
import { testEvery } from '../../every-case';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, capturedSales, refund, sandboxForFile } from '../bench';
import { crashedData, runWorkflow } from '../harness';
import { box } from '../resources/plan-bench';
import { toolOf } from '../tool/tool-harness';
import { authorized, listedWrites, recordWrites, subscription } from '../writes';

timeIsSimulated();

const sandbox = sandboxForFile();
const customer = () => sandbox.control.state().customers[0]?.customer_id;
const { run } = benchOf(sandbox, { looksUp: true });
const writes = () =>
  sandbox.control.journal().filter(({ method, applied }) => method !== 'GET' && applied !== null).length;
const lists = (body: IDataObject, calls: FaultRule['calls'] = 'all') =>
  sandbox.control.addFault({
    kind: 'status',
    status: 200,
    method: 'GET',
    calls,
    body: { code: 0, message: 'Success', ...body },
  });

/** Responses that contain neither records nor a certainly empty list. */
const UNREADABLE: Record<string, IDataObject> = {
  'a string': { data: 'x' },
  'a number': { data: 5 },
  null: { data: null },
  'entries that are no records': { data: [null, null] },
  'a list in a list': { data: [[]] },
  'an empty object': { data: {} },
  'an object that contains a list': { data: { records: [] } },
  'a list of objects that contain a list': { data: [{ records: [] }] },
  'no data': {},
  'an unknown field': { records: [] },
  'totals as text': { data: [], totalRecords: '7', totalPages: '1' },
  'totals as numbers': { data: [], totalRecords: 7, totalPages: 1 },
  'several pages': { data: [], totalPages: 3 },
  'a total with a decimal point': { data: [], totalRecords: '7.0' },
  'a total with a thousands separator': { data: [], totalRecords: '1,234', totalPages: 1 },
  'a negative total': { data: [], totalRecords: -1 },
  'a total that is an object': { data: [], totalPages: { count: 0 } },
  'records with an unreadable total': {
    data: [{ pg_id: 'a', rec_id: 1, plan_id: 1, customer_id: 'A' }],
    totalRecords: 'many',
  },
  'nothing but a total': { totalRecords: 7 },
};
const unreadable = Object.entries(UNREADABLE);
/** One response of each kind: a wrong type, a wrong entry, a wrong object, and an empty list that contradicts its totals. */
const someUnreadable = [
  'a number',
  'entries that are no records',
  'an object that contains a list',
  'totals as text',
].map((name): [string, IDataObject] => [name, UNREADABLE[name] ?? {}]);
const EMPTY: Array<[string, IDataObject]> = [
  ['an empty list', { data: [] }],
  ['an empty list and totals of 0', { data: [], totalRecords: ' 0 ', totalPages: 0 }],
  ['nothing and a total of 0', { data: null, totalRecords: 0 }],
];

const refunding = (options: IDataObject) => ({ ...refund, options });
const returning = { ifExists: { then: 'return' } };

describe('If It Already Exists', () => {
  const card = { paymentMethod: 'card', card_number: '4111111111111111', exp_date: '1235' };
  const charge = { resource: 'transaction', ...card, amt_tran: 25, additionalFields: { purchase_id: 'ORDER-1' } };
  const line_items = { item: [{ quantity: 1, description: 'Hour', unit_cost: 10 }] };
  const CREATED: Record<string, () => object> = {
    refund: () => ({ ...refund, pg_id: capturedSales(sandbox, 1)[0]?.id, amt_tran: 4 }),
    capture: () => ({ ...refund, operation: 'capture', pg_id: authorized(sandbox), amt_tran: 62 }),
    void: () => ({ ...refund, operation: 'void', pg_id: authorized(sandbox) }),
    recharge: () => ({ ...refund, operation: 'recharge', pg_id: authorized(sandbox), amt_tran: 5 }),
    sale: () => ({ ...charge, operation: 'sale' }),
    authorize: () => ({ ...charge, operation: 'authorize' }),
    force: () => ({ ...charge, operation: 'force', auth_code: 'T12345' }),
    credit: () => ({ ...charge, operation: 'credit' }),
    payout: () => ({
      resource: 'transaction',
      operation: 'payout',
      payee_id: '9001',
      amt_tran: 5,
      additionalFields: { merch_ref_num: 'P1' },
    }),
    invoice: () => ({
      ...{ resource: 'invoice', operation: 'create', customer_id: customer() },
      ...{ invoice_number: 'N-1', line_items },
    }),
    plan: () => ({ resource: 'plan', operation: 'create', ...box }),
    payee: () => ({ resource: 'payee', operation: 'create', payee_name: 'Silva Bakery' }),
    subscription: () => subscription(sandbox),
  };

  testEvery(Object.keys(CREATED))('sends no item of an operation again if its list is unreadable', async (name) => {
    sandbox.control.reset();
    const parameters = { ...CREATED[name]?.() };
    const first = await run(parameters);
    expect(first.error).toBeUndefined();
    expect(writes()).toBe(1);
    for (const [, body] of someUnreadable) {
      sandbox.control.clearFaults();
      lists(body);
      const { error } = await run({ ...parameters, options: returning });
      expect(error?.message).toMatch(/so nothing was (sent|paid)/);
    }
    expect(writes()).toBe(1);
  });

  test.each(EMPTY)('sends the item if the report contains %s', async (_, body) => {
    const rows = capturedSales(sandbox, 1);
    lists(body);
    expect((await run(refunding(returning), rows)).error).toBeUndefined();
    expect(writes()).toBe(1);
  });

  test.each([1, 3])('sends %d items after a temporary failure of the report', async (count) => {
    const rows = capturedSales(sandbox, count);
    sandbox.control.addFault({ kind: 'status', status: 503, method: 'GET', calls: [1] });
    expect((await run(refunding(returning), rows)).error).toBeUndefined();
    expect(writes()).toBe(count);
  });

  test.each(unreadable)('sends none of several items if the report contains %s', async (_, body) => {
    const rows = capturedSales(sandbox, 3);
    lists(body);
    const { error } = await run(refunding(returning), rows);
    expect(error?.message).toContain('could not read the records of the service, so nothing was sent');
    expect(writes()).toBe(0);
  });

  test.each([
    ['another record', { pg_id: 'other99', pg_id_linked: 'other', amt_tran: 1 }, undefined],
    ['null', null, /null value instead of records/],
    ['a record without an ID', { pg_id_linked: 'other', amt_tran: 1 }, /an object without pg_id/],
  ])('reads the second page if the first page ends with %s', async (_, last, message) => {
    const rows = capturedSales(sandbox, 1);
    await run(refund, rows);
    const refunded = sandbox.control.state().transactions.find(({ pg_id_linked: sale }) => sale === rows[0]?.id);
    const filler = Array.from({ length: 99 }, (_one, row) => ({ pg_id: `other${row}`, pg_id_linked: 'other' }));
    const all = [...filler, last, refunded];
    lists({ data: all.slice(0, 100) }, [1]);
    lists({ data: all.slice(100) }, [2]);
    lists({ data: all.slice(99) }, [3]);
    const { error } = await run(refunding(returning), rows);
    if (message) expect(error?.message).toMatch(message);
    else expect(error).toBeUndefined();
    expect(writes()).toBe(1);
  });

  test.each(someUnreadable)('is checked in a tool, which sends nothing if the report contains %s', async (_, body) => {
    const rows = capturedSales(sandbox, 1);
    lists(body);
    const parameters = { ...refund, pg_id: rows[0]?.id as string, amt_tran: 4, limitPerItem: 9, limitPerExecution: 9 };
    const { text } = await toolOf({ parameters, credential: credentialFor(sandbox), looksUp: true }).call();
    expect(text).toContain('so nothing was sent');
    expect(writes()).toBe(0);
  });
});

test.each(unreadable)('Limit per Day sends nothing if the report contains %s', async (_, body) => {
  const rows = capturedSales(sandbox, 1);
  lists(body);
  const { error } = await run(refunding({ limitPerDay: 13 }), rows);
  expect(error?.message).toContain('so nothing was sent');
  expect(writes()).toBe(0);
});

describe('a service that returns fewer records per page than requested and no totals', () => {
  /** The second page contains the refund, and the third page is empty. */
  async function refundOnSecondPage() {
    const rows = capturedSales(sandbox, 1);
    await run(refund, rows);
    allDayWrites.clear();
    const other = { pg_id: 'other', rec_id: 1, pg_id_linked: 'other', request_type: 'sale' };
    const refunded = sandbox.control.state().transactions.find(({ pg_id_linked: sale }) => sale === rows[0]?.id);
    lists({ data: [other] }, [1]);
    lists({ data: [refunded] }, [2]);
    lists({ data: [] }, [3]);
    lists({ data: [other, refunded] }, { from: 4 });
    return rows;
  }

  test('does not hide an existing record from If It Already Exists', async () => {
    const rows = await refundOnSecondPage();
    expect((await run(refunding(returning), rows)).error).toBeUndefined();
    expect(writes()).toBe(1);
  });

  test('does not hide a refund from Limit per Day', async () => {
    await refundOnSecondPage();
    const { error } = await run(refunding({ limitPerDay: 7 }), capturedSales(sandbox, 1));
    expect(error?.message).toContain("Today's total is 4");
    expect(writes()).toBe(1);
  });

  test('lets Create or Update find a plan on the second page', async () => {
    await run({ resource: 'plan', operation: 'create', ...box });
    const plan = sandbox.control.state().plans.find(({ plan_code: code }) => code === 'BOX');
    const other = { ...plan, plan_id: 1, plan_code: 'OTHER' };
    lists({ data: [other] }, [1]);
    lists({ data: [plan] }, [2]);
    lists({ data: [] }, [3]);
    lists({ data: [other, plan] }, { from: 4 });
    const { error } = await run({ resource: 'plan', operation: 'upsert', ...box });
    expect(error).toBeUndefined();
    expect(sandbox.control.journal({ operationId: 'addPlan' })).toHaveLength(1);
  });
});

test.each(EMPTY)('Limit per Day sends the item if the report contains %s', async (_, body) => {
  const rows = capturedSales(sandbox, 1);
  lists(body);
  expect((await run(refunding({ limitPerDay: 13 }), rows)).error).toBeUndefined();
  expect(writes()).toBe(1);
});

test.each(unreadable)('Create or Update creates nothing if the list contains %s', async (_, body) => {
  lists(body);
  for (const parameters of [
    { resource: 'customer', operation: 'upsert', own_customer_id: 'CRM1', customer_firm_name: 'Silva Bakery' },
    { resource: 'plan', operation: 'upsert', ...box },
  ])
    expect((await run(parameters)).error?.message).toContain('nothing was sent');
  expect(writes()).toBe(0);
});

test.each(someUnreadable)('Send Again sends nothing in a retry if the report contains %s', async (_, body) => {
  const [row] = capturedSales(sandbox, 1);
  const rows = row ? [row] : [];
  const lost = sandbox.control.addFault({ kind: 'reset_after_apply', method: 'POST' });
  const input = { rows, parameters: refund, credential: credentialFor(sandbox) };
  const crashed = crashedData(input);
  const failed = await runWorkflow({ ...input, from: crashed });
  expect(failed.error).toBeDefined();
  sandbox.control.removeFault(lost.id);
  lists(body);
  const { error } = await run(refunding({ unknownOutcome: 'resend' }), rows, { retryOf: failed.run });
  expect(error?.message).toBeDefined();
  expect(writes()).toBe(1);
});

test.each(someUnreadable)('a lost response stays unknown if the report contains %s', async (_, body) => {
  const rows = capturedSales(sandbox, 1);
  sandbox.control.addFault({ kind: 'reset_after_apply', method: 'POST' });
  lists(body);
  const { error } = await run(refund, rows);
  expect(error?.context?.data).toMatchObject({ outcome: 'unknown' });
  expect(error?.description).toMatch(/could not look up the record|more records than the node could read/);
});

const allWrites = () => [...listedWrites(sandbox), ...recordWrites(sandbox)];

test.each(someUnreadable)('a write whose response is lost is never done if all lists contain %s', async (_, body) => {
  for (const { operationId } of allWrites())
    for (const from of [1, 2]) {
      sandbox.control.reset();
      const parameters = await allWrites()
        .find((one) => one.operationId === operationId)
        ?.parameters();
      sandbox.control.addFault({ kind: 'reset_before_apply', operationId });
      lists(body, { from });
      const { error } = await run({ ...parameters });
      const sent = sandbox.control.journal({ operationId }).length;
      const outcome = (error?.context?.data as IDataObject | undefined)?.outcome;
      expect([operationId, sent, outcome]).toEqual([operationId, sent, sent > 0 ? 'unknown' : 'invalid']);
    }
});
