import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { sandboxForFile } from '../bench';
import { runWorkflow, type RunInput } from '../harness';
import { idOf } from '../writes';

const sandbox = sandboxForFile({ seed: false });

const run = async (parameters: INodeParameters, rows: IDataObject[] = [{}], more: Partial<RunInput> = {}) =>
  await runWorkflow({
    rows,
    parameters: { resource: 'transaction', ...parameters },
    credential: credentialFor(sandbox),
    ...more,
  });
const posts = () => sandbox.control.journal().filter(({ method }) => method === 'POST');
const goOn: Partial<RunInput> = { onError: 'continueErrorOutput' };
const capturedSale = (amountCents = 1000) => sandbox.control.addCapturedSales({ count: 1, amountCents })[0] ?? '';

describe('the settled transactions', () => {
  const list: INodeParameters = { operation: 'getAll', returnAll: true };

  test('add up to the settlements of their batches, with refunds below zero', async () => {
    sandbox.control.addCustomers(1);
    const sale = capturedSale();
    capturedSale(550);
    sandbox.control.closeBatch();
    sandbox.control.sendDeposits();
    await run({ operation: 'refund', pg_id: idOf(sale), amt_tran: 4 });
    capturedSale(200);
    expect((await run(list)).items.map(({ json }) => json.amt_tran)).toEqual([10, 5.5]);
    sandbox.control.closeBatch();
    const { items, error } = await run({ ...list, sorting: { order_on: 'rec_id', order_by: 'asc' } });
    expect(error).toBeUndefined();
    expect(items.map(({ json }) => json.amt_tran)).toEqual([10, 5.5, -4, 2]);
    const settled = await run({ resource: 'report', operation: 'getSettlements', returnAll: true });
    const net = settled.items.map(({ json }) => Number(json.amt_purch) - Number(json.amt_return));
    expect(net.toSorted((a, b) => a - b)).toEqual([-2, 15.5]);
  });

  test('have the main fields with Simplify, and all fields without', async () => {
    sandbox.control.addCustomers(1);
    const pg_id = capturedSale();
    sandbox.control.closeBatch();
    const [simple] = (await run({ ...list, simplify: true })).items;
    expect(simple?.json).toMatchObject({ pg_id, amt_tran: 10 });
    expect(['Visa', 'Mastercard']).toContain(simple?.json.card_type_text);
    expect(simple?.json).not.toHaveProperty('merch_zip');
    const [whole] = (await run({ ...list, simplify: false })).items;
    expect(whole?.json.merch_zip).toBe('97477');
    expect(whole?.json.settle_date).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});

describe('emailing a receipt', () => {
  const email: INodeParameters = {
    operation: 'emailReceipt',
    pg_id: idOf('={{ $json.id }}'),
    email_address: 'ana@example.com',
  };
  const mailed = () => sandbox.control.state().notices.map(({ pg_id }) => pg_id);
  beforeEach(() => sandbox.control.addCustomers(1));

  test('sends the receipts of successful transactions and explains why others have none', async () => {
    const [good, declined] = [capturedSale(), capturedSale(5)];
    const { items, errors } = await run(email, [{ id: good }, { id: declined }], goOn);
    expect(items.map(({ json }) => json)).toMatchObject([
      { pg_id: good, what_happened: 'Sent the receipt by email to ana@example.com.' },
    ]);
    expect(errors.map(({ json }) => (json.error as IDataObject).message)).toEqual([
      expect.stringContaining('This transaction was not successful, so it has no receipt'),
    ]);
    expect(mailed()).toEqual([good]);
  });

  test('is not repeated if the response is lost', async () => {
    const id = capturedSale();
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'emailReceipt', calls: [1] });
    const { errors } = await run(email, [{ id }], { ...goOn, settings: { retryOnFail: true, maxTries: 3 } });
    expect(errors).toMatchObject([{ json: { error: { outcome: 'unknown' } } }]);
    expect(posts()).toHaveLength(1);
    expect(mailed()).toEqual([id]);
  });
});
