import type { IDataObject } from 'n8n-workflow';

import { benchOf, sandboxForFile } from '../bench';

const sandbox = sandboxForFile({ seed: false });
const { run } = benchOf(sandbox, { parameters: { resource: 'transaction' } });

const MONEY_OUT = ['refund', 'credit', 'payout'];

test('with Money Moved, the sum of the report is the money that moved', async () => {
  sandbox.control.addCustomers(1);
  const card = { paymentMethod: 'customerCard', customer_id: 'CUST0001' };
  const made = async (operation: string, parameters: object): Promise<string> => {
    const { items, error } = await run({ operation, ...parameters });
    expect(error).toBeUndefined();
    return items[0]?.json.pg_id as string;
  };
  const charge = async (operation: string, amt_tran: number) => await made(operation, { ...card, amt_tran });
  const settled = await charge('sale', 100);
  sandbox.control.closeBatch();
  sandbox.control.sendDeposits();
  await made('refund', { pg_id: settled, amt_tran: 30 });
  const reduced = await charge('sale', 40);
  await made('refund', { pg_id: reduced, amt_tran: 15 });
  const voided = await charge('sale', 20);
  await made('refund', { pg_id: voided, amt_tran: 20 });
  const authorized = await charge('authorize', 50);
  await made('capture', { pg_id: authorized, amt_tran: 50 });
  await charge('authorize', 60);

  const report = async (parameters: object) => {
    const { items } = await run({ resource: 'report', operation: 'getTransactions', returnAll: true, ...parameters });
    return items.map(({ json }) => json);
  };
  const isOut = ({ request_type, tran_status }: IDataObject) =>
    MONEY_OUT.includes(request_type as string) || (request_type === 'capture' && tran_status === 'V');
  const signed = (row: IDataObject) => (isOut(row) ? -1 : 1) * (row.amt_tran as number);
  const sum = (rows: IDataObject[]) => rows.reduce((total, row) => total + signed(row), 0);
  const moved = await report({ moneyMoved: true });
  expect(moved.map(({ request_type, amt_tran }) => [request_type, amt_tran]).sort()).toEqual([
    ['capture', 15],
    ['capture', 50],
    ['refund', 30],
    ['sale', 100],
    ['sale', 40],
  ]);
  expect(sum(moved)).toBe(100 - 30 + (40 - 15) + 50);
  expect((await report({})).length).toBeGreaterThan(moved.length);
});
