import { simplified } from '../../nodes/PaymentPlatform/pipeline/given-ids';
import { inMoney, inRow, whatHappened, withWords } from '../../nodes/PaymentPlatform/pipeline/in-words';
import type { FieldValues, Operation } from '../../nodes/PaymentPlatform/pipeline/types';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { operationOf } from './requests';

const operation = (name: string): Operation => {
  const [resource, value] = name.split('.');
  const found = resources.find((one) => one.value === resource)?.operations.find((one) => one.value === value);
  if (!found) throw new Error(name);
  return found;
};
const values = (more: Partial<FieldValues>): FieldValues => ({ path: {}, query: {}, body: {}, node: {}, ...more });
const said = (name: string, record: object, more: Partial<FieldValues>) =>
  whatHappened(operation(name), record as never, values(more)).what_happened;

describe('what happened is said in words', () => {
  const refund = (rmsg: string) =>
    said('transaction.refund', { rmsg }, { path: { pgIdOrig: 'p' }, body: { amt_tran: 5 } });

  test('of a refund, which of the three it was, how much, and what is left where that is known', () => {
    expect(refund('Transaction voided')).toBe(
      'Voided the whole sale of 5.00, which was not settled yet: the customer is not charged. Nothing of it is left to refund.',
    );
    expect(refund('Capture Amount Reduced')).toMatch(/^Reduced the sale by 5\.00 before it was settled: .* Get Many/);
    expect(refund('Refund request accepted')).toMatch(/^Refunded 5\.00 to the customer\. What is left /);
    expect(refund('')).toMatch(/^Refunded 5\.00/);
  });

  test('of an invoice, that it is not sent yet', () => {
    const body = { invoice_number: 'X-2', customer_id: 'C1' };
    expect(said('invoice.create', { invoice_id: 7, amt_tran: 1045 }, { body })).toBe(
      'Created invoice X-2 over 1045.00 for customer C1. It was not sent yet: use Send.',
    );
    // The editor's date box drops what it can't read: the day that counts is told.
    expect(said('invoice.create', { invoice_number: 'X-2', date_due: '2026-11-22T00:00:00.000Z' }, { body })).toBe(
      'Created invoice X-2 for customer C1, due on 2026-11-22. It was not sent yet: use Send.',
    );
    expect(said('invoice.create', {}, { body: { customer_id: 'C1' } })).toMatch(/^Created invoice for customer C1\./);
  });

  test('of sending, to whom', () => {
    const body = { email_address: ['a@example.com', 'b@example.com'], phone_number: [12025550143] };
    expect(said('invoice.send', {}, { path: { invoice_id: '7001' }, body })).toBe(
      'Sent invoice 7001 by email to a@example.com and b@example.com, and by text message to +12025550143.',
    );
  });

  test('of a payment, that PAID is not said of the invoice', () => {
    const more = { path: { invoice_id: '7001' }, body: { type: 'CHECK', amt_paid: 4 } };
    expect(said('invoice.addPayment', { status: 'PAID' }, more)).toBe(
      'Recorded a payment of 4.00 by check on invoice 7001. PAID is the status of this payment; the invoice may have a rest to pay.',
    );
    expect(said('invoice.addPayment', {}, { ...more, body: { type: 'OTHER', amt_paid: 4 } })).toBe(
      'Recorded a payment of 4.00 on invoice 7001.',
    );
  });

  test('of a subscription, what is charged, when, and what became of its one-time fee', () => {
    const record = {
      subscription_id: 7,
      status: 'A',
      recur_amt: 39.5,
      plan_frequency: 3,
      date_next: '2026-05-04T00:00:00Z',
    };
    const made = 'Created subscription 7 over 39.50 monthly. The next payment is due on 2026-05-04.';
    const body = { amt_setup: 25 };
    expect(said('subscription.create', record, { body })).toBe(
      `${made} What became of the one-time fee of 25.00 is not told: look for its sale in Report > Get Many Transactions.`,
    );
    expect(said('subscription.create', { ...record, response: { rcode: '000' } }, { body })).toBe(
      `${made} The one-time fee of 25.00 was charged.`,
    );
    const canceled = { ...record, status: 'C', response: { rcode: '005', rmsg: 'Decline' } };
    expect(said('subscription.create', canceled, { body })).toBe(
      'Created subscription 7 over 39.50 monthly, which is canceled. The one-time fee of 25.00 was not charged in full: Decline.',
    );
  });

  test('of every write, and of records that have nothing in them', () => {
    const writes = resources.flatMap((one) => one.operations).filter(({ request }) => request.effect !== 'reads');
    const silent = writes.filter((one) => !one.says && one.request.operationId !== undefined);
    expect(silent.map(({ action }) => action)).toEqual([]);
    for (const one of writes)
      if (one.says) expect(whatHappened(one, {}, values({})).what_happened).toMatch(/^[A-Z].*\.$/);
  });
});

test('what the node can not word is no failure', () => {
  const broken = { says: () => JSON.parse('{') as string } as unknown as Operation;
  expect(whatHappened(broken, {}, values({}))).toEqual({});
});

test('the words for a code stand right behind it; an unknown code and other fields have none', () => {
  expect(Object.entries(withWords({ tran_status: 'P', amt_tran: 1 }, 'getTransactionRequests'))).toEqual([
    ['tran_status', 'P'],
    ['tran_status_text', 'deposit sent'],
    ['amt_tran', 1],
  ]);
  expect(withWords({ tran_status: 'z', rcode: '000' }, 'getTransactionRequests')).toEqual({
    tran_status: 'z',
    rcode: '000',
  });
  expect(withWords({ status: 'A' }, undefined)).toEqual({ status: 'A' });
});

const NOTHING_GIVEN = { path: {}, query: {}, body: {}, node: {} };

test('a simplified record begins with what happened and keeps the words of its codes', () => {
  const record = { other: 1, tran_status: 'P', what_happened: 'w', pg_id: 'p1' };
  const own = operationOf({ simplified: ({ pg_id, tran_status }) => ({ tran_status, pg_id }) });
  const shown = simplified(own, record, NOTHING_GIVEN);
  expect(Object.entries(withWords(shown, 'getTransactionRequests'))).toEqual([
    ['what_happened', 'w'],
    ['tran_status', 'P'],
    ['tran_status_text', 'deposit sent'],
    ['pg_id', 'p1'],
  ]);
  expect(simplified(operationOf({}), record, NOTHING_GIVEN)).toBe(record);
});

test.each([
  [5, '5.00'],
  ['12.5', '12.50'],
  ['', ''],
  [undefined, ''],
  ['much', 'much'],
])('the amount %j is written %j', (amount, text) => {
  expect(inMoney(amount)).toBe(text);
});

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b', 'c'], 'a, b and c'],
])('%j in a row is %j', (texts, text) => {
  expect(inRow(texts)).toBe(text);
});
