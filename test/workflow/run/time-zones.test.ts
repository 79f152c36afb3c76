import type { IDataObject } from 'n8n-workflow';

import { benchOf, capturedSales, refund, sandboxForFile } from '../bench';

const sandbox = sandboxForFile({ seed: false });
const onError = 'continueRegularOutput';
const { run } = benchOf(sandbox, { looksUp: true });
const customer = () => sandbox.control.state().customers[0]?.customer_id ?? '';
const report = { resource: 'report', operation: 'getTransactions', returnAll: true };
const overdue = { item: [{ field: 'status', condition: 'IS', value: 'Overdue' }] };

const jobs: Record<string, () => IDataObject> = {
  'a refund with Limit per Day': () => ({ ...refund, options: { limitPerDay: 9 } }),
  'a refund with If It Already Exists': () => ({ ...refund, options: { ifExists: { then: 'return' } } }),
  'a refund without options': () => refund,
  'a report of a period': () => ({ ...report, period: 'last7Days' }),
  'a report of a month': () => ({ ...report, resource: 'report', operation: 'getSettlements', period: 'thisMonth' }),
  'overdue invoices': () => ({ resource: 'invoice', operation: 'getAll', returnAll: true, filter: overdue }),
  'a subscription that starts today': () => ({
    resource: 'subscription',
    operation: 'create',
    customer_id: customer(),
    plan_code: 'MONTHLY25',
  }),
  'a payment on an invoice': () => ({
    resource: 'invoice',
    operation: 'addPayment',
    invoice_id: '7',
    type: 'CASH',
    amt_paid: 5,
    date_payment: '={{ $now }}',
  }),
  'an operation without dates': () => ({ resource: 'customer', operation: 'getAll', returnAll: true }),
};

describe.each(['Foo/Bar', '', 'Europe/Berlin ', 'DEFAULT', '25'])('the time zone %j', (timezone) => {
  test.each(Object.entries(jobs))('is refused once before anything is sent: %s', async (_, parameters) => {
    const rows = capturedSales(sandbox, 2);
    const before = sandbox.control.journal().length;
    const { error } = await run(parameters(), rows, { timezone });
    expect(error?.message).toBe(`The time zone "${timezone}" does not exist`);
    expect(error?.description).toMatch(/settings of the workflow.*GENERIC_TIMEZONE.*Nothing was sent\.$/);
    const { items } = await run(parameters(), rows, { timezone, onError });
    expect(items.map(({ json }) => json.error)).toEqual(
      rows.map(() => expect.objectContaining({ outcome: 'invalid', message: error?.message }) as object),
    );
    expect(sandbox.control.journal()).toHaveLength(before);
  });
});

test('a tool tells the model that the time zone does not exist', async () => {
  const { items } = await run({ ...refund, limitPerItem: 9, limitPerExecution: 9 }, capturedSales(sandbox, 1), {
    timezone: 'Foo/Bar',
    type: 'paymentPlatformTool',
  });
  expect(JSON.stringify(items)).toContain('The time zone \\"Foo/Bar\\" does not exist');
  expect(sandbox.control.journal({ operationId: 'refund' })).toEqual([]);
});
