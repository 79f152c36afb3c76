import { simplified } from '../../../nodes/PaymentPlatform/output/format-record';
import { inMoney, inRow, whatHappened, withWords } from '../../../nodes/PaymentPlatform/messages/what-happened';
import type { FieldValues, Operation } from '../../../nodes/PaymentPlatform/model/types';
import { resources } from '../../../nodes/PaymentPlatform/resources';
import { RECORD_FIELDS } from '../../../nodes/PaymentPlatform/wire/records';
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

describe('the summary of a write', () => {
  const refund = (rmsg: string) =>
    said('transaction.refund', { rmsg }, { path: { pgIdOrig: 'p' }, body: { amt_tran: 5 } });

  test('states the kind and amount of a refund', () => {
    expect(refund('Transaction voided')).toBe(
      'Refunded 5.00 in the currency of the sale by voiding the sale before settlement.',
    );
    expect(refund('Capture Amount Reduced')).toBe(
      'Refunded 5.00 in the currency of the sale by reducing the sale before settlement.',
    );
    expect(refund('Refund request accepted')).toBe('Refunded 5.00 in the currency of the sale to the customer.');
    expect(refund('')).toMatch(/^Refunded 5\.00/);
  });

  test('states the customer and amount of a draft invoice', () => {
    const body = { invoice_number: 'X-2', customer_id: 'C1', billing_contact: {} };
    expect(said('invoice.create', { invoice_id: 7, amt_tran: 1045 }, { body })).toBe(
      'Created draft invoice X-2 for 1045.00 USD for customer C1.',
    );
    expect(said('invoice.create', { invoice_number: 'X-2', date_due: '2026-11-22T00:00:00.000Z' }, { body })).toBe(
      'Created draft invoice X-2 for customer C1, due 2026-11-22.',
    );
    expect(said('invoice.create', {}, { body: { customer_id: 'C1' } })).toBe(
      'Created draft invoice for customer C1 without a recipient.',
    );
  });

  test('states the recipient of an invoice or the number of recipients', () => {
    const body = { email_address: ['a@example.com', 'b@example.com'], phone_number: [12025550143] };
    expect(said('invoice.send', {}, { path: { invoice_id: '7001' }, body })).toBe(
      'Sent invoice 7001 by email to 2 recipients, text message requested for +12025550143.',
    );
  });

  test.each([12025550143, 14165550143, 442079460018])(
    "doesn't claim that %s received a text message, because no response says so",
    (phone) => {
      expect(said('invoice.send', {}, { path: { invoice_id: '7001' }, body: { phone_number: [phone] } })).toBe(
        `Sent invoice 7001, text message requested for +${phone}.`,
      );
    },
  );

  test('states a payment without calling the invoice paid', () => {
    const more = { path: { invoice_id: '7001' }, body: { type: 'CHECK', amt_paid: 4 } };
    expect(said('invoice.addPayment', { status: 'PAID' }, more)).toBe(
      'Recorded a payment of 4.00 USD by check on invoice 7001, but a balance may remain.',
    );
    expect(said('invoice.addPayment', {}, { ...more, body: { type: 'OTHER', amt_paid: 4 } })).toBe(
      'Recorded a payment of 4.00 USD on invoice 7001.',
    );
  });

  test('states the price of a subscription or the outcome of its one-time fee', () => {
    const record = {
      subscription_id: 7,
      status: 'A',
      recur_amt: 39.5,
      plan_frequency: 3,
      ...{ customer_id: 'C1', customer_first_name: 'Ana', customer_last_name: 'Silva' },
      date_next: '2026-05-04T00:00:00Z',
    };
    const body = { amt_setup: 25 };
    expect(said('subscription.create', record, { body: {} })).toBe(
      'Created subscription 7 for Ana Silva (C1) at 39.50 USD a month.',
    );
    const first = { ...record, date_start: '2026-05-04', customer_first_name: 'Jo', customer_last_name: 'Li' };
    expect(said('subscription.create', first, { body: {} })).toBe(
      'Created subscription 7 for Jo Li (C1) at 39.50 USD a month, first payment on 2026-05-04.',
    );
    const long = { ...first, customer_first_name: 'Maximiliana' };
    expect(said('subscription.create', long, { body: {} })).toBe(
      'Created subscription 7 for C1 at 39.50 USD a month, first payment on 2026-05-04.',
    );
    const longest = { ...long, subscription_id: 31_001, customer_id: 'CUST0001', recur_amt: 139.5 };
    expect(said('subscription.create', longest, { body: {} })).toBe(
      'Created subscription for CUST0001 at 139.50 USD a month, first payment on 2026-05-04.',
    );
    expect(said('subscription.create', { ...first, date_start: '2026-04-04' }, { body: {} })).toBe(
      'Created subscription 7 for Jo Li (C1) at 39.50 USD a month.',
    );
    expect(said('subscription.create', record, { body })).toBe(
      'Created subscription 7 for C1 at 39.50 USD a month; check the fee of 25.00 USD.',
    );
    expect(said('subscription.create', { ...record, response: { rcode: '000' } }, { body })).toBe(
      'Created subscription 7 for C1 at 39.50 USD a month, fee of 25.00 USD charged.',
    );
    expect(said('subscription.create', { ...record, response: { rcode: '005', rmsg: 'Decline' } }, { body })).toBe(
      'Created subscription 7 for C1 at 39.50 USD a month, fee of 25.00 USD not charged in full.',
    );
    const canceled = { ...record, status: 'C', response: { rcode: '005', rmsg: 'Decline' } };
    expect(said('subscription.create', canceled, { body })).toBe(
      'Created subscription 7 for C1, canceled because the one-time fee was not charged.',
    );
  });

  test.each([
    ...['000', '008', '011', 11, '0Y1', '0y3'].map(
      (rcode) => [rcode, ' and charged the one-time fee of 25.00 USD', ''] as const,
    ),
    ...['004', '085', '998', 999, 'unreadable', ''].map(
      (rcode) => [rcode, '; check whether the one-time fee of 25.00 USD was charged', ''] as const,
    ),
    ['010', ', but the one-time fee of 25.00 USD was not charged in full', ''] as const,
    [
      '005',
      ', but the one-time fee of 25.00 USD was not charged in full',
      ' because the one-time fee was not charged',
    ] as const,
  ])('says only of declined codes that the one-time fee was not charged: %s', (rcode, active, canceled) => {
    const summary = (status: string) =>
      said(
        'subscription.create',
        { subscription_id: 7, status, response: { rcode } },
        { body: { customer_id: 'C1', amt_setup: 25 } },
      );
    expect(summary('A')).toBe(`Created subscription 7 for C1${active}.`);
    expect(summary('C')).toBe(`Created subscription 7 for C1, canceled${canceled}.`);
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
  ])('states the interval and currency of a subscription and a plan with %j', (terms, words) => {
    const at = (name: string, amount: string) => said(name, { ...terms, [amount]: 49.99 }, { body: {} });
    expect(at('subscription.create', 'recur_amt')).toContain(` for ${words}.`);
    expect(at('plan.create', 'amt_tran')).toContain(` for ${words}.`);
  });

  test.each([
    ['payment', { amt_tran: 5 }, 'to pay 5.00 EUR'],
    ['paymentAndSave', { amt_tran: 5 }, 'to pay 5.00 EUR and save the payment method'],
    ['paymentWithSaved', { amt_tran: 5 }, 'to pay 5.00 EUR with a saved payment method'],
    ['saveMethod', {}, 'to save a payment method'],
    ['addMethod', {}, 'to add a payment method'],
    ['updateMethod', {}, 'to update a payment method'],
  ])('states the purpose %s and customer of a checkout link', (purpose, amount, words) => {
    const body = { customer_id: 'C1', ...amount };
    expect(said('checkout.create', { tran_currency: '978' }, { body, node: { purpose } })).toBe(
      `Created a link for customer C1 ${words}.`,
    );
  });

  test.each([
    ['2030-03-01T10:40:00.000-07:00', ', valid until 2030-03-01 18:40 Europe/Berlin'],
    ['2030-03-01T10:40:00.000Z', ', valid until 2030-03-01 11:40 Europe/Berlin'],
    ['2030-03-01T10:40:00', ''],
    [undefined, ''],
  ])('states until when a checkout link with the expiry time %s is valid', (expiry_time, words) => {
    const values = { body: { customer_id: 'C1' }, node: { purpose: 'saveMethod' }, timezone: 'Europe/Berlin' };
    expect(said('checkout.create', { expiry_time }, values)).toBe(
      `Created a link for customer C1 to save a payment method${words}.`,
    );
  });

  test('states whether Create or Update created, updated or kept the record', () => {
    const ana = { customer_id: 'C1', customer_first_name: 'Ana', customer_last_name: 'Silva' };
    const gold = { plan_code: 'GOLD', plan_id: 2, amt_tran: 5, plan_frequency: 3 };
    const all = (name: string, record: object, path: FieldValues['path']) =>
      (['sent', 'unchanged', 'found'] as const).map(
        (came) => whatHappened(operation(name), record as never, values({ path }), came).what_happened,
      );
    expect(all('customer.upsert', ana, {})).toEqual([
      'Created customer Ana Silva (C1).',
      'No change was sent, because customer Ana Silva (C1) already has these values.',
      'Created or updated customer Ana Silva (C1).',
    ]);
    expect(all('customer.upsert', ana, { customer_id: 'C1' })[0]).toMatch(/^Updated customer Ana Silva \(C1\)\./);
    expect(all('plan.upsert', gold, {})).toEqual([
      'Created plan GOLD for 5.00 USD a month.',
      'No change was sent, because plan GOLD already has these values.',
      'Created or updated plan GOLD for 5.00 USD a month.',
    ]);
    expect(all('plan.upsert', gold, { plan_id: '2' })[0]).toMatch(/^Updated plan GOLD /);
  });

  test('writes a summary for every write and for empty records', () => {
    const writes = resources.flatMap((one) => one.operations).filter(({ request }) => request.effect !== 'reads');
    const silent = writes.filter((one) => !one.summary && one.request.operationId !== undefined);
    expect(silent.map(({ action }) => action)).toEqual([]);
    for (const one of writes)
      if (one.summary) expect(whatHappened(one, {}, values({})).what_happened).toMatch(/^[A-Z].*\.$/);
  });
});

const RECORD = {
  ...{ customer_id: 'CUST0001', customer_first_name: 'Ana', customer_last_name: 'Silva' },
  ...{ invoice_id: '100234', invoice_number: 'INV-1001', date_due: '2026-11-22', date_notice: '2026-11-22' },
  ...{ amt_tran: 1045, amt_paid: 1045, recur_amt: 1045, amt_dispute: 1045, plan_frequency: 4, tran_currency: '978' },
  ...{ subscription_id: '31001', plan_code: 'MONTHLY25', plan_id: '402', reason_code: '10.4', reason_desc: 'Fraud' },
};
const GIVEN = {
  path: {
    ...{ customer_id: 'CUST0001', invoice_id: '100234', payment_id: '8101', payee_id: '9001', plan_id: '401' },
    ...{ subscription_id: '31001', pgIdOrig: '426351789012345678', webhook_id: '21001', event: 'invoice_paid' },
    ...{ recId: '9101', request_id: '6001' },
  },
  body: {
    ...{ customer_id: 'CUST0001', invoice_number: 'INV-1001', amt_tran: 1045, amt_paid: 1045, type: 'CHECK' },
    ...{ email_address: ['ana@example.com', 'ben@example.com'], phone_number: [12025550143], data: [{}, {}] },
    ...{ name: 'salesperson', value: 'Ana Silva', label: 'Paid invoices to CRM', events: ['invoice_paid'] },
    ...{
      card_id: 'cVbF2jXW1zHb',
      date_start: '2026-05-04',
      profile_id: '1',
      dba_suffix: 'END TRIAL',
      plan_code: 'MONTHLY25',
    },
  },
};
const VARIANTS = [
  ...['A', 'C', 'S', 'PAID', 'OUTSTANDING'].map((status) => ({ record: { status }, body: {} })),
  ...['000', '005'].flatMap((rcode) =>
    ['A', 'C'].map((status) => ({ record: { status, response: { rcode } }, body: { amt_setup: 1045 } })),
  ),
  { record: {}, body: { amt_setup: 1045, dba_suffix: undefined, card_id: '' } },
  { record: {}, body: { date_start: undefined, profile_id: undefined } },
  { record: { billing_contact: { email_address: 'ana.silva@example.com' } }, body: {} },
  ...['Transaction voided', 'Capture Amount Reduced'].map((rmsg) => ({ record: { rmsg }, body: {} })),
];
const PURPOSES = ['payment', 'paymentAndSave', 'paymentWithSaved', 'saveMethod', 'addMethod', 'updateMethod'];

function sentencesOf(
  one: Operation,
  known: (name: string, place: 'record' | 'body') => boolean = () => true,
): string[] {
  const only = (given: object, place: 'record' | 'body') =>
    Object.fromEntries(Object.entries(given).filter(([name]) => known(name, place)));
  const all = VARIANTS.flatMap(({ record, body }) =>
    (['sent', 'unchanged', 'found'] as const).flatMap((came) =>
      PURPOSES.flatMap((purpose) =>
        [one, one.footprint?.summary ? { summary: one.footprint.summary } : one].map((told) => {
          const isFound = told !== one;
          const node = { purpose, dispute: RECORD, payee_name: 'Acme', dda_number: 'xxxx1117' };
          const given = values({ path: GIVEN.path, body: only({ ...GIVEN.body, ...body }, 'body'), node });
          const shown = { ...RECORD, ...record };
          const answered = isFound ? shown : only(shown, 'record');
          return whatHappened(told as Operation, answered as never, given, came).what_happened;
        }),
      ),
    ),
  );
  return [...new Set(all)].filter((text) => typeof text === 'string');
}

const OPERATIONS = resources.flatMap(({ operations }) => operations);

test('limits the summary of every operation to one sentence of 90 characters', () => {
  const sentences = OPERATIONS.flatMap((one) => sentencesOf(one));
  expect(sentences.length).toBeGreaterThan(60);
  expect(sentences.filter((text) => text.length > 90 || /[.!?] |undefined/.test(text) || !text.endsWith('.'))).toEqual(
    [],
  );
});

describe('the amounts and customers in the summaries of all operations', () => {
  const AMOUNT = /\d+\.\d\d(?!\d)/;
  const bare = (texts: string[], currency: RegExp) =>
    texts.filter((text) => new RegExp(`${AMOUNT.source}(?!${currency.source})`).test(text));

  test('summaries state an amount for every request whose amount the interface specifies', () => {
    const moving = OPERATIONS.filter(({ request: { moves } }) => typeof moves === 'object');
    expect(moving.length).toBeGreaterThan(12);
    expect(
      moving.filter((one) => !sentencesOf(one).some((text) => AMOUNT.test(text))).map(({ action }) => action),
    ).toEqual([]);
  });

  test("summaries state the record's currency after every amount", () => {
    expect(OPERATIONS.flatMap((one) => bare(sentencesOf(one), / EUR\b/))).toEqual([]);
  });

  test('summaries state the currency of the request or the response, or else name its owner', () => {
    const unknown = OPERATIONS.filter((one) => {
      const fields = RECORD_FIELDS[one.request.operationId ?? ''] ?? [];
      const isKnown = (name: string, place: string) => (place === 'record' ? fields.includes(name) : name !== 'x');
      return bare(sentencesOf(one, isKnown), / (?:[A-Z]{3}\b|in (?:its|the same|the) currency)/).length > 0;
    });
    expect(unknown.map(({ action }) => action)).toEqual([
      'Pay out to payee (transaction)',
      'Create several disputes for testing',
    ]);
  });

  test('summaries state the customer, amount and interval of a subscription with and without a one-time fee', () => {
    const texts = sentencesOf(operation('subscription.create')).filter((text) => !text.includes('canceled'));
    expect(texts.length).toBeGreaterThan(3);
    expect(
      texts.filter((text) => !/ for (?:Ana Silva \()?CUST0001\)? at 1045\.00 EUR every 3 months/.test(text)),
    ).toEqual([]);
    expect(texts.filter((text) => text.includes('fee')).length).toBeGreaterThan(2);
  });

  test('summaries name the customer of the record or the request if the sentence has room', () => {
    const silent = OPERATIONS.flatMap((one) => {
      const fields = RECORD_FIELDS[one.request.operationId ?? ''] ?? [];
      const { request } = one;
      const hasCustomer =
        fields.includes('customer_id') || /\{customer_id\}/.test(request.path ?? '') || one.target === 'customer_id';
      const isRead = request.effect === 'reads';
      const texts = hasCustomer && !isRead ? sentencesOf(one) : [];
      const unnamed = texts.filter((text) => !/CUST0001|Ana Silva|ana\.silva@example\.com/.test(text));
      const hasRoom = ({ length }: string) => length + ' of customer CUST0001'.length <= 90;
      return unnamed.length === texts.length ? unnamed : unnamed.filter(hasRoom);
    });
    expect(silent).toEqual([]);
  });
});

test("doesn't fail the item if the summary can't be written", () => {
  const broken = { summary: () => JSON.parse('{') as string } as unknown as Operation;
  expect(whatHappened(broken, {}, values({}))).toEqual({});
});

test('adds the words for a known code right after the code', () => {
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
  const typed = (tran_status: string, request_type = 'capture') =>
    withWords({ request_type, tran_status }, 'getTransactionRequests').request_type_text;
  expect(['V', 'v', 'C'].map((status) => typed(status))).toEqual([
    'refund before settlement, or a voided capture',
    'refund before settlement, or a voided capture',
    'capture',
  ]);
  expect(typed('V', 'sale')).toBe('sale');
  expect(Object.entries(withWords({ rmsg: 'Capture Amount Reduced', pg_id: 'p1' }, 'refund'))).toEqual([
    ['rmsg', 'Capture Amount Reduced'],
    ['rmsg_text', 'refund that reduced the sale before settlement'],
    ['pg_id', 'p1'],
  ]);
});

const NOTHING_GIVEN = { path: {}, query: {}, body: {}, node: {} };

test('keeps the summary and words in a simplified record', () => {
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
])('formats the amount %j as %j', (amount, text) => {
  expect(inMoney(amount)).toBe(text);
});

test.each([
  [500, '392', '500 JPY'],
  [500.5, 'JPY', '500.50 JPY'],
  [1.005, '414', '1.005 KWD'],
  [5, '840', '5.00 USD'],
])('an amount of %j in the currency %j reads %j', (amount, currency, text) => {
  expect(inMoney(amount, currency)).toBe(text);
});

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b', 'c'], 'a, b and c'],
])('joins the words %j as %j', (texts, text) => {
  expect(inRow(texts)).toBe(text);
});
