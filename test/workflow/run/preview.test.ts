import type { IDataObject } from 'n8n-workflow';

import { DayWrites } from '../../../nodes/PaymentPlatform/limits/day-writes';
import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { recovered } from '../../loop-node';
import { processedData } from '../../processed-data';
import { benchOf, charging, goOn, refundBench, refunding, sandboxForFile } from '../bench';
import { box } from '../resources/plan-bench';
import { crashedData, runWorkflow, type RunInput } from '../harness';

const sandbox = sandboxForFile({ seed: false });
const { sales } = refundBench(sandbox);
const { input, run, writes } = benchOf(sandbox);

const preview = async (options: object, rows: object[], more: Partial<RunInput> = {}) =>
  await run(refunding({ previewOnly: true, ...options }), rows as never, more);
const STOPS =
  'Because "On Error" is "Stop Workflow", a refused row would stop the run, and the node might send no row.';
const decisions = (items: Array<{ json: object }>) => items.map(({ json }) => (json as { decision?: string }).decision);

afterEach(() => jest.restoreAllMocks());

test('a preview shows the requests, sends no write and counts the rows and amounts', async () => {
  const rows = sales(2);
  const { items, hints, error } = await preview({}, rows);
  expect(error).toBeUndefined();
  expect(items.map(({ json }) => json)).toEqual(
    rows.map(({ id }) => ({
      preview: true,
      what_would_happen: `Would refund or void transaction: 4.00, Transaction ${asText(id)}.`,
      decision: 'send',
      amount: 4,
      request: { method: 'POST', path: `/pg/refund/${asText(id)}`, body: { amt_tran: 4, merchant_id: '100000000001' } },
    })),
  );
  expect(hints).toEqual(['Preview: nothing was sent. The node would send 2 rows (8.00).']);
  expect(writes()).toEqual([]);
});

test('a row that the node would refuse is an item with the reason, so one preview shows all problems', async () => {
  const [first, second, third, fourth] = sales(4);
  const rows = [first, { ...second, amount: 'a' }, { ...third, amount: 7 }, fourth];
  const { items, error, hints } = await preview({ limitPerItem: 6, limitPerExecution: 5 }, rows as object[]);
  expect(error).toBeUndefined();
  expect(decisions(items)).toEqual(['send', 'refuse', 'refuse', 'refuse']);
  expect(items.map(({ json }) => json.what_would_happen)).toEqual([
    expect.stringMatching(/^Would refund/),
    expect.stringMatching(/^Would send nothing\. "Amount" must be a number/),
    'Would send nothing. "Limit per Item" allows at most 6 (found "Amount" 7).',
    'Would send nothing. "Limit per Execution" allows 5 in total. The total so far is 4, and this request would add 4.',
  ]);
  const told = 'Preview: nothing was sent. The node would send 1 row (4.00) and refuse 3 rows.';
  expect(hints).toEqual([`${told} ${STOPS}`]);
  expect((await preview({ limitPerItem: 6, limitPerExecution: 5 }, rows as object[], goOn)).hints).toEqual([told]);
  expect(items.map(({ json }) => json.error)).toEqual([undefined, undefined, undefined, undefined]);
});

test('an existing record and a row with the same key of Once per Key return the existing record', async () => {
  const rows = sales(2);
  await run(refunding({ oncePerKey: '={{ $json.id }}' }), rows.slice(0, 1));
  const again = await preview({ oncePerKey: '={{ $json.id }}' }, [...rows, ...rows.slice(1)]);
  expect(decisions(again.items)).toEqual(['return_existing', 'send', 'return_existing']);
  const found = await preview({ ifExists: { then: 'return' } }, rows);
  expect(decisions(found.items)).toEqual(['return_existing', 'send']);
  expect(found.items[0]?.json).toHaveProperty('existing');
  const failing = await preview({ ifExists: { then: 'fail' } }, rows);
  expect(decisions(failing.items)).toEqual(['refuse', 'send']);
  expect(writes()).toHaveLength(1);
});

test('a preview uses no key, no limit and no record, so the run after it does the same as without it', async () => {
  const rows = sales(3);
  const options = { oncePerKey: '={{ $json.id }}', limitPerDay: 12, limitPerExecution: 12 };
  for (let time = 0; time < 3; time += 1)
    expect(decisions((await preview(options, rows)).items)).toEqual(['send', 'send', 'send']);
  const added = jest.spyOn(DayWrites.prototype, 'add');
  const { items } = await run(refunding(options), rows);
  expect(items.map(({ json }) => json.error)).toEqual([undefined, undefined, undefined]);
  expect(added).toHaveBeenCalledTimes(3);
  expect(writes()).toHaveLength(3);
  expect(decisions((await preview(options, rows)).items)).toEqual(Array.from({ length: 3 }, () => 'refuse'));
});

test('a preview reserves no amount that other runs of the process see', async () => {
  const rows = sales(2);
  const added = jest.spyOn(DayWrites.prototype, 'add');
  await run(refunding({ limitPerDay: 100 }), rows.slice(0, 1));
  await preview({ limitPerDay: 100 }, rows.slice(1));
  const [shared, own] = added.mock.contexts as DayWrites[];
  expect(own).not.toBe(shared);
  expect((own?.all().length ?? 0) - (shared?.all().length ?? 0)).toBe(1);
});

test('an expression previews some rows and sends the others, in the order of the rows', async () => {
  const rows = sales(4).map((row, index): IDataObject => ({ ...row, dryRun: index % 2 === 0 }));
  const { items, error } = await preview({ previewOnly: '={{ $json.dryRun }}' }, rows);
  expect(error).toBeUndefined();
  expect(decisions(items)).toEqual(['send', undefined, 'send', undefined]);
  expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
  expect(
    writes()
      .map(({ path }) => path)
      .sort(),
  ).toEqual([rows[1], rows[3]].map((row) => `/pg/refund/${asText(row?.id)}`).sort());
});

test.each(['', null, 'yes', '={{ undefined }}', '={{ [] }}', 2])(
  'the node refuses the item if Preview Only is %j',
  async (previewOnly) => {
    const rows = sales(1);
    const { error } = await preview({ previewOnly }, rows);
    expect(error?.message).toMatch(/^"Preview Only" must be true or false/);
    const { items } = await preview({ previewOnly }, rows, goOn);
    expect(items.map(({ json }) => json.error)).toEqual([expect.objectContaining({ outcome: 'invalid' })]);
    expect(writes()).toEqual([]);
  },
);

test('a guard that cannot be read refuses the row', async () => {
  const rows = sales(1);
  sandbox.control.addFault({ method: 'GET', kind: 'status', status: 500, code: 99, calls: 'all' } as never);
  const { items } = await preview({ limitPerDay: 100 }, rows);
  expect(decisions(items)).toEqual(['refuse']);
});

/** Runs a preview, and ends n8n's database after its first `calls` calls. Returns false if the preview needs no more calls. */
async function killedPreview(rows: IDataObject[], calls: number): Promise<boolean> {
  let made = 0;
  const kill = (name: 'check' | 'remove') => {
    const original = processedData[name].bind(processedData) as (...args: unknown[]) => Promise<never>;
    jest.spyOn(processedData, name).mockImplementation(async (...args) => {
      made += 1;
      if (made > calls) throw new Error('killed');
      return await original(...args);
    });
  };
  kill('check');
  kill('remove');
  await preview({ oncePerKey: '={{ $json.id }}', sending: { maxTries: 1 } }, rows);
  jest.restoreAllMocks();
  return made > calls;
}

test('after n8n is killed at any moment of a preview, the run and another preview do the same as without it', async () => {
  const options = { oncePerKey: '={{ $json.id }}' };
  const rows = sales(20);
  let calls = 1;
  for (; calls <= rows.length && (await killedPreview(rows.slice(calls - 1, calls), calls)); calls += 1) {
    const [row = {}] = rows.slice(calls - 1);
    expect(decisions((await preview(options, [row])).items)).toEqual(['send']);
    expect((await run(refunding(options), [row])).error).toBeUndefined();
    expect(writes()).toHaveLength(calls);
    expect(decisions((await preview(options, [row])).items)).toEqual(['return_existing']);
  }
  expect(calls).toBeGreaterThan(1);
  expect(calls).toBeLessThan(rows.length);
});

test.each([undefined, 1])(
  'a preview leaves nothing in the execution or the database (batch size %p)',
  async (batchSize) => {
    const rows = sales(3);
    const options = { oncePerKey: '={{ $json.id }}', limitPerDay: 100, limitPerExecution: 100 };
    await run(refunding(options), rows.slice(0, 1));
    const before = structuredClone([...processedData.rows]);
    const { run: execution } = await preview(options, rows.slice(1), batchSize === undefined ? {} : { batchSize });
    expect([...processedData.rows]).toEqual(before);
    expect(JSON.stringify(execution.data.executionData?.contextData)).not.toContain('paymentPlatform');
    expect(writes()).toHaveLength(1);
  },
);

test('a preview of a killed loop in a retry shows what the retry then sends', async () => {
  const rows = sales(3);
  const loop = { batchSize: 1, onError: 'stopWorkflow' } as const;
  const given = input(refunding({}), rows, loop);
  const crashed = crashedData(given);
  sandbox.control.addFault({ kind: 'status', status: 402, code: '005', operationId: 'refund', calls: [2] });
  await runWorkflow({ ...given, from: crashed });
  const retryOf = recovered(crashed, ['Rows', 'Payment Platform', 'Loop']);
  const { run: previewed } = await preview({}, rows, { ...loop, retryOf: structuredClone(retryOf) });
  const shown = (previewed.data.resultData.runData['Payment Platform'] ?? []).flatMap(
    ({ data }) => data?.main?.[0] ?? [],
  );
  expect(decisions(shown.slice(-3))).toEqual(['return_existing', 'send', 'send']);
  expect(writes()).toHaveLength(1);
  await runWorkflow({ ...given, retryOf });
  expect(writes()).toHaveLength(3);
});

test('a preview shows the masked card and account numbers of a request, and no secret', async () => {
  sandbox.control.addCustomers(1);
  const card = { paymentMethod: 'card', card_number: '4111111111111111', exp_date: '1230', cvv2: '987' };
  const { items } = await run({ ...charging({ previewOnly: true }), ...card }, [{}]);
  const text = JSON.stringify(items);
  expect(text).toContain('"decision":"send"');
  expect(text).not.toMatch(/4111111111111111|987/);
  const mistaken = await run(charging({ previewOnly: true }, { customer_id: '4111111111111111' }), [{}]);
  expect(mistaken.items[0]?.json).toMatchObject({ decision: 'send', request: { body: { customer_id: 'x1111' } } });
  expect(writes()).toEqual([]);
});

test('an API Request that writes shows its request, and one that reads is sent', async () => {
  const parameters = { resource: 'api', operation: 'request', path: '/platform/plan' };
  const options = { previewOnly: true };
  const body = JSON.stringify({ plan_code: 'GOLD', plan_name: 'Gold', recur_amt: 12.5, plan_frequency: 3 });
  const { items } = await run({ ...parameters, options, method: 'POST', body }, [{}]);
  expect(items[0]?.json).toMatchObject({ decision: 'send', request: { method: 'POST', path: '/platform/plan' } });
  const reading = await run({ ...parameters, options, method: 'GET' }, [{}]);
  expect(reading.error).toBeUndefined();
  expect(reading.items.every(({ json }) => json.preview === undefined)).toBe(true);
  expect(writes()).toEqual([]);
});

test('rows that share a request are previewed together, apart from rows that are sent', async () => {
  const rows = ['a', 'b', 'c', 'd'].map((name, index): IDataObject => ({ name, dryRun: index < 3 }));
  const card = { card_number: '4111111111111111', exp_date: '1230', card_id: '={{ $json.name }}' };
  const { items, error } = await run(
    {
      ...{ resource: 'accountUpdater', operation: 'submit', data: { item: [card] } },
      options: { previewOnly: '={{ $json.dryRun }}' },
    },
    rows,
  );
  expect(error).toBeUndefined();
  expect(decisions(items)).toEqual(['send', 'send', 'send', undefined]);
  const shown = items.slice(0, 3).map(({ json }) => (json.request as { body: { data: IDataObject[] } }).body.data);
  for (const cards of shown) expect(cards.map(({ card_id }) => card_id)).toEqual(['a', 'b', 'c']);
  expect(JSON.stringify(items)).not.toContain('4111111111111111');
  expect(writes()).toHaveLength(1);
});

test('rows that change a record of an earlier row are decided after that row, and no preview shows their requests', async () => {
  const own = { own_plan_code: '={{ $json.code }}', plan_name: '={{ $json.name }}' };
  const parameters = { resource: 'plan', operation: 'upsert', ...box, ...own };
  const rows = [
    { code: 'GOLD', name: 'Gold' },
    { code: 'TIN', name: 'Tin' },
    { code: 'GOLD', name: 'Golden' },
  ];
  const { items, hints } = await run({ ...parameters, options: { previewOnly: true } }, rows);
  expect(decisions(items)).toEqual(['send', 'send', 'depends_on_earlier_row']);
  expect(items[2]?.json).toEqual({
    preview: true,
    what_would_happen: 'Would decide after row 1 what to send, because row 1 changes the same record.',
    decision: 'depends_on_earlier_row',
  });
  expect(hints).toEqual([
    'Preview: nothing was sent. The node would send 2 rows (79.00 USD) and decide after an earlier row what to send for 1 row.',
  ]);
  await run(parameters, rows);
  expect(writes().map(({ method, body }) => [method, (body as IDataObject).plan_name])).toEqual(
    expect.arrayContaining([
      ['POST', 'Gold'],
      ['POST', 'Tin'],
      ['PUT', 'Golden'],
    ]),
  );
});

const upserts = (options: object) => ({
  ...{ resource: 'plan', operation: 'upsert', ...box },
  ...{ own_plan_code: '={{ $json.code }}', plan_name: '={{ $json.name }}', options },
});

test('a row with the key of a row that is decided later is decided after that row too', async () => {
  const rows = [
    { code: 'GOLD', name: 'Gold', key: 'A' },
    { code: 'GOLD', name: 'Golden', key: 'B' },
    { code: 'TIN', name: 'Tin', key: 'B' },
  ];
  const options = { oncePerKey: '={{ $json.key }}' };
  const { items } = await run(upserts({ ...options, previewOnly: true }), rows);
  expect(decisions(items)).toEqual(['send', 'depends_on_earlier_row', 'depends_on_earlier_row']);
  expect(items[2]?.json.what_would_happen).toBe(
    'Would decide after row 2 what to send, because row 2 has the same key of "Once per Key".',
  );
  const { items: sent } = await run(upserts(options), rows, goOn);
  expect(sent.map(({ json }) => Boolean(json.error))).toEqual([false, false, true]);
});

test.each([
  ['a record that changed', {}, ['PUT']],
  ['a key that is used', { oncePerKey: 'A' }, []],
  ['a total that is used up', { limitPerDay: 50 }, []],
])('a preview beside rows that are sent includes their effect: %s', async (_, options, methods) => {
  const rows = [
    { code: 'GOLD', name: 'Golden', dryRun: true },
    { code: 'GOLD', name: 'Gold', dryRun: false },
  ];
  const { items } = await run(upserts({ ...options, previewOnly: '={{ $json.dryRun }}' }), rows);
  const shown = items.flatMap(({ json }) => (json.request as IDataObject | undefined)?.method ?? []);
  expect([items[1]?.json.plan_name, shown]).toEqual(['Gold', methods]);
  sandbox.control.clearJournal();
  await run(upserts(options), rows.slice(0, 1), goOn);
  expect(writes().map(({ method }) => method)).toEqual(methods);
});

test('a preview beside rows that are sent takes none of their results', async () => {
  const [sale] = sales(1);
  const rows = [
    { ...sale, amount: 2, dryRun: true },
    { ...sale, amount: 2, dryRun: false },
    { ...sale, amount: 'a', dryRun: false },
  ];
  const { items } = await preview({ previewOnly: '={{ $json.dryRun }}' }, rows, goOn);
  expect(decisions(items)).toEqual(['send', undefined, undefined]);
  expect(writes()).toHaveLength(1);
});

test('an invoice for a customer that an earlier row saves is decided after that row', async () => {
  const contact = { first_name: 'Ana', last_name: 'Silva', email_address: 'ana@example.com' };
  const invoice = {
    ...{ resource: 'invoice', operation: 'create', customer_id: { __rl: true, mode: 'id', value: 'NEW1' } },
    line_items: { item: [{ quantity: 1, description: 'Hour', unit_cost: 100 }] },
    additionalFields: {
      save_customer: '={{ $json.saves }}',
      billing_contact: {
        item: Object.fromEntries(Object.keys(contact).map((name) => [name, `={{ $json.contact?.${name} ?? '' }}`])),
      },
    },
  };
  const rows = [{ contact, saves: true }, { saves: false }, { contact, saves: false }] as never[];
  const { items } = await run({ ...invoice, options: { previewOnly: true } }, rows);
  expect(decisions(items)).toEqual(['send', 'depends_on_earlier_row', 'send']);
  await run(invoice, rows);
  expect(writes().map(({ body }) => (body as IDataObject).billing_contact)).toEqual([contact, contact, contact]);
});
