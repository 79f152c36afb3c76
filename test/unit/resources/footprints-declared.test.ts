import type { IDataObject } from 'n8n-workflow';
import { compared, mayProve, proves } from './footprint-cases';

import {
  canExist,
  isExclusive,
  lifetimeOf,
  type WriteValues,
  type Footprint,
} from '../../../nodes/PaymentPlatform/model/footprint';
import {
  canceledRequestFootprint,
  submitFootprint,
  submitSavedFootprint,
} from '../../../nodes/PaymentPlatform/resources/account-updater/footprint';
import { batchFootprint } from '../../../nodes/PaymentPlatform/resources/batch/footprint';
import { footprintOfStatus } from '../../../nodes/PaymentPlatform/resources/dispute/state';
import { requestFootprint } from '../../../nodes/PaymentPlatform/resources/api/footprint';
import {
  cancelFootprint,
  copyFootprint,
  invoiceFootprint,
  sendFootprint,
} from '../../../nodes/PaymentPlatform/resources/invoice/footprint';
import {
  paymentFootprint,
  removedFootprint,
} from '../../../nodes/PaymentPlatform/resources/invoice/payments/payment-footprint';
import { accountFootprint, payeeFootprint } from '../../../nodes/PaymentPlatform/resources/payee/footprint';
import { planFootprint } from '../../../nodes/PaymentPlatform/resources/plan/footprint';
import { subscriptionFootprint } from '../../../nodes/PaymentPlatform/resources/subscription/footprint';
import { rechargeFootprint } from '../../../nodes/PaymentPlatform/resources/transaction/recharge';
import {
  captureFootprint,
  refundFootprint,
  voidFootprint,
} from '../../../nodes/PaymentPlatform/resources/transaction/footprint';
import { payoutFootprint } from '../../../nodes/PaymentPlatform/resources/transaction/payout-footprint';
import { webhookFootprint } from '../../../nodes/PaymentPlatform/resources/webhook/footprint';

const values = (body: IDataObject, path: IDataObject = {}, node: IDataObject = {}): WriteValues => ({
  path,
  body,
  node,
});

interface Expected {
  footprint: Footprint;
  list: Partial<Footprint['list']>;
  where: string;
  agreement?: string;
  when?: string;
  resemblance?: string;
  told: WriteValues;
  untold: WriteValues[];
  lifetime: string;
  key: string;
  filter: string[];
}

const START = '2030-03-01T00:00:00.000Z';
const LOOK = '/platform/webhook/7';

const declared: Array<[string, Expected]> = [
  [
    'a response to a dispute',
    {
      footprint: footprintOfStatus('Q') as Footprint,
      list: { path: '/platform/dispute/browse?filter=rec_id%2CIS%2C{recId}', identity: 'rec_id' },
      where: "the dispute's own record",
      agreement: 'the dispute is under review by the service',
      when: 'changed since the request',
      told: values({}, { recId: ' 7' }),
      untold: [values({}), values({}, { recId: ' ' })],
      lifetime: 'always',
      key: '7',
      filter: [],
    },
  ],
  [
    'an account updater request',
    {
      footprint: submitFootprint,
      list: { path: '/platform/aus/request/summary', identity: 'request_id', newestBy: 'request_id' },
      where: 'the list of account updater requests',
      agreement: 'same number of cards',
      told: values({ data: [{ card_id: 'a' }, {}] }),
      untold: [values({}), values({ data: [] })],
      lifetime: 'minutes',
      key: '2',
      filter: [],
    },
  ],
  [
    'a batch close',
    {
      footprint: batchFootprint as Footprint,
      list: { path: '/platform/reporting/transaction-requests', identity: 'pg_id' },
      where: 'the transaction report',
      agreement: 'a transaction of the open batch is settled',
      when: 'changed since the request',
      told: values({ merchant_id: 1, tran_currency: '840' }, {}, { openTransaction: 'p1' }),
      untold: [values({ merchant_id: 1 }), values({}, {}, {})],
      lifetime: 'minutes',
      key: '1 840',
      filter: [],
    },
  ],
  [
    'an account updater request with saved cards',
    {
      footprint: submitSavedFootprint,
      list: { path: '/platform/aus/request/summary', identity: 'request_id', newestBy: 'request_id' },
      where: 'the list of account updater requests',
      agreement: 'same cards',
      told: values({ card_id: ['b', ' a '] }),
      untold: [values({}), values({ card_id: [] })],
      lifetime: 'minutes',
      key: 'a b',
      filter: [],
    },
  ],
  [
    'the cancellation of an account updater request',
    {
      footprint: canceledRequestFootprint,
      list: { path: '/platform/aus/request/summary/{request_id}', identity: 'request_id' },
      where: "the request's own record",
      agreement: 'the request is canceled',
      when: 'changed since the request',
      told: values({}, { request_id: ' 7 ' }),
      untold: [values({})],
      lifetime: 'always',
      key: '7',
      filter: [],
    },
  ],
  [
    'a request of API Request',
    {
      footprint: requestFootprint,
      list: { path: '', identity: '' },
      where: 'the path of "Look Up With GET"',
      agreement: 'a record exists at the path',
      told: values({}, {}, { method: 'PUT', lookUpPath: LOOK }),
      untold: [values({}, {}, { method: 'POST' }), values({}, {}, { method: 'DELETE', lookUpPath: LOOK }), values({})],
      lifetime: 'minutes',
      key: LOOK,
      filter: [],
    },
  ],
  [
    'an invoice',
    {
      footprint: invoiceFootprint,
      list: { path: '/platform/invoice', identity: 'invoice_id', newestBy: 'db_timestamp' },
      where: 'the list of invoices',
      agreement: 'same customer, same invoice number if the item has one, same total and currency',
      resemblance: 'same customer and invoice number',
      told: values({ customer_id: ' C1 ', invoice_number: ' A-1 ' }),
      untold: [values({ invoice_number: 'A-1' }), values({ customer_id: 'C1' }), values({})],
      lifetime: 'always',
      key: '["C1","A-1"]',
      filter: ['customer_id,IS,C1', 'invoice_number,IS,A-1'],
    },
  ],
  [
    'a payee account',
    {
      footprint: accountFootprint,
      list: { path: '/platform/vault/payee/{payee_id}', identity: 'payee_id' },
      where: "the payee's own record",
      agreement: 'same last digits of the account number, same account type and holder if the item has them',
      told: values({ dda_number: '000123543541' }, { payee_id: '9' }),
      untold: [values({ dda_number: '1' })],
      lifetime: 'day',
      key: '9 3541',
      filter: [],
    },
  ],
  [
    'a new payee',
    {
      footprint: payeeFootprint,
      list: { path: '/platform/vault/payee', identity: 'payee_id', newestBy: 'payee_id' },
      where: 'the list of payees',
      agreement: 'same name, same email addresses and last digits of the account number if the item has them',
      told: values({ payee_name: ' Silva Bakery ', payee_account: [{ dda_number: '000123543541' }] }),
      resemblance: 'same name',
      untold: [values({}), values({ payee_name: ' ' })],
      lifetime: 'always',
      key: 'Silva Bakery',
      filter: ['payee_name,IS,Silva Bakery'],
    },
  ],
  [
    'a plan',
    {
      footprint: planFootprint,
      list: { path: '/platform/plan', identity: 'plan_id', newestBy: 'plan_id' },
      where: 'the list of plans',
      agreement: 'same code, name, amounts, frequency, duration, trial and fixed day',
      told: values({ plan_code: 'GOLD' }),
      resemblance: 'same code',
      untold: [values({}), values({ plan_code: ' ' })],
      lifetime: 'always',
      key: 'GOLD',
      filter: ['plan_code,IS,GOLD'],
    },
  ],
  [
    'a subscription',
    {
      footprint: subscriptionFootprint,
      list: { path: '/platform/subscription', identity: 'subscription_id', newestBy: 'subscription_id' },
      where: 'the list of subscriptions',
      agreement: 'same customer, same plan or terms, same start',
      told: values({ customer_id: 'C1', date_start: START }),
      untold: [values({ customer_id: 'C1' }), values({ customer_id: 'C1', date_start: ' ' })],
      lifetime: 'always',
      key: '["C1","2030-03-01"]',
      filter: ['customer_id,IS,C1'],
    },
  ],
  [
    'a refund',
    {
      footprint: refundFootprint,
      list: { path: '/platform/reporting/transaction-requests', identity: 'pg_id', newestBy: 'tran_time' },
      where: 'the transaction report',
      agreement: 'same transaction, same amount',
      told: values({ amt_tran: -4 }, { pgIdOrig: '42' }),
      untold: [values({ amt_tran: 4 }), values({}, { pgIdOrig: '42' })],
      lifetime: 'day',
      key: '42 400',
      filter: ['pg_id_linked,IS,42'],
    },
  ],
  [
    'a capture',
    {
      footprint: captureFootprint,
      list: { path: '/platform/reporting/transaction-requests', identity: 'pg_id', newestBy: 'tran_time' },
      where: 'the transaction report',
      agreement: 'same authorization, same amount',
      told: values({ amt_tran: 4 }, { pgIdOrig: '42' }),
      untold: [values({ amt_tran: 4 }), values({}, { pgIdOrig: '42' })],
      lifetime: 'always',
      key: '42 400',
      filter: ['pg_id_linked,IS,42'],
    },
  ],
  [
    'a recharge',
    {
      footprint: rechargeFootprint,
      list: { path: '/platform/reporting/transaction-requests', identity: 'pg_id', newestBy: 'tran_time' },
      where: 'the transaction report',
      agreement: 'same earlier transaction, same amount',
      told: values({ amt_tran: 4 }, { pgIdOrig: '42' }),
      untold: [values({ amt_tran: 4 }), values({}, { pgIdOrig: '42' })],
      lifetime: 'day',
      key: '42 400',
      filter: ['pg_id_linked,IS,42'],
    },
  ],
  [
    'a void',
    {
      footprint: voidFootprint,
      list: { path: '/platform/reporting/transaction-requests', identity: 'pg_id', newestBy: 'tran_time' },
      where: 'the transaction report',
      agreement: 'same transaction, voided',
      told: values({}, { pgIdOrig: '42' }),
      untold: [values({})],
      lifetime: 'always',
      key: '42',
      filter: ['pg_id_linked,IS,42'],
    },
  ],
  [
    'a payout',
    {
      footprint: payoutFootprint,
      list: { path: '/platform/reporting/transaction-requests', identity: 'pg_id', newestBy: 'tran_time' },
      where: 'the transaction report',
      agreement: 'same reference, amount and payee',
      told: values({ payee_id: '9', amt_tran: 4, merch_ref_num: ' P-1 ' }),
      untold: [values({ amt_tran: 4 }), values({ merch_ref_num: 'P-1' }), values({ amt_tran: 4, merch_ref_num: ' ' })],
      lifetime: 'always',
      key: '["P-1",400]',
      filter: ['merch_ref_num,IS,P-1'],
    },
  ],
  [
    'an invoice that is sent',
    {
      footprint: sendFootprint,
      list: { path: '/platform/invoice/{invoice_id}/detail', identity: 'invoice_id' },
      where: "the invoice's own record",
      agreement: 'the invoice was sent and is no longer a draft',
      when: 'on the same day',
      told: values({}, { invoice_id: ' 12 ' }),
      untold: [values({}), values({}, { invoice_id: ' ' })],
      lifetime: 'always',
      key: '12',
      filter: [],
    },
  ],
  [
    'an invoice that is canceled',
    {
      footprint: cancelFootprint,
      list: { path: '/platform/invoice/{invoice_id}/detail', identity: 'invoice_id' },
      where: "the invoice's own record",
      agreement: 'the invoice is canceled',
      when: 'changed since the request',
      told: values({}, { invoice_id: ' 12 ' }),
      untold: [values({}), values({}, { invoice_id: ' ' })],
      lifetime: 'always',
      key: '12',
      filter: [],
    },
  ],
  [
    'a copy of an invoice',
    {
      footprint: copyFootprint,
      list: { path: '/platform/invoice', identity: 'invoice_id', newestBy: 'db_timestamp' },
      where: 'the list of invoices',
      agreement: 'same customer, total and number as the original invoice',
      told: values({ invoice_number: ' I-2 ' }, { invoice_id: '12' }),
      untold: [values({}, { invoice_id: '12' }), values({ invoice_number: ' ' }, { invoice_id: '12' })],
      lifetime: 'always',
      key: 'I-2',
      filter: ['invoice_number,IS,I-2'],
    },
  ],
  [
    'a payment on an invoice',
    {
      footprint: paymentFootprint,
      list: { path: '/platform/invoice/payments', identity: 'payment_id', newestBy: 'payment_id' },
      where: 'the list of payments',
      agreement: 'same invoice, same kind of payment, same amount, same day',
      told: values({ type: 'CASH', amt_paid: 5, date_payment: START }, { invoice_id: '12' }),
      untold: [values({ amt_paid: 5 }), values({ amt_paid: 'five' }, { invoice_id: '12' })],
      lifetime: 'minutes',
      key: '["12","CASH",500,"2030-03-01"]',
      filter: ['invoice_id,IS,12'],
    },
  ],
  [
    'a payment that is removed',
    {
      footprint: removedFootprint,
      list: { path: '/platform/invoice/{invoice_id}/payments', identity: 'payment_id', removesRecord: true },
      where: 'the payments on the invoice',
      agreement: 'the payment is not in the list of payments',
      when: 'listed before the request',
      told: values({}, { invoice_id: '12', payment_id: '7' }),
      untold: [values({}, { invoice_id: '12' }), values({}, { payment_id: '7' })],
      lifetime: 'always',
      key: '["12","7"]',
      filter: [],
    },
  ],
  [
    'a webhook',
    {
      footprint: webhookFootprint,
      list: { path: '/platform/webhook', identity: 'webhook_id', newestBy: 'webhook_id' },
      where: 'the list of webhooks',
      agreement: 'same label, same address, same events',
      told: values({ label: 'L', notification_url: 'https://example.com/x' }),
      untold: [values({ label: 'L' }), values({ notification_url: 'https://example.com/x' })],
      lifetime: 'minutes',
      key: '["L","https://example.com/x"]',
      filter: ['label,IS,L'],
    },
  ],
];

describe.each(declared)('the look-up of %s', (_, expected) => {
  const { footprint, told, untold, ...rest } = expected;

  test("the node searches for the write by identifying values in the service's lists", () => {
    const { list, where, agreement, when, resemblance } = footprint;
    const shown = { lifetime: lifetimeOf(footprint, told), key: footprint.key(told), filter: footprint.filter(told) };
    expect({ list, where, agreement, when, resemblance, ...shown }).toMatchObject(rest);
    expect(footprint.list.pathOf?.(told)).toBe(
      new Map<Footprint, string>([
        [requestFootprint, LOOK],
        [batchFootprint as Footprint, '/platform/reporting/transaction-requests?filter=pg_id%2CIS%2Cp1'],
      ]).get(footprint),
    );
  });

  test('the node searches only if the request contains enough identifying values', () => {
    expect(footprint.isIdentifiable(told)).toBe(true);
    expect(untold.map(footprint.isIdentifiable)).toEqual(untold.map(() => false));
  });
});

test.each([
  [{ rec_id: 7, status: 'Q' }, true],
  [{ rec_id: 7, status: 'N' }, false],
  [{ rec_id: 8, status: 'Q' }, false],
])('finds the response to a dispute in the record %j', (record, found) =>
  expect(proves(footprintOfStatus('Q'), record, values({}, { recId: '7' }) as never)).toBe(found),
);

test('an invoice without a number is identified only briefly', () => {
  const lines = { line_items: [{ quantity: 2, description: 'Hour', unit_cost: 5 }] };
  const unnumbered = values({ customer_id: 'C1', invoice_number: ' ', ...lines });
  expect(invoiceFootprint.isIdentifiable(unnumbered)).toBe(true);
  expect(lifetimeOf(invoiceFootprint as Footprint, unnumbered)).toBe('minutes');
  expect(invoiceFootprint.keysOf?.({ customer_id: 'C1', invoice_number: 'A-1' })).toEqual([
    '["C1","A-1"]',
    '["C1",""]',
  ]);
});

test('an invoice without a total is searched for by its number', () => {
  const numbered = values({ customer_id: 'C1', invoice_number: 'A-1' });
  const record: IDataObject = { customer_id: ' C1', invoice_number: 'A-1 ', status: 'SAVED' };
  expect(invoiceFootprint.isIdentifiable(numbered)).toBe(true);
  expect(mayProve(invoiceFootprint, { ...record, amt_tran: 7 }, numbered)).toBe(true);
});

test('looks up an API request only after POST and PUT, at the chosen path', () => {
  const chosen = (method?: string) => values({}, {}, { method, lookUpPath: LOOK });
  expect(['POST', 'PUT', 'PATCH', undefined].map((method) => requestFootprint.isIdentifiable(chosen(method)))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const unchosen: WriteValues = { path: {}, body: {} };
  expect([requestFootprint.isIdentifiable(unchosen), requestFootprint.key(unchosen)]).toEqual([false, '']);
});

test('matches any record at the path of an API request', () => {
  expect(proves(requestFootprint, {}, values({}))).toBe(true);
});

describe('an active plan with the same code', () => {
  const body = { plan_code: 'GOLD', plan_name: 'Gold', plan_frequency: 3, plan_duration: 12, amt_tran: 10 };
  const record: IDataObject = { ...body, plan_id: 1, status: 'E', recur_amt: 10 };

  test.each<[string, IDataObject, string, boolean]>([
    ['with the same terms is the plan', {}, 'equal', true],
    ['with another description is the plan', { plan_desc: 'Other' }, 'equal', true],
    ['with another price is another plan, which uses the code', { recur_amt: 11, amt_tran: 11 }, 'different', true],
    ['that is archived is another plan', { status: 'A' }, 'different', true],
    ['that is deleted is another plan', { status: 'D' }, 'different', true],
    ['with an unknown status may be the plan', { status: 'ACTIVE' }, 'notShown', true],
    ['is another plan if its code differs', { plan_code: 'SILVER' }, 'different', false],
    ['without a code may be the plan', { plan_code: '' }, 'notShown', false],
  ])('an active plan with the same code %s', (_, more, likeness, isUsed) => {
    expect(compared(planFootprint, { ...record, ...more }, values(body))).toBe(likeness);
    expect(planFootprint.occupies?.({ ...record, ...more }, values(body))).toBe(isUsed);
  });

  test('an active plan with the same code is refused in a tool if it already exists', () => {
    expect([planFootprint.isCheckedInTools, planFootprint.resemblance]).toEqual([true, 'same code']);
    expect(refundFootprint.isCheckedInTools).toBe(true);
  });
});

test('warns in the summary that the security key of a found webhook is lost', () => {
  expect(webhookFootprint.summary?.({}, values({ label: 'CRM' }))).toMatch(
    /^Created webhook "CRM" but lost its security key, so replace the key\.$/,
  );
});

test('names the sent invoice and the day in the summary', () => {
  const says = (record: IDataObject) => sendFootprint.summary?.({ invoice_id: 12, ...record }, values({}));
  expect(says({ date_notice: START })).toContain('invoice 12 on 2030-03-01,');
  expect(says({ date_notice: START, date_sent: '2030-02-01' })).toContain('invoice 12 on 2030-02-01,');
});

test('identifies a subscription by its customer ID or by the names of a new customer', () => {
  const customer = { customer_first_name: 'Ana', customer_last_name: 'Silva' };
  const start = { date_start: START };
  const keys = subscriptionFootprint.keysOf?.({ customer_id: 'C1', customer, ...start });
  expect(keys).toEqual([
    subscriptionFootprint.key(values({ customer_id: 'C1', ...start })),
    subscriptionFootprint.key(values({ customer, ...start })),
  ]);
  expect(keys?.[0]).not.toBe(keys?.[1]);
});

test('a payee without a bank account is identified only briefly', () => {
  expect(lifetimeOf(payeeFootprint as Footprint, values({ payee_name: 'Silva Bakery' }))).toBe('minutes');
});

test("returns a found payee's account only if its time has an offset", () => {
  const account = { dda_number: 'xxxx3541', verified_date: '2030-03-01T09:00:00Z x' };
  expect(accountFootprint.answer?.({ payee_id: '9', payee_account: account })).toEqual(account);
  expect(accountFootprint.time?.({ payee_account: account })).toBeUndefined();
  expect(invoiceFootprint.time?.({ db_timestamp: '2030-03-01T09:00:00Z x' })).toBeUndefined();
  expect(invoiceFootprint.time?.({ db_timestamp: '2030-03-01T09:00:00z' })?.toUTC().toISO()).toBe(
    '2030-03-01T09:00:00.000Z',
  );
});

describe('a footprint', () => {
  const of = (more: object, newestBy?: string) =>
    ({ lifetime: 'minutes', list: { path: '/list', identity: 'id', newestBy }, ...more }) as unknown as Footprint;
  const time = () => undefined;
  const always = () => 'always';

  test.each([
    ['in a list', true, of({}, 'id')],
    ['with a time', true, of({ time })],
    ['in a list with times', true, of({ time }, 'id')],
    ['of one record without a time', false, of({})],
  ])('%s belongs to one write only: %j', (_, expected, footprint) => expect(isExclusive(footprint)).toBe(expected));

  test.each([
    ['in a list, for a long time', true, of({ lifetime: always }, 'id')],
    ['in a list, for minutes', false, of({}, 'id')],
    ['of one record, for a long time', false, of({ lifetime: always })],
    ['of one record, for minutes', false, of({})],
  ])('%s can show an earlier write: %j', (_, expected, footprint) => expect(canExist(footprint)).toBe(expected));
});
