import { Settings } from 'luxon';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { RecentPayments } from '../../../nodes/PaymentPlatform/limits/recent-payments';
import type { Account, Operation, PartialFailure, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import type { WriteOutcome } from '../../../nodes/PaymentPlatform/model/write-memory';
import { resources } from '../../../nodes/PaymentPlatform/resources';
import { refund } from '../../../nodes/PaymentPlatform/resources/transaction/refund';
import { account } from '../requests';

const NOON = Date.parse('2026-06-15T16:00:00Z');
const TEN_MINUTES = 600_000;
/** Time after which no payment in n8n's database needs an explanation. */
const FORGOTTEN = 12 * 60_000;
beforeEach(() => {
  jest.useFakeTimers({ now: NOON });
  RecentPayments.byIdentity.clear();
});
afterEach(() => jest.useRealTimers());

interface Given {
  execution?: string;
  workflow?: string;
  node?: string;
  name?: string;
  mode?: string;
  account?: Partial<Account>;
  isPreview?: boolean;
}

let executions = 0;
function open({
  execution = String((executions += 1)),
  workflow = 'W',
  node = 'N',
  mode = 'manual',
  ...more
}: Given = {}) {
  const context = {
    getWorkflow: () => ({ id: workflow }),
    getNode: () => ({ id: node, name: more.name ?? 'Pay', type: 'paymentPlatform', parameters: {} }),
    getMode: () => mode,
    getExecutionId: () => (execution === '' ? undefined : execution),
    getExecutionContext: () => undefined,
  } as unknown as IExecuteFunctions;
  return new RecentPayments(
    context,
    { ...account, environment: 'production', ...more.account },
    more.isPreview ?? false,
  );
}

const request = (amt_tran: unknown = 4, pgIdOrig = '42'): PlannedRequest =>
  ({
    ...{ items: [0], part: 0, operation: refund, options: {}, effect: 'writesOnce' },
    ...{ method: 'POST', path: `/pg/refund/${pgIdOrig}` },
    values: { path: { pgIdOrig }, query: {}, body: { amt_tran }, node: {} },
  }) as unknown as PlannedRequest;

/** Reports the outcome of a payment, as a run does. */
function end(payments: RecentPayments, one: PlannedRequest, outcome: WriteOutcome) {
  payments.settle(one, outcome);
  if (outcome === 'done') payments.recordMade(one);
}

/** Makes a payment, unless the node refuses it. */
function pay(given: Given = {}, one = request(), outcome: WriteOutcome = 'done') {
  const payments = open(given);
  const failure = payments.begin(one);
  if (!failure) end(payments, one, outcome);
  return failure?.message ?? payments.notice(one) ?? 'sent';
}

test.each<[string, Given]>([
  ['a copy of the workflow', { workflow: 'Copy' }],
  ['a copy of the node', { node: 'Copy' }],
  ['another merchant', { account: { merchantId: '2' } }],
  ['another environment', { account: { environment: 'test' } }],
])('%s makes another payment', (_, other) => {
  pay();
  expect(pay(other)).toBe('sent');
});

test('a renamed node is the same node', () => {
  pay();
  expect(pay({ name: 'Renamed' })).toMatch(/^The same refund of this sale was made/);
});

test('a change of the clock neither forgets nor prolongs a payment', () => {
  pay();
  jest.setSystemTime(NOON + 10 * TEN_MINUTES);
  expect(pay()).toMatch(/1 second ago/);
  jest.setSystemTime(NOON - 10 * TEN_MINUTES);
  expect(pay()).toMatch(/1 second ago/);
  jest.advanceTimersByTime(TEN_MINUTES + 1);
  expect(pay()).toBe('sent');
});

test.each([
  [1, '1 second'],
  [1999, '1 second'],
  [59_999, '59 seconds'],
  [60_000, '1 minute'],
  [TEN_MINUTES, '10 minutes'],
])('after %d ms, the message contains %s', (milliseconds, words) => {
  pay({ execution: '41' });
  jest.advanceTimersByTime(milliseconds);
  expect(pay()).toBe(`The same refund of this sale was made ${words} ago in execution 41, so the item was not sent`);
});

test('names the latest of several executions, and not a refused payment', () => {
  for (const [execution, outcome] of [
    ['41', 'done'],
    ['42', 'done'],
    ['43', 'refused'],
  ] as const)
    pay({ execution, mode: 'trigger' }, request(), outcome);
  expect(pay()).toContain('in execution 42');
});

test('an execution whose second equal payment is refused still made the first one', () => {
  const payments = open({ execution: '41' });
  const [first, second] = [request(), request()];
  for (const [one, outcome] of [
    [first, 'done'],
    [second, 'refused'],
  ] as const) {
    expect(payments.begin(one)).toBeUndefined();
    end(payments, one, outcome);
  }
  expect(pay()).toContain('was made');
});

test('a payment that is being sent counts, and a refused one leaves no trace', () => {
  const one = request();
  const payments = open({ execution: '41' });
  payments.begin(one);
  expect(open().begin(request())).toMatchObject({
    outcome: 'invalid',
    message: expect.stringContaining('was sent 1 second ago in execution 41') as string,
  });
  payments.settle(one, 'refused');
  expect(RecentPayments.byIdentity.size).toBe(0);
  expect(pay()).toBe('sent');
});

test('a retry belongs to the execution of the first attempt', () => {
  pay({ execution: '41', mode: 'trigger' });
  expect(pay({ execution: '41', mode: 'retry' })).toBe('sent');
  expect(pay({ execution: '42', mode: 'retry' })).toBe(
    'The same refund of this sale was made 1 second ago in execution 41.',
  );
});

test('a preview refuses and records nothing', () => {
  expect(pay({ isPreview: true })).toBe('sent');
  expect(RecentPayments.byIdentity.size).toBe(0);
  pay();
  expect(pay({ isPreview: true })).toMatch(/^The same refund of this sale was made/);
});

test('forgets old payments, and the oldest ones beyond 100,000', () => {
  for (let sale = 0; sale < 3; sale += 1) pay({ mode: 'trigger' }, request(4, `old ${sale}`));
  jest.advanceTimersByTime(FORGOTTEN + 1);
  pay({ mode: 'trigger' }, request(4, 'new'));
  expect(RecentPayments.byIdentity.size).toBe(1);
  const payments = open({ mode: 'trigger' });
  for (let sale = 0; sale < 100_010; sale += 1) payments.begin(request(4, String(sale)));
  expect(RecentPayments.byIdentity.size).toBeLessThanOrEqual(100_001);
  expect(pay({}, request(4, 'new'))).toBe('sent');
  expect(pay({}, request(4, '100009'))).toMatch(/^The same refund of this sale was sent/);
});

test('the failure says whether the earlier payment was made, and how to repeat it', () => {
  const again = 'To send it again, turn on the option "Allow Repeated Payments".';
  pay({ execution: '41' });
  const made = open();
  expect(made.begin(request())).toEqual({
    outcome: 'doneBefore',
    message: 'The same refund of this sale was made 1 second ago in execution 41, so the item was not sent',
    advice: again,
  });
  pay({ execution: '41' }, request(5), 'unknown');
  expect(open().begin(request(5))).toEqual({
    outcome: 'invalid',
    message: 'The same refund of this sale was sent 1 second ago in execution 41, so the item was not sent',
    advice: `Check the outcome of that execution first. ${again}`,
  });
});

test.each<[string, unknown, unknown, unknown]>([
  ['6.00 can still be refunded. ', 6, 6, undefined],
  ['5.40 EUR can still be refunded. ', 5.4, 6, '978'],
  ['5.40 can still be refunded. ', 6, 5.4, undefined],
  ['5.40 can still be refunded. ', 5.4, undefined, undefined],
  ['Nothing is left to refund. ', undefined, 0, undefined],
  ['Nothing is left to refund. ', 0, 6, undefined],
  ['', undefined, 6, undefined],
  ['', undefined, undefined, undefined],
])('says %j if the record shows %j and the earlier result %j', (words, read, amt_refundable, tran_currency) => {
  const payments = open({ execution: 'first' });
  const first = request();
  payments.begin(first);
  payments.recordMade(first, undefined, [{ amt_refundable } as IDataObject]);
  const one = request();
  if (read !== undefined) one.values.node.left = { amt_refundable: read, tran_currency };
  const failure = open().begin(one);
  expect(failure?.advice).toBe(`${words}To send it again, turn on the option "Allow Repeated Payments".`);
});

test('the message contains the refundable amount only of refunds whose earlier outcome is known', () => {
  const [, operation] = all.find(([name]) => name === 'transaction.sale') ?? [];
  for (const [more, outcome] of [
    [{ operation }, 'done'],
    [{}, 'unknown'],
  ] as const) {
    RecentPayments.byIdentity.clear();
    const one = { ...request(), ...more } as PlannedRequest;
    one.values.node.left = { amt_refundable: 6 };
    pay({}, one, outcome);
    expect(open().begin(one)?.advice).not.toContain('refunded');
  }
});

test('only a manual execution in production without the option refuses a payment', () => {
  pay({ execution: '41' });
  const notice = 'The same refund of this sale was made 1 second ago in execution 41.';
  expect(pay({ execution: '41b', mode: 'trigger' })).toBe(notice);
  const allowed = { ...request(), options: { allowEqual: true } } as PlannedRequest;
  expect(pay({}, allowed)).toBe('The same refund of this sale was made 1 second ago in execution 41b.');
  const inTest = { account: { environment: 'test' } } as const;
  pay({ ...inTest, execution: '41' });
  expect(pay(inTest)).toBe(notice);
});

test('an older payment of one execution is forgotten while another one is recent', () => {
  pay({ execution: '41', mode: 'trigger' });
  jest.advanceTimersByTime(FORGOTTEN - 1000);
  pay({ execution: '42', mode: 'trigger' });
  jest.advanceTimersByTime(2000);
  pay({ execution: '42', mode: 'retry' });
  const payments = [...(RecentPayments.byIdentity.values().next().value?.values() ?? [])];
  expect(payments.map(({ run }) => run.execution)).toEqual(['42']);
});

test('a late refusal of a forgotten payment leaves a newer equal one of the execution', () => {
  const [payments, one, other] = [open({ execution: '41' }), request(), request()];
  payments.begin(one);
  jest.advanceTimersByTime(FORGOTTEN + 1);
  payments.begin(other);
  payments.settle(one, 'refused');
  expect(pay()).toContain('was sent 1 second ago in execution 41');
});

test('a retry that finds the payment of the first attempt shows that it was made', () => {
  pay({ execution: '41', mode: 'trigger' }, request(), 'unknown');
  open({ execution: '41', mode: 'retry' }).recordMade(request());
  expect(pay()).toContain('was made');
});

test('a partial approval counts as a whole payment if an equal payment was made in full', () => {
  const [payments, one, other] = [open({ execution: 'first' }), request(), request()];
  const partly = { text: '', about: '', failure: { rcode: '010' } } as PartialFailure;
  for (const each of [one, other]) payments.begin(each);
  payments.recordMade(one, partly);
  expect(pay()).toContain('was made in part 1 second ago');
  payments.recordMade(other);
  payments.recordMade(one, partly);
  expect(pay()).toContain('was made 1 second ago');
});

describe("a payment that n8n's database shows", () => {
  const minutesAgo = (minutes: number) => performance.now() - minutes * 60_000;
  const again = 'To send it again, turn on the option "Allow Repeated Payments".';

  test.each([
    ['made', 'doneBefore', again],
    ['sent', 'invalid', `Check the outcome of that execution first. ${again}`],
  ] as const)('is refused if it was %s', (word, outcome, advice) => {
    const found = { at: minutesAgo(3), made: word === 'made' ? 'whole' : undefined } as const;
    expect(open().begin(request(), false, found)).toEqual({
      outcome,
      message: `The same refund of this sale was ${word} at most 3 minutes ago, so the item was not sent`,
      advice,
    });
    expect(RecentPayments.byIdentity.size).toBe(0);
  });

  test('yields to the memory, which contains the execution', () => {
    pay({ execution: '41' });
    expect(open().begin(request(), false, { at: minutesAgo(1) })?.message).toContain(
      'was made 1 second ago in execution 41',
    );
  });

  test('adds a notice to the output if the option allows the payment, or in another execution', () => {
    const cases: Array<[Given, object]> = [
      [{}, { allowEqual: true }],
      [{ mode: 'trigger' }, {}],
    ];
    for (const [given, options] of cases) {
      const [payments, one] = [open(given), { ...request(), options } as PlannedRequest];
      expect(payments.begin(one, false, { at: minutesAgo(2), made: 'whole' })).toBeUndefined();
      expect(payments.notice(one)).toBe('The same refund of this sale was made at most 2 minutes ago.');
      RecentPayments.byIdentity.clear();
    }
  });

  test('is an attempt at the same key of Once per Key if the node resumes the key', () => {
    expect(open().begin(request(), true, { at: minutesAgo(2) })).toBeUndefined();
  });

  test('belongs to the execution if the execution recorded an equal payment first', () => {
    const payments = open();
    expect(payments.begin(request())).toBeUndefined();
    expect(payments.begin(request(), false, { at: minutesAgo(1) })).toBeUndefined();
    jest.advanceTimersByTime(TEN_MINUTES + 50_000);
    expect(payments.begin(request(), false, { at: minutesAgo(11) })).toBeUndefined();
  });

  test('stays a repetition if the execution sent an equal payment because the option allows it', () => {
    const payments = open();
    const allowed = { ...request(), options: { allowEqual: true } } as PlannedRequest;
    expect(payments.begin(allowed, false, { at: minutesAgo(1) })).toBeUndefined();
    expect(payments.begin(request(), false, { at: minutesAgo(1) })?.outcome).toBe('invalid');
  });

  test('is over if it is the one whose time the memory contains', () => {
    pay();
    jest.advanceTimersByTime(TEN_MINUTES + 1);
    expect(open().begin(request(), false, { at: minutesAgo(10) })?.outcome).toBe('invalid');
    expect(open().begin(request(), false, { at: -Infinity })?.outcome).toBe('invalid');
    expect(open().begin(request(), false, { at: minutesAgo(11) })).toBeUndefined();
    RecentPayments.byIdentity.clear();
    expect(open().begin(request(), false, { at: minutesAgo(11) })?.outcome).toBe('invalid');
  });

  test('may be missing if n8n removed its key', () => {
    const [payments, one] = [open(), { ...request(), options: { allowEqual: true } } as PlannedRequest];
    expect(open().begin(request(), false, { at: -Infinity })).toEqual({
      outcome: 'invalid',
      message: "n8n's database no longer contains all payments of the last 10 minutes, so the item was not sent",
      advice: 'Check the transaction report first. To send it again, turn on the option "Allow Repeated Payments".',
    });
    expect(payments.begin(one, false, { at: -Infinity })).toBeUndefined();
    expect(payments.notice(one)).toBeUndefined();
  });
});

const all = resources.flatMap(({ value, operations }) =>
  operations.map((operation): [string, Operation] => [`${value}.${operation.value}`, operation]),
);
const NOUNS: Record<string, string> = {
  ...{
    'transaction.sale': 'charge',
    'transaction.authorize': 'authorization',
    'transaction.capture': 'capture of this authorization',
  },
  ...{ 'transaction.refund': 'refund of this sale', 'transaction.void': 'void of this transaction' },
  ...{ 'transaction.recharge': 'recharge of this transaction', 'transaction.payout': 'payout to this payee' },
  ...{ 'transaction.credit': 'credit', 'transaction.force': 'payment', 'subscription.create': 'subscription' },
  ...{ 'invoice.addPayment': 'payment on this invoice', 'dispute.accept': 'acceptance of this dispute' },
  ...{ 'api.request': 'request' },
};

test.each(all)('%s counts only if it makes a payment', (name, operation) => {
  const body = { amt_tran: 4, amt_paid: 4 };
  const one = { ...request(), operation, values: { path: {}, query: {}, body, node: {} } } as PlannedRequest;
  pay({ execution: 'first' }, one);
  const noun = NOUNS[name];
  expect(pay({}, one)).toBe(
    noun === undefined ? 'sent' : `The same ${noun} was made 1 second ago in execution first, so the item was not sent`,
  );
});

test.each([
  ['for this customer', { customer_id: 'C1' }],
  ['for this payment method', { card_id: '77' }],
])('the message contains that a charge was %s', (whom, body) => {
  const [, operation] = all.find(([name]) => name === 'transaction.sale') ?? [];
  const values = { path: {}, query: {}, body: { amt_tran: 4, ...body }, node: {} };
  const charge = { ...request(), operation, values, path: '/pg/sale' } as PlannedRequest;
  pay({ execution: '41' }, charge);
  expect(pay({}, charge)).toContain(`The same charge ${whom} was made 1 second ago in execution 41`);
});

test('an API Request that moves no money does not count', () => {
  const [, operation] = all.find(([name]) => name === 'api.request') ?? [];
  const values = { path: {}, query: {}, body: {}, node: {} };
  const saving = { ...request(), operation, values, path: '/platform/vault/customer' } as PlannedRequest;
  pay({}, saving);
  expect(pay({}, saving)).toBe('sent');
});

test('the message is in English for any locale of n8n', () => {
  Settings.defaultLocale = 'de';
  pay({ execution: '41' });
  expect(pay({ mode: 'trigger' })).toBe('The same refund of this sale was made 1 second ago in execution 41.');
  Settings.defaultLocale = 'en';
});
