import { withGivenIds } from '../../../nodes/PaymentPlatform/output/format-record';
import { resources } from '../../../nodes/PaymentPlatform/resources';
import type { FieldValues } from '../../../nodes/PaymentPlatform/model/types';

const operationAt = (path: string) => {
  const [resource, operation] = path.split('.');
  const found = resources.find(({ value }) => value === resource)?.operations.find(({ value }) => value === operation);
  if (!found) throw new Error(path);
  return found;
};
const given = (path: string, record: object, values: Partial<FieldValues>) =>
  Object.entries(
    withGivenIds(operationAt(path), { ...record }, { path: {}, query: {}, body: {}, node: {}, ...values }),
  );

test('adds IDs of the path first and references of the body last', () => {
  const sale = '426351789012345678';
  expect(
    given(
      'transaction.refund',
      { what_happened: 'w', pg_id: 'r1' },
      { path: { pgIdOrig: sale }, body: { amt_tran: 5 } },
    ),
  ).toEqual([
    ['what_happened', 'w'],
    ['pg_id_linked', sale],
    ['pg_id', 'r1'],
    ['amt_tran', 5],
  ]);
  expect(given('payee.updateAccount', { type_id: 'C' }, { path: { payee_id: 'P1' } })).toEqual([
    ['payee_id', 'P1'],
    ['type_id', 'C'],
  ]);
});

test("prefers the service's IDs to the sent IDs", () => {
  const values = { path: { invoice_id: '1' }, body: { amt_paid: 5 } };
  expect(given('invoice.addPayment', { invoice_id: 1, amt_paid: 5 }, values)).toEqual([
    ['invoice_id', 1],
    ['amt_paid', 5],
  ]);
  expect(given('subscription.create', { recur_amt: 9 }, { body: { amt_tran: 9 } })).toEqual([['recur_amt', 9]]);
});

test.each([
  [undefined, undefined],
  [25, undefined],
  [26, undefined],
  ['x', undefined],
  [10, 10],
])('a partial approval of 25 with the amount %j shows the amount %j', (shown, amount) => {
  const values = { body: { amt_tran: 25 } };
  for (const path of ['transaction.sale', 'transaction.recharge']) {
    const record = Object.fromEntries(given(path, { rcode: '010', pg_id: 'p', amt_tran: shown }, values));
    expect(record.amt_tran).toBe(amount);
  }
  expect(given('transaction.sale', { rcode: '000' }, values)).toContainEqual(['amt_tran', 25]);
  expect(given('report.getTransactions', { rcode: '010', amt_tran: 25 }, {})).toContainEqual(['amt_tran', 25]);
  expect(given('api.request', { rcode: '010', amt_tran: 25 }, values)).toContainEqual(['amt_tran', 25]);
});

test('adds no IDs to reads and API requests', () => {
  expect(given('checkout.get', {}, { path: { checkoutId: 'c1' } })).toEqual([]);
  expect(given('api.request', {}, { body: { customer_id: 'C1' } })).toEqual([]);
});
