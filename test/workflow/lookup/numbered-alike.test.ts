import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, errorOf, sandboxForFile, toErrors } from '../bench';
import { idOf } from '../writes';

timeIsSimulated();

const sandbox = sandboxForFile();
const { run } = benchOf(sandbox, { looksUp: true, ...toErrors });
const line = (unit_cost: number) => ({ item: [{ quantity: 1, description: 'Hour', unit_cost }] });

async function invoice(customer: string, invoice_number: string, unit_cost: number): Promise<IDataObject[string]> {
  const parameters = { resource: 'invoice', operation: 'create', customer_id: idOf(customer), invoice_number };
  return (await run({ ...parameters, line_items: line(unit_cost) })).items[0]?.json.invoice_id;
}
const copyOf = (id: IDataObject[string], options: IDataObject = {}) =>
  ({
    resource: 'invoice',
    operation: 'copy',
    invoice_id: idOf(id),
    invoice_number: 'INV-5',
    options,
  }) as INodeParameters;
const copied = () => sandbox.control.journal({ operationId: 'copyInvoice' });
const returning = { ifExists: { then: 'return' } };

/** Creates an invoice to copy, and another with the number the copy would get. */
async function two(customer = 'CUST0002', total = 900) {
  const mine = await invoice('CUST0001', 'A-1', 100);
  return { mine, other: await invoice(customer, 'INV-5', total) };
}

describe('a copy with the number of another invoice', () => {
  test('creates the copy if the other invoice belongs to another customer', async () => {
    const { mine, other } = await two();
    const { items } = await run(copyOf(mine, returning));
    expect(items[0]?.json).toMatchObject({ customer_id: 'CUST0001', amt_tran: 100 });
    expect(items[0]?.json.found_at_service).toBeUndefined();
    expect(items[0]?.json.invoice_id).not.toBe(other);
    expect(copied()).toHaveLength(1);
  });

  test("refuses the copy if the same customer's invoice has another total", async () => {
    const { mine, other } = await two('CUST0001');
    const { errors } = await run(copyOf(mine, returning));
    expect(errorOf(errors[0])).toMatchObject({
      outcome: 'invalid',
      message: expect.stringMatching(`^A matching record may already exist: \\S+ ${asText(other)} is in`) as string,
    });
    expect(copied()).toEqual([]);
  });

  test('returns the existing invoice if its customer and total match', async () => {
    const { mine } = await two();
    const [first, again] = [await run(copyOf(mine, returning)), await run(copyOf(mine, returning))];
    expect(again.items[0]?.json).toMatchObject({
      invoice_id: first.items[0]?.json.invoice_id,
      found_at_service: expect.stringMatching(/^same customer, total and number as the original/) as string,
    });
    expect(copied()).toHaveLength(1);
  });

  test("sends nothing if the original invoice can't be read", async () => {
    const { mine } = await two();
    sandbox.control.addFault({ kind: 'status', status: 403, code: 6, operationId: 'getInvoiceDetail' });
    const { errors } = await run(copyOf(mine, returning));
    expect(errorOf(errors[0]).message).toContain('could not read the records of the service, so nothing was sent');
    expect(copied()).toEqual([]);
  });

  test.each([
    ['a lost answer', 'reset_before_apply' as const, ['unknown']],
    ['an applied one', 'reset_after_apply' as const, ['CUST0001']],
  ])("doesn't confuse the other invoice with the copy after %s", async (_, kind, became) => {
    const { mine } = await two();
    sandbox.control.addFault({ kind, operationId: 'copyInvoice' });
    const { items, errors } = await run(copyOf(mine));
    const what = [...items.map(({ json }) => json.customer_id), ...errors.map((item) => errorOf(item).outcome)];
    expect(what).toEqual(became);
    expect(copied()).toHaveLength(1);
  });

  test("doesn't confuse the other invoice with the copy in a retry", async () => {
    const { mine } = await two();
    sandbox.control.addFault({ kind: 'reset_before_apply', operationId: 'copyInvoice' });
    const failed = await run(copyOf(mine), [{}], { looksUp: false });
    const { errors } = await run(copyOf(mine), [{}], { retryOf: failed.run });
    expect(errorOf(errors[0])).toMatchObject({ outcome: 'unknown' });
  });
});
