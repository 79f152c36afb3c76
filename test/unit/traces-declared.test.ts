import type { IDataObject } from 'n8n-workflow';

import { tellsFor, type Named, type Trace } from '../../nodes/PaymentPlatform/pipeline/trace';
import { submitTrace } from '../../nodes/PaymentPlatform/resources/account-updater/trace';
import { requestTrace } from '../../nodes/PaymentPlatform/resources/api/trace';
import { invoiceTrace } from '../../nodes/PaymentPlatform/resources/invoice/trace';
import { accountTrace } from '../../nodes/PaymentPlatform/resources/payee/trace';
import { planTrace } from '../../nodes/PaymentPlatform/resources/plan/trace';
import { subscriptionTrace } from '../../nodes/PaymentPlatform/resources/subscription/trace';
import { refundTrace } from '../../nodes/PaymentPlatform/resources/transaction/trace';
import { webhookTrace } from '../../nodes/PaymentPlatform/resources/webhook/trace';

const values = (body: IDataObject, path: IDataObject = {}, node: IDataObject = {}): Named => ({ path, body, node });

interface Expected {
  trace: Trace;
  list: Partial<Trace['list']>;
  where: string;
  agreement: string;
  reference?: string;
  /** A write that can be looked up, and such that say too little. */
  told: Named;
  untold: Named[];
  tells: string;
  key: string;
  filter: string[];
}

const START = '2030-03-01T00:00:00.000Z';
const LOOK = '/platform/webhook/7';

const declared: Array<[string, Expected]> = [
  [
    'an account updater request',
    {
      trace: submitTrace,
      list: { path: '/platform/aus/request/summary', identity: 'request_id', newestBy: 'request_id' },
      where: 'the list of account updater requests',
      agreement: 'same number of cards',
      told: values({ data: [{ card_id: 'a' }, {}] }),
      untold: [values({}), values({ data: [] })],
      tells: 'minutes',
      key: '2',
      filter: [],
    },
  ],
  [
    'a request of API Request',
    {
      trace: requestTrace,
      list: { path: '', identity: '' },
      where: 'the path of "Look Up by a GET Request"',
      agreement: 'something is there',
      told: values({}, {}, { method: 'PUT', lookUpPath: LOOK }),
      untold: [values({}, {}, { method: 'POST' }), values({}, {}, { method: 'DELETE', lookUpPath: LOOK }), values({})],
      tells: 'minutes',
      key: LOOK,
      filter: [],
    },
  ],
  [
    'an invoice',
    {
      trace: invoiceTrace,
      list: { path: '/platform/invoice', identity: 'invoice_id', newestBy: 'db_timestamp' },
      where: 'the list of invoices',
      agreement: 'same customer, same invoice number where there is one, same total',
      reference: 'invoice_number',
      told: values({ customer_id: ' C1 ', invoice_number: ' A-1 ' }),
      untold: [values({ invoice_number: 'A-1' }), values({ customer_id: 'C1' }), values({})],
      tells: 'always',
      key: '["C1","A-1"]',
      filter: ['customer_id,IS,C1', 'invoice_number,IS,A-1'],
    },
  ],
  [
    'a payee account',
    {
      trace: accountTrace,
      list: { path: '/platform/vault/payee/{payee_id}', identity: 'payee_id' },
      where: "the payee's own record",
      agreement: 'same last digits of the account number, same kind of account and holder where they were given',
      told: values({ dda_number: '000123543541' }, { payee_id: '9' }),
      untold: [values({ dda_number: '1' }), values({ merchant_id: 1 }, { payee_id: '9' })],
      tells: 'day',
      key: '9 3541',
      filter: [],
    },
  ],
  [
    'a plan',
    {
      trace: planTrace,
      list: { path: '/platform/plan', identity: 'plan_id', newestBy: 'plan_id' },
      where: 'the list of plans',
      agreement: 'same code, name, amounts, frequency, duration, trial and set day',
      reference: 'plan_code',
      told: values({ plan_code: 'GOLD' }),
      untold: [values({}), values({ plan_code: 'GOLD', merchant_id: 1 })],
      tells: 'always',
      key: 'GOLD',
      filter: ['plan_code,IS,GOLD'],
    },
  ],
  [
    'a subscription',
    {
      trace: subscriptionTrace,
      list: { path: '/platform/subscription', identity: 'subscription_id', newestBy: 'subscription_id' },
      where: 'the list of subscriptions',
      agreement: 'same customer, same plan or terms, same start',
      reference: 'purchase_id',
      told: values({ customer_id: 'C1', date_start: START }),
      untold: [values({ customer_id: 'C1' }), values({ customer_id: 'C1', date_start: START, merchant_id: 1 })],
      tells: 'always',
      key: '["C1","2030-03-01"]',
      filter: ['customer_id,IS,C1'],
    },
  ],
  [
    'a refund',
    {
      trace: refundTrace,
      list: { path: '/platform/reporting/transaction-requests', identity: 'pg_id', newestBy: 'tran_time' },
      where: 'the transaction report',
      agreement: 'same transaction, same amount',
      told: values({ amt_tran: -4 }, { pgIdOrig: '42' }),
      untold: [values({ amt_tran: 4 }), values({}, { pgIdOrig: '42' })],
      tells: 'day',
      key: '42 400',
      filter: ['pg_id_linked,IS,42'],
    },
  ],
  [
    'a webhook',
    {
      trace: webhookTrace,
      list: { path: '/platform/webhook', identity: 'webhook_id', newestBy: 'webhook_id' },
      where: 'the list of webhooks',
      agreement: 'same label, same address, same events',
      told: values({ label: 'L', notification_url: 'https://example.com/x' }),
      untold: [values({ label: 'L' }), values({ notification_url: 'https://example.com/x' })],
      tells: 'minutes',
      key: '["L","https://example.com/x"]',
      filter: ['label,IS,L'],
    },
  ],
];

describe.each(declared)('%s', (_, expected) => {
  const { trace, told, untold, ...rest } = expected;

  test('is looked up where the service shows it, by what identifies it', () => {
    const { list, where, agreement, reference } = trace;
    const shown = { tells: tellsFor(trace, told), key: trace.key(told), filter: trace.filter(told) };
    expect({ list, where, agreement, ...(reference && { reference }), ...shown }).toMatchObject(rest);
    expect(trace.list.pathOf?.(told)).toBe(trace === requestTrace ? LOOK : undefined);
  });

  test('is looked up only if the request says enough', () => {
    expect(trace.isTold(told)).toBe(true);
    expect(untold.map(trace.isTold)).toEqual(untold.map(() => false));
  });
});

test('an invoice without a number is known for minutes only, and may get a number from the service', () => {
  const lines = { line_items: [{ quantity: 2, description: 'Hour', unit_cost: 5 }] };
  const unnumbered = values({ customer_id: 'C1', invoice_number: ' ', ...lines });
  expect(invoiceTrace.isTold(unnumbered)).toBe(true);
  expect(tellsFor(invoiceTrace as Trace, unnumbered)).toBe('minutes');
  expect(invoiceTrace.keysOf?.({ customer_id: 'C1', invoice_number: 'A-1' })).toEqual(['["C1","A-1"]', '["C1",""]']);
});

test('an invoice whose total is not shown is told by its number, and one whose total is not known as well', () => {
  const numbered = values({ customer_id: 'C1', invoice_number: 'A-1' });
  const record: IDataObject = { customer_id: ' C1', invoice_number: 'A-1 ', status: 'SAVED' };
  expect(invoiceTrace.agrees(record, numbered)).toBe(true);
  expect(invoiceTrace.agrees({ ...record, amt_tran: 7 }, numbered)).toBe(true);
});

test('an unknown content agrees with whatever is at the path of API Request', () => {
  expect(requestTrace.agrees({}, values({}))).toBe(true);
});

describe('an active plan of the same code', () => {
  const body = { plan_code: 'GOLD', plan_name: 'Gold', plan_frequency: 3, plan_duration: 12, amt_tran: 10 };
  const record: IDataObject = { ...body, plan_id: 1, status: 'E', recur_amt: 10 };
  const { agrees, mayBe }: Trace = planTrace;

  test.each<[string, IDataObject, boolean, boolean]>([
    ['with the same terms is the plan', {}, true, true],
    ['with another price may be the plan', { recur_amt: 11, amt_tran: 11 }, false, true],
    ['that is archived is another plan', { status: 'A' }, false, false],
    ['is another plan if its code differs', { plan_code: 'SILVER' }, false, false],
  ])('%s', (_, more, isSure, isPossible) => {
    expect(agrees({ ...record, ...more }, values(body))).toBe(isSure);
    expect(mayBe?.({ ...record, ...more }, values(body))).toBe(isPossible);
  });

  test('can be asked for by Duplicate Check', () => {
    expect([planTrace.hasDuplicateCheck, planTrace.resemblance]).toEqual([true, 'same code']);
    expect(refundTrace.hasDuplicateCheck).toBe(true);
  });
});

test('the words of what was done warn that the security key of a webhook is lost', () => {
  expect(webhookTrace.says?.({}, values({ label: 'CRM' }))).toMatch(
    /^Created the webhook "CRM"\. Its security key was in the answer that got lost .* merchant portal/,
  );
});

test('the account of a payee answers as its operation does, and counts from a moment with an offset only', () => {
  const account = { dda_number: 'xxxx3541', verified_date: '2030-03-01T09:00:00Z x' };
  expect(accountTrace.answer?.({ payee_id: '9', payee_account: account })).toEqual(account);
  expect(accountTrace.time?.({ payee_account: account })).toBeUndefined();
  expect(invoiceTrace.time?.({ db_timestamp: '2030-03-01T09:00:00Z x' })).toBeUndefined();
  expect(invoiceTrace.time?.({ db_timestamp: '2030-03-01T09:00:00z' })?.toUTC().toISO()).toBe(
    '2030-03-01T09:00:00.000Z',
  );
});
