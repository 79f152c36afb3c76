import { simplified } from '../../../nodes/PaymentPlatform/output/given-ids';
import { inMoney, inRow, whatHappened, withWords } from '../../../nodes/PaymentPlatform/messages/what-happened';
import type { FieldValues, Operation } from '../../../nodes/PaymentPlatform/model/types';
import { resources } from '../../../nodes/PaymentPlatform/resources';
import { operationOf } from '../requests';

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
      'Voided the whole sale of 5.00 before it was settled, so the customer is not charged. Nothing is left to refund.',
    );
    expect(refund('Capture Amount Reduced')).toMatch(/^Reduced the sale by 5\.00 before it was settled, .* Get Many/);
    expect(refund('Refund request accepted')).toMatch(
      /^Refunded 5\.00 to the customer\. Report > Get Many Transactions shows how much /,
    );
    expect(refund('')).toMatch(/^Refunded 5\.00/);
  });

  test('of an invoice, that it is not sent yet', () => {
    const DRAFT = 'The invoice is a draft until you send it with Invoice > Send.';
    const body = { invoice_number: 'X-2', customer_id: 'C1', billing_contact: {} };
    expect(said('invoice.create', { invoice_id: 7, amt_tran: 1045 }, { body })).toBe(
      `Created invoice X-2 for 1045.00 USD to customer C1. ${DRAFT}`,
    );
    // The editor's date box drops what it can't read: the day that counts is told.
    expect(said('invoice.create', { invoice_number: 'X-2', date_due: '2026-11-22T00:00:00.000Z' }, { body })).toBe(
      `Created invoice X-2 to customer C1, due on 2026-11-22. ${DRAFT}`,
    );
    expect(said('invoice.create', {}, { body: { customer_id: 'C1' } })).toMatch(/^Created invoice to customer C1\./);
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
      'Recorded a payment of 4.00 USD by check on invoice 7001. The status PAID refers to this payment. The invoice can still have a balance.',
    );
    expect(said('invoice.addPayment', {}, { ...more, body: { type: 'OTHER', amt_paid: 4 } })).toBe(
      'Recorded a payment of 4.00 USD on invoice 7001.',
    );
  });

  test('of a subscription, what is charged, when, and what became of its one-time fee', () => {
    const record = {
      subscription_id: 7,
      status: 'A',
      recur_amt: 39.5,
      plan_frequency: 3,
      ...{ customer_id: 'C1', customer_first_name: 'Ana', customer_last_name: 'Silva' },
      date_next: '2026-05-04T00:00:00Z',
    };
    const made =
      'Created subscription 7 for customer Ana Silva (C1) at 39.50 USD a month. The next payment is due on 2026-05-04.';
    const body = { amt_setup: 25 };
    expect(said('subscription.create', record, { body })).toBe(
      `${made} The service doesn't say whether the one-time fee of 25.00 USD was charged. Look for its sale in Report > Get Many Transactions.`,
    );
    expect(said('subscription.create', { ...record, response: { rcode: '000' } }, { body })).toBe(
      `${made} The one-time fee of 25.00 USD was charged.`,
    );
    const canceled = { ...record, status: 'C', response: { rcode: '005', rmsg: 'Decline' } };
    expect(said('subscription.create', canceled, { body })).toBe(
      'Created subscription 7 for customer Ana Silva (C1) at 39.50 USD a month. The subscription is canceled. The one-time fee of 25.00 USD was not charged in full: Decline.',
    );
  });

  test.each([
    [{ plan_frequency: 0, interval: 2 }, '49.99 USD every 2 weeks'],
    [{ plan_frequency: 0, interval: 1 }, '49.99 USD a week'],
    [{ plan_frequency: 1 }, '49.99 USD every 2 weeks'],
    [{ plan_frequency: 3, interval: 6 }, '49.99 USD every 6 months'],
    [{ plan_frequency: 4 }, '49.99 USD every 3 months'],
    [{ plan_frequency: 6, tran_currency: '978' }, '49.99 EUR a year'],
    [{ plan_frequency: 7 }, '49.99 USD a day'],
    [{}, '49.99 USD'],
  ])('of a subscription and a plan with %j, the interval and the currency', (terms, words) => {
    const at = (name: string, amount: string) => said(name, { ...terms, [amount]: 49.99 }, { body: {} });
    expect(at('subscription.create', 'recur_amt')).toContain(` at ${words}.`);
    expect(at('plan.create', 'amt_tran')).toContain(` at ${words}.`);
  });

  test.each([
    ['payment', { amt_tran: 5 }, 'to pay 5.00 EUR'],
    ['paymentAndSave', { amt_tran: 5 }, 'to pay 5.00 EUR and save the payment method'],
    ['paymentWithSaved', { amt_tran: 5 }, 'to pay 5.00 EUR with a saved payment method or a new one'],
    ['saveMethod', {}, 'to save a payment method'],
    ['addMethod', {}, 'to add a payment method'],
    ['updateMethod', {}, 'to update a payment method'],
  ])('of a checkout link, its purpose %s and its customer', (purpose, amount, words) => {
    const body = { customer_id: 'C1', ...amount };
    expect(said('checkout.create', { tran_currency: '978' }, { body, node: { purpose } })).toBe(
      `Created a checkout link for customer C1 ${words}. The node did not send the link to the customer. The link works until it is used.`,
    );
  });

  test('of Create or Update, whether the record was created, updated or left alone', () => {
    const ana = { customer_id: 'C1', customer_first_name: 'Ana', customer_last_name: 'Silva' };
    const gold = { plan_code: 'GOLD', plan_id: 2, amt_tran: 5, plan_frequency: 3 };
    const all = (name: string, record: object, path: FieldValues['path']) =>
      (['sent', 'unchanged', 'found'] as const).map(
        (came) => whatHappened(operation(name), record as never, values({ path }), came).what_happened,
      );
    expect(all('customer.upsert', ana, {})).toEqual([
      'Created customer Ana Silva (C1). Nothing was charged.',
      'Left customer Ana Silva (C1) unchanged, because the record already has these values. Nothing was sent.',
      'Created or updated customer Ana Silva (C1). Nothing was charged.',
    ]);
    expect(all('customer.upsert', ana, { customer_id: 'C1' })[0]).toMatch(/^Updated customer Ana Silva \(C1\)\./);
    expect(all('plan.upsert', gold, {})).toEqual([
      'Created plan GOLD at 5.00 USD a month. Nothing was charged.',
      'Left plan GOLD at 5.00 USD a month unchanged, because it already has these values. Nothing was sent.',
      'Created or updated plan GOLD at 5.00 USD a month. Nothing was charged.',
    ]);
    expect(all('plan.upsert', gold, { plan_id: '2' })[0]).toMatch(/^Updated plan GOLD /);
  });

  test('of every write, and of records that have nothing in them', () => {
    const writes = resources.flatMap((one) => one.operations).filter(({ request }) => request.effect !== 'reads');
    const silent = writes.filter((one) => !one.summary && one.request.operationId !== undefined);
    expect(silent.map(({ action }) => action)).toEqual([]);
    for (const one of writes)
      if (one.summary) expect(whatHappened(one, {}, values({})).what_happened).toMatch(/^[A-Z].*\.$/);
  });
});

test('what the node can not word is no failure', () => {
  const broken = { summary: () => JSON.parse('{') as string } as unknown as Operation;
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
