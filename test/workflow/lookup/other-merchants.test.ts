import type { IDataObject } from 'n8n-workflow';

import { timeIsSimulated } from '../../simulated-time';
import { benchOf, sandboxForFile, toErrors } from '../bench';

timeIsSimulated();
const sandbox = sandboxForFile();

const OTHER = { additionalFields: { merchant_id: '100000000002' } };
const CARD = { paymentMethod: 'card', card_number: '4111111111111111', exp_date: '12/35' };
const money = (operation: string, more: IDataObject) => ({ resource: 'transaction', operation, amt_tran: 5, ...more });
const { run, applied, lose } = benchOf(sandbox, { looksUp: true, ...toErrors });
const sold = async () => (await run(money('sale', { ...CARD, ...OTHER }))).items[0]?.json.pg_id;

/** The payments that the interface lets the node send for another merchant. */
const PAYMENTS: Array<[string, () => Promise<IDataObject>]> = [
  ['sale', async () => await Promise.resolve(CARD)],
  ['authorize', async () => await Promise.resolve(CARD)],
  ['credit', async () => await Promise.resolve(CARD)],
  ['force', async () => await Promise.resolve({ ...CARD, auth_code: 'T12345' })],
  ['refund', async () => ({ pg_id: await sold() })],
  ['recharge', async () => ({ pg_id: await sold() })],
];

test.each(PAYMENTS)('an unknown %s of another merchant is not sent again', async (operation, more) => {
  const parameters = money(operation, { ...(await more()), ...OTHER });
  const before = applied(operation);
  lose(operation);
  const failed = await run(parameters, [{}], { onError: undefined });
  expect(failed.error?.description).not.toContain('had checked the transaction report');
  const again = await run({ ...parameters, options: { unknownOutcome: 'resend' } }, [{}], { retryOf: failed.run });
  expect(again.errors.map(({ json }) => (json.error as IDataObject).outcome)).toEqual(['unknown']);
  expect(applied(operation) - before).toBe(1);
});

test("a record of the credential's merchant is not the result of another merchant's payment", async () => {
  const purchase = { purchase_id: 'INV-77' };
  await run(money('sale', { ...CARD, additionalFields: purchase }));
  lose('sale', 'before');
  const { items } = await run(money('sale', { ...CARD, additionalFields: { ...purchase, ...OTHER.additionalFields } }));
  expect(items).toEqual([]);
});
