import type { IDataObject } from 'n8n-workflow';

import type { Footprint } from '../../../nodes/PaymentPlatform/model/footprint';
import {
  canceledRequestFootprint,
  submitFootprint,
  submitSavedFootprint,
} from '../../../nodes/PaymentPlatform/resources/account-updater/footprint';
import { batchFootprint, findOpenTransaction } from '../../../nodes/PaymentPlatform/resources/batch/footprint';
import {
  cancelFootprint,
  copyFootprint,
  sendFootprint,
} from '../../../nodes/PaymentPlatform/resources/invoice/footprint';
import {
  paymentFootprint,
  removedFootprint,
} from '../../../nodes/PaymentPlatform/resources/invoice/payments/payment-footprint';
import { cancel } from '../../../nodes/PaymentPlatform/resources/subscription/cancel';
import { pause } from '../../../nodes/PaymentPlatform/resources/subscription/pause';
import { resume } from '../../../nodes/PaymentPlatform/resources/subscription/resume';
import { subscriptionFootprint } from '../../../nodes/PaymentPlatform/resources/subscription/footprint';
import { webhookFootprint } from '../../../nodes/PaymentPlatform/resources/webhook/footprint';
import { agreesWith, compared, mayProve, named, type Cases } from './footprint-cases';

describe('off-plan subscription', () => {
  const terms = { plan_frequency: 3, plan_duration: 12, amt_tran: 10, date_start: '2030-03-01T00:00:00.000Z' };
  const values = named({ customer_id: 'C1', ...terms });
  const record = {
    ...{ subscription_id: 1, customer_id: 'C1', status: 'A', plan_frequency: 3, plan_duration: 12, interval: 1 },
    ...{ recur_amt: '10.00', date_start: '2030-03-01', subscription_on_plan: false, purchase_id: 'S1', card_id: 'k' },
  };
  agreesWith(
    subscriptionFootprint,
    values,
    record,
    [
      ['its numbers as text', { plan_frequency: '3', plan_duration: '12', interval: '1' }],
      ['without an interval', { interval: undefined }],
    ],
    [
      ['of another customer', { customer_id: 'C2' }],
      ['of another frequency', { plan_frequency: 0 }],
      ['of another duration', { plan_duration: -1 }],
      ['every second month', { interval: 2 }],
      ['over another amount', { recur_amt: 10.01 }],
      ['from another day on', { date_start: '2030-03-02' }],
      ['on a plan', { subscription_on_plan: true }],
      ['canceled', { status: 'C' }],
    ],
    [
      ['of no customer', { customer_id: '' }],
      ['with an unreadable amount', { recur_amt: 'ten' }],
      ['without a frequency', { plan_frequency: undefined }],
      ['without a start', { date_start: undefined }],
      ['with an unknown status', { status: 'canceled' }],
      ['with an unreadable status', { status: ['C'] }],
      ['in another currency than the default', { tran_currency: '978' }],
    ],
  );

  const of = (shown: object, body: IDataObject) => compared(subscriptionFootprint, shown, named(body));

  test('off-plan subscriptions must have the sent card, purchase ID and currency', () => {
    const own = { ...values.body, card_id: 'k', purchase_id: 'O-1' };
    expect(of({ ...record, purchase_id: 'O-1' }, own)).toBe('equal');
    expect(of(record, own)).toBe('different');
    expect(of({ ...record, purchase_id: '' }, own)).toBe('notShown');
    expect(of({ ...record, purchase_id: 'O-1', card_id: 'other' }, own)).toBe('different');
    expect(of({ ...record, purchase_id: 'O-1', card_id: '' }, own)).toBe('notShown');
    const euros = { ...values.body, tran_currency: '978' };
    expect([of({ ...record, tran_currency: '978' }, euros), of({ ...record, tran_currency: '840' }, euros)]).toEqual([
      'equal',
      'different',
    ]);
  });

  test('the recurring amount of a subscription may include its surcharge', () => {
    const surcharged = { ...values.body, pct_fee: 3 };
    const shown = [10, 10.3, 10.31, 9.99].map((recur_amt) => of({ ...record, recur_amt }, surcharged));
    expect(shown).toEqual(['equal', 'notShown', 'different', 'different']);
  });

  test("the node's own purchase ID proves an off-plan subscription, unless a value is different", () => {
    const reference = { name: 'purchase_id', value: 'OWN', isLasting: true };
    const own = { ...named({ ...values.body, purchase_id: 'OWN' }), reference };
    const by = (more: object) => compared(subscriptionFootprint, { ...record, purchase_id: 'OWN', ...more }, own);
    expect([by({ recur_amt: undefined }), by({ customer_id: '' })]).toEqual(['equal', 'equal']);
    expect([by({ customer_id: 'C2' }), by({ recur_amt: 11 })]).toEqual(['notShown', 'notShown']);
    expect([by({ status: 'C' }), by({ purchase_id: 'S1' })]).toEqual(['different', 'different']);
  });

  test('an off-plan subscription of a new customer is compared by names and other common values', () => {
    const shown = {
      ...{ ...record, customer_id: 'X9', customer_first_name: 'Ana' },
      customer: {
        ...{ customer_last_name: 'Silva', customer_email: 'ana@example.com', customer_phone: '12025550143' },
        billing_cards: [{ card_number: 'XXXXXXXXXXXX1111', card_id: 'saved1' }],
      },
    };
    const name = { customer_first_name: 'Ana', customer_last_name: 'Silva' };
    const isIt = (customer: IDataObject, more: IDataObject = {}) => {
      const values = { customer: { ...name, ...customer }, ...terms, ...more };
      return of(shown, values);
    };
    const [mine, other] = ['Ana@example.com', 'ana@other.example'];
    expect(isIt({ customer_email: mine })).toBe('equal');
    expect(isIt({ customer_phone: '+1 202 555 0143' })).toBe('equal');
    expect(isIt({ billing_cards: [{ card_number: '4111111111111111' }] })).toBe('equal');
    expect(isIt({ billing_cards: [{ card_id: 'saved1' }] })).toBe('equal');
    expect(isIt({ customer_email: mine, customer_last_name: 'Sousa' })).toBe('different');
    expect(isIt({ customer_email: mine, customer_firm_name: 'Silva Bakery' })).toBe('different');
    expect(isIt({ customer_first_name: undefined, customer_last_name: undefined })).toBe('different');
    expect(isIt({ customer_email: other })).toBe('different');
    expect(isIt({ customer_email: other, billing_cards: [{ card_number: '4111111111112222' }] })).toBe('different');
    expect(isIt({ customer_email: other, customer_phone: '+1 202 555 0143' })).toBe('notShown');
    expect(isIt({ customer_email: other, billing_cards: [{ card_number: '4111111111111111' }] })).toBe('notShown');
    expect(isIt({})).toBe('notShown');
    expect(isIt({ reference_id: 'CRM-1', billing_cards: [{ card_number: '4111111111112222' }] })).toBe('notShown');
    expect(isIt({}, { purchase_id: 'S1' })).toBe('equal');
    expect(isIt({}, { purchase_id: 'S2' })).toBe('different');
  });

  test('off-plan subscriptions without a start are not searched for', () => {
    expect(subscriptionFootprint.isIdentifiable(values)).toBe(true);
    expect(subscriptionFootprint.isIdentifiable(named({ customer_id: 'C1' }))).toBe(false);
  });

  test('an off-plan subscription belongs to the customer of a new customer with an ID', () => {
    const own = { customer: { customer_id: 'C1', customer_first_name: 'Eva' }, ...terms };
    expect([of(record, own), of({ ...record, customer_id: 'C2' }, own)]).toEqual(['equal', 'different']);
  });
});

describe('a subscription on a plan', () =>
  agreesWith(
    subscriptionFootprint,
    named({ customer_id: 'C1', plan_code: 'GOLD', date_start: '2030-03-01' }),
    { customer_id: 'C1', plan_code: 'GOLD', date_start: '2030-03-01T00:00:00.000Z' },
    [['in another currency than the default', { tran_currency: '978' }]],
    [['on another plan', { plan_code: 'SILVER' }]],
    [['on no plan', { plan_code: '' }]],
  ));

describe.each([
  [cancel, 'C'],
  [pause, 'P'],
  [resume, 'A'],
])('a subscription whose state changed', ({ footprint = subscriptionFootprint, value }, into) => {
  const values = named({ customer_id: 'C1' }, { subscription_id: '12' });
  agreesWith(
    footprint,
    values,
    { subscription_id: 12, status: into },
    [['its ID as text', { subscription_id: '12' }]],
    [
      ['of another subscription', { subscription_id: 13 }],
      ...['A', 'P', 'S', 'C', 'D']
        .filter((status) => status !== into)
        .map((status): Cases[number] => [`in state ${status}`, { status }]),
    ],
    [
      ['without an ID', { subscription_id: undefined }],
      ['without a state', { status: undefined }],
    ],
  );

  test(`a subscription whose state changed isn't searched for by ${value} without an ID`, () => {
    expect(footprint.isIdentifiable(values)).toBe(true);
    expect(footprint.isIdentifiable(named({}, {}))).toBe(false);
  });
});

describe('a payment on an invoice', () =>
  agreesWith(
    paymentFootprint,
    named(
      { type: 'CHECK', amt_paid: 5, date_payment: '2030-03-01T00:00:00.000Z', description: 'Check 7' },
      { invoice_id: '12' },
    ),
    { invoice_id: 12, type: 'CHECK', amt_paid: '5.00', date_payment: '2030-03-01', description: 'Check 7' },
    [['on a paid invoice', { status: 'PAID' }]],
    [
      ['on another invoice', { invoice_id: 13 }],
      ['of another kind', { type: 'CASH' }],
      ['over another amount', { amt_paid: 5.01 }],
      ['of another day', { date_payment: '2030-03-02' }],
      ['with another description', { description: 'Check 8' }],
      ['canceled', { status: 'CANCELED' }],
    ],
    [
      ['on no invoice', { invoice_id: '' }],
      ['without a kind', { type: undefined }],
      ['with an unreadable amount', { amt_paid: 'five' }],
      ['of no day', { date_payment: undefined }],
      ['without its description', { description: '' }],
      ['with an unknown status', { status: 'canceled' }],
      ['with an unreadable status', { status: ['CANCELED'] }],
    ],
  ));

describe('an invoice that was sent', () => {
  agreesWith(
    sendFootprint,
    named({}, { invoice_id: '12' }),
    { invoice_id: 12, status: 'OUTSTANDING', date_notice: '2030-03-01T00:00:00.000Z' },
    [['paid since', { status: 'PAID' }]],
    [
      ['another invoice', { invoice_id: 13 }],
      ['still a draft', { status: 'SAVED' }],
      ['canceled', { status: 'CANCELED' }],
    ],
  );

  test("a sent invoice counts as sent until the end of its day in the reports' time zone", () => {
    const time = (record: IDataObject) => sendFootprint.time?.(record)?.toUTC().toISO();
    expect(time({ date_notice: '2030-03-01T00:00:00.000Z' })).toBe('2030-03-02T07:59:59.999Z');
    expect(time({ date_notice: '2030-03-01T00:00:00.000Z', date_sent: '2030-02-01' })).toMatch(/^2030-02-02/);
    expect(time({})).toBeUndefined();
  });
});

describe('an invoice that was canceled', () =>
  agreesWith(
    cancelFootprint,
    named({}, { invoice_id: '12' }),
    { invoice_id: 12, status: 'CANCELED' },
    [],
    [
      ['another invoice', { invoice_id: 13 }],
      ['a draft', { status: 'SAVED' }],
      ['to be paid', { status: 'OUTSTANDING' }],
      ['paid', { status: 'PAID' }],
    ],
  ));

describe('a copy of an invoice', () => {
  const values = named({ invoice_number: 'I-2' }, { invoice_id: '12' });
  const source = { invoice_id: 12, invoice_number: 'I-1', customer_id: 'C1', amt_tran: 100, tran_currency: '978' };
  const record = {
    ...{ invoice_id: 13, invoice_number: 'I-2', customer_id: 'C1', amt_tran: '100.00', tran_currency: '978' },
    status: 'SAVED',
  };
  agreesWith(
    copyFootprint,
    { ...values, source },
    record,
    [['sent since', { status: 'OUTSTANDING' }]],
    [
      ['of another customer', { customer_id: 'C2' }],
      ['in another currency', { tran_currency: '840' }],
      ['of another number', { invoice_number: 'I-3' }],
      ['the invoice that was copied', { invoice_id: 12 }],
      ['canceled', { status: 'CANCELED' }],
    ],
    [
      ['of no one', { customer_id: undefined }],
      ['with an unknown status', { status: 'Canceled' }],
      ['over another total, because the original may have changed since', { amt_tran: 100.01 }],
      ['with an unreadable total', { amt_tran: undefined }],
      ['without a currency', { tran_currency: undefined }],
      ['without a number', { invoice_number: '' }],
    ],
  );

  test('a copy of an invoice proves nothing before the original is known', () => {
    const of = (more: object, original?: object) =>
      compared(copyFootprint, { ...record, ...more }, { ...values, source: original });
    expect([of({}), of({ invoice_number: 'I-3' }), of({ invoice_id: 12 })]).toEqual([
      'notShown',
      'different',
      'different',
    ]);
    expect(of({ tran_currency: '840' }, { ...source, tran_currency: undefined })).toBe('equal');
    expect(copyFootprint.source?.({ path: { invoice_id: ' 1/2 ' }, body: {} })).toEqual({
      path: '/platform/invoice/1%2F2/detail',
      ids: { invoice_id: ' 1/2 ' },
      identity: 'invoice_id',
    });
  });

  test("a copy of an invoice isn't searched for without its own number", () => {
    expect(copyFootprint.isIdentifiable(values)).toBe(true);
    expect(copyFootprint.isIdentifiable(named({}, { invoice_id: '12' }))).toBe(false);
  });
});

describe('a payment that is to be removed', () =>
  agreesWith(
    removedFootprint,
    named({}, { invoice_id: '12', payment_id: '7' }),
    { invoice_id: 12, payment_id: 7 },
    [['its ID as text', { payment_id: '7' }]],
    [['another payment', { payment_id: 8 }]],
  ));

describe('a webhook in the list', () => {
  const values = named({ label: 'L', notification_url: 'https://example.com/x', events: ['b', 'a'] });
  agreesWith(
    webhookFootprint,
    values,
    { label: 'L', notification_url: 'https://example.com/x', events: ['a', 'b'] },
    [],
    [
      ['of another label', { label: 'M' }],
      ['at another address', { notification_url: 'https://example.com/y' }],
      ['of other events', { events: ['a'] }],
    ],
    [
      ['without a label', { label: '' }],
      ['without an address', { notification_url: undefined }],
    ],
  );

  test('a webhook in the list may have any events if the request names none', () => {
    const body = { ...values.body, events: undefined };
    const shown = { label: 'L', notification_url: 'https://example.com/x', events: ['z'] };
    expect(compared(webhookFootprint, shown, named(body))).toBe('equal');
  });
});

describe('an account updater request in the list', () =>
  agreesWith(
    submitFootprint,
    named({ data: [{ card_id: 'a' }, { card_id: 'b' }, {}] }),
    { cnt_request: 3, status: 'QUEUED', rejected_cards: [{ card_id: 'a' }, { card_id: '' }] },
    [['none refused', { rejected_cards: [] }]],
    [
      ['of another number of cards', { cnt_request: 2 }],
      ['with a refused card that was not sent', { rejected_cards: [{ card_id: 'c' }] }],
      ['canceled', { status: 'CANCELED' }],
    ],
    [
      ['without a number of cards', { cnt_request: undefined }],
      ['with an unknown status', { status: 'canceled' }],
    ],
  ));

describe('an account updater request with saved cards', () => {
  const values = named({ card_id: ['b', 'a', 'c'] });
  const record: IDataObject = {
    request_id: 7,
    cnt_request: '3',
    method: 'harvest_card_id',
    cards: [{ card_id: 'a' }, { card_id: 'c' }],
    rejected_cards: [{ card_id: 'b', reject_reason: 'Card is on hold' }],
  };
  agreesWith(
    submitSavedFootprint,
    values,
    record,
    [
      ['without a method', { method: undefined }],
      ['with a rejected card in both lists', { cards: [{ card_id: 'a' }, { card_id: 'b' }, { card_id: 'c' }] }],
      ['canceled', { status: 'CANCELED' }],
    ],
    [
      ['of another number of cards', { cnt_request: 2 }],
      ['of cards that were submitted by number', { method: 'harvest_api' }],
      ['with another card', { cards: [{ card_id: 'a' }, { card_id: 'd' }] }],
      ['with a card more', { cards: [{ card_id: 'a' }, { card_id: 'c' }, { card_id: 'd' }] }],
      ['with a card less', { rejected_cards: [] }],
    ],
    [
      ['whose cards the node did not read', { cards: undefined }],
      ['whose cards and rejected cards the node did not read', { cards: undefined, rejected_cards: undefined }],
      ['without a number of cards', { cnt_request: '' }],
    ],
  );

  test.each<[string, IDataObject, boolean]>([
    ['whose cards the node did not read', { cards: undefined, rejected_cards: undefined }, true],
    ['of another number of cards', { cards: undefined, cnt_request: 2 }, false],
    ['of cards that were submitted by number', { cards: undefined, method: 'harvest_api' }, false],
    ['with other cards', { cards: [{ card_id: 'a' }, { card_id: 'd' }] }, false],
    ['with the same cards', {}, true],
  ])('a record %s may belong to the write: %j is %s', (_, more, expected) =>
    expect(mayProve(submitSavedFootprint, { ...record, ...more }, values)).toBe(expected),
  );

  test('an account updater request is read with its cards and returned like the response', () => {
    const footprint = submitSavedFootprint as Footprint;
    expect(footprint.details).toMatchObject({ name: 'cards', isList: true });
    expect(footprint.details?.path(record)).toBe('/platform/aus/request/detail/7');
    expect(footprint.answer?.(record)).toEqual({ request_id: 7 });
  });
});

describe('a batch close', () => {
  const node = { openTransaction: 'p1' };
  const values = { path: {}, body: { merchant_id: 1 }, node };
  const record: IDataObject = { pg_id: 'p1', merchant_id: 1, tran_currency: '840', tran_status: 'S' };
  const footprint = batchFootprint as Footprint;
  agreesWith(
    footprint,
    values,
    record,
    [['after its deposit', { tran_status: 'P' }]],
    [
      ['in the open batch', { tran_status: 'C' }],
      ['that was voided', { tran_status: 'V' }],
      ['of another transaction in another currency', { pg_id: 'p2', tran_currency: '124' }],
    ],
    [['of another transaction', { pg_id: 'p2' }]],
  );

  test('any settled transaction of the merchant and currency can come from a batch close', () => {
    const item = { path: {}, body: { merchant_id: 1 } };
    const may = (more: IDataObject, body: IDataObject = {}) =>
      mayProve(footprint, { ...record, ...more }, { ...item, body: { ...item.body, ...body } });
    expect([may({}), may({ pg_id: 'p2', tran_status: 'P' })]).toEqual([true, true]);
    expect([may({ tran_status: 'C' }), may({ merchant_id: 2 }), may({ tran_currency: '124' })]).toEqual([
      false,
      false,
      false,
    ]);
    expect([may({}, { tran_currency: '124' }), may({ tran_currency: '124' }, { tran_currency: '124' })]).toEqual([
      false,
      true,
    ]);
    expect(footprint.answer?.(record)).toEqual({});
  });

  test('a batch close is found by a transaction that was captured in the batch', () => {
    const openOf = (found: IDataObject[], body: IDataObject = {}) => {
      const values = { path: {}, query: {}, body: { merchant_id: 1, ...body }, node: { kept: true } };
      const decision = findOpenTransaction.decide(found, values as never, []);
      return 'request' in decision ? decision.request.node : decision;
    };
    const open = { ...record, tran_status: 'C' };
    const others = [record, { ...open, merchant_id: 2 }, { ...open, tran_currency: '124' }];
    expect(openOf([...others, open])).toEqual({ kept: true, ...node });
    expect(openOf(others)).toEqual({ kept: true });
    for (const one of [{ profile_id: '7' }, { loc_id: '7' }, { tran_currency: '124' }])
      expect(openOf([open], one)).toEqual({ kept: true });
  });

  test('a batch close reads the latest captured transactions and is sent without them', () => {
    const { path, query, absent } = findOpenTransaction.look?.({ path: {}, query: {}, body: {}, node: {} }, []) ?? {};
    expect(path).toBe('/platform/reporting/transaction-requests');
    expect(query).toMatchObject({ filter: ['tran_status,IS,C'], order_on: 'tran_time', order_by: 'desc' });
    expect(absent?.({ outcome: 'notSent', message: '', advice: '' })).toBe(true);
  });
});

describe('a canceled account updater request', () =>
  agreesWith(
    canceledRequestFootprint,
    { path: { request_id: '7' }, body: {} },
    { request_id: 7, status: 'CANCELED' },
    [['with its ID as text', { request_id: '7' }]],
    [
      ['in progress', { status: 'INPROGRESS' }],
      ['another request', { request_id: 8 }],
    ],
    [
      ['without a status', { status: '' }],
      ['without an ID', { request_id: undefined }],
    ],
  ));

test('uses equal keys for writes with equal records', () => {
  const pay = (amt_paid: number) => paymentFootprint.key(named({ type: 'CASH', amt_paid }, { invoice_id: '1' }));
  expect(pay(5)).not.toBe(pay(6));
  const subscribe = (body: IDataObject) =>
    subscriptionFootprint.key(named({ customer_id: 'C1', plan_code: 'P', ...body }));
  expect(subscribe({ date_start: '2030-03-01' })).toBe(subscribe({ date_start: '2030-03-01T00:00:00.000Z' }));
  // A request without a card creates a subscription with the primary card.
  expect(subscribe({ card_id: 'a' })).toBe(subscribe({}));
});
