import { singleEvents } from '../../nodes/PaymentPlatform/fields/events';
import { describeEvent } from '../../nodes/PaymentPlatform/trigger/describe-event';

const sentence = (event: string, data: unknown) => describeEvent({ event, data } as never);

const ada = { customer_first_name: 'Ada', customer_last_name: 'Example' };

test.each([
  [
    'invoice_paid',
    {
      invoice_id: 7,
      invoice_number: 'CRM-2003',
      amt_paid: 11.5,
      tran_currency: '840',
      billing_contact: { first_name: 'Ada', last_name: 'Example' },
    },
    'Invoice CRM-2003 was paid in full: 11.50 USD, Ada Example',
  ],
  [
    'invoice_paid',
    { invoice_id: 7, amt_tran: 11.5, customer_id: 'C1' },
    'Invoice 7 was paid in full: 11.50, customer C1',
  ],
  [
    'invoice_paid',
    {
      invoice_id: 7,
      amt_paid: 11.5,
      line_items: [{ unit_cost: 11.5 }],
      billing_contact: { firm_name: 'Silva Bakery' },
    },
    'Invoice 7 was paid in full: 11.50 USD, Silva Bakery',
  ],
  [
    'invoice_payment_success',
    { invoice_id: 7, amt_paid: '3.00', tran_currency: '978' },
    'A payment on invoice 7 was approved: 3.00 EUR',
  ],
  [
    'invoice_email_undeliverable',
    { invoice_number: 'A1', customer_id: 'C1' },
    'An email with invoice A1 bounced: customer C1',
  ],
  [
    'checkout_payment_failure',
    { checkout_id: 31, amt_tran: 25, tran_currency: '840', customer: ada },
    'A payment on checkout 31 was declined: 25.00 USD, Ada Example',
  ],
  [
    'dispute_update',
    { rec_id: 9, status: 'N', amt_dispute: 12.5, purchase_id: 'ORDER1' },
    'Dispute 9 is new: 12.50, order ORDER1',
  ],
  [
    'subscription_payment_failure',
    { subscription_id: 5, amt_tran: 20, tran_currency: '840', ...ada, customer_id: 'C1' },
    'A recurring payment of subscription 5 failed: 20.00 USD, Ada Example',
  ],
  [
    'subscription_suspended',
    { subscription_id: 5, customer_firm_name: 'Garden Ltd.' },
    'The service suspended subscription 5: Garden Ltd.',
  ],
  ['account_updater_request_completed', { request_id: '4' }, 'Account updater request 4 is complete'],
  [
    'qp_manager_refund_success',
    { pg_id: 'p1', amt_tran: 5 },
    'A user refunded payment p1 in the merchant portal: 5.00',
  ],
  [
    'transaction_status_updated',
    { transactions: [{ pg_id: 'p1', tran_status: 'S', amt_tran: 5, tran_currency: '840' }] },
    'Payment p1 is settled: 5.00 USD',
  ],
])('%s tells which record, how much and whose', (event, data, text) => {
  expect(sentence(event, data)).toBe(text);
});

test('each item describes its own record, and an item with several records the kind of event', () => {
  const transactions = [
    { pg_id: 'p1', tran_status: 'S', amt_tran: 5 },
    { pg_id: 'p2', tran_status: 'P', amt_tran: 6 },
  ];
  const payload = { event: 'transaction_status_updated', data: { transactions } };
  expect(describeEvent(payload)).toBe('The status of one or more transactions changed');
  expect(transactions.map((one) => describeEvent(payload, one))).toEqual([
    'Payment p1 is settled: 5.00',
    'Payment p2 is deposit sent: 6.00',
  ]);
});

test.each([undefined, null, 'text', 3, [], {}, { invoice_id: '' }, { invoice_id: {} }, [null]])(
  'an event whose record is %j is described by its kind',
  (data) => {
    expect(sentence('invoice_paid', data)).toBe('An invoice was paid in full');
  },
);

test('an unknown status or event is not invented', () => {
  expect(sentence('dispute_update', { rec_id: 9, status: '?' })).toBe(
    'A customer disputed a payment, or the status of a dispute changed',
  );
  expect(sentence('made_up', { invoice_id: 1 })).toBe('The service reported the event made_up');
});

test('values with placeholders and long values stay text of one sentence', () => {
  expect(sentence('invoice_paid', { invoice_number: '$& {status}' })).toBe('Invoice $& {status} was paid in full');
  expect(sentence('invoice_paid', { invoice_number: 'A'.repeat(500) })).toHaveLength(
    60 + 'Invoice  was paid in full'.length,
  );
});

test.each(singleEvents.map(({ value }) => String(value)))('%s has a sentence with its record', (event) => {
  const record = { invoice_id: 1, rec_id: 1, pg_id: 1, subscription_id: 1, checkout_id: 1, request_id: 1 };
  expect(sentence(event, { ...record, status: 'N', tran_status: 'S' })).toMatch(/ 1\b/);
});
