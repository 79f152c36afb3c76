import { sleep, type IDataObject } from 'n8n-workflow';

import { webhookIdOf } from './bench';
import {
  bench,
  bounce,
  catchUp,
  control,
  emitted,
  namesOf,
  open,
  openSwitchedOff,
  payInvoice,
  request,
  subscribe,
  switchOff,
} from './catch-up-bench';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const CHANGES: Array<[string, string[], () => Promise<unknown>]> = [
  ['a paid invoice', ['invoice_paid', 'invoice_payment_success'], payInvoice],
  ['an undeliverable email', ['invoice_email_undeliverable'], bounce],
  ['a paid subscription', ['subscription_payment_success'], async () => await subscribe({})],
  [
    'a completed subscription',
    ['subscription_complete', 'subscription_payment_success'],
    async () => await subscribe({ plan_duration: 1 }),
  ],
  [
    'a suspended subscription',
    ['subscription_payment_failure', 'subscription_suspended'],
    async () => await subscribe({ amt_tran: 0.14 }),
  ],
  [
    'a settled batch',
    ['transaction_status_updated'],
    async () => {
      control().addCapturedSales({ count: 3, amountCents: 500 });
      await Promise.resolve(control().closeBatch());
    },
  ],
  [
    'a dispute',
    ['dispute_update'],
    async () =>
      await request('get', `/platform/dispute/${bench.sandbox.credentials.test.merchantId}/create?reasonCode=10.4`),
  ],
  [
    'an account updater request',
    ['account_updater_request_completed', 'account_updater_request_created'],
    async () => {
      const card = { card_number: '4111111111111111', exp_date: '1230', card_id: 'crm-1' };
      await request('post', '/platform/aus/add', { data: [card] });
      await control().advanceClock({ days: 5 });
    },
  ],
];

describe.each(CHANGES)('%s', (_, events, change) => {
  test('is emitted once by catch-up if the service created no delivery', async () => {
    await open({ events });
    await switchOff();
    await change();
    const items = await catchUp();
    expect(bench.host.problems).toEqual([]);
    expect(namesOf(items)).toEqual(events);
    for (const item of items) expect(item).toMatchObject({ source: 'catch_up', environment: 'test' });
    expect(await catchUp()).toEqual([]);
    await bench.host.restart();
    expect(await catchUp()).toEqual([]);
  });

  test("isn't emitted by catch-up if the webhook delivered it", async () => {
    await open({ events });
    await change();
    const items = await emitted();
    expect(namesOf(items)).toEqual(events);
    for (const item of items) expect(item).toMatchObject({ source: 'webhook' });
    expect(await catchUp()).toEqual([]);
    await bench.host.restart();
    expect(await catchUp()).toEqual([]);
  });

  test("isn't emitted again if the service delivers it after catch-up", async () => {
    await open({ events });
    bench.host.refusedExecutions = Infinity;
    await change();
    await control().settleDeliveries();
    await bench.host.idle();
    bench.host.refusedExecutions = 0;
    bench.host.executions.length = 0;
    expect(namesOf(await catchUp())).toEqual(events);
    control().retryNow();
    expect(await emitted()).toEqual([]);
  });

  test('from before the first activation is not emitted', async () => {
    await open({ events, catchUp: 'never' });
    await switchOff();
    await change();
    bench.host.parameters = { events, catchUp: 'everyHour' };
    expect(await catchUp()).toEqual([]);
    expect(await catchUp()).toEqual([]);
    expect(bench.host.problems).toEqual([]);
  });
});

test('catch-up never starts an execution if the user chose Never', async () => {
  await openSwitchedOff({ catchUp: 'never' });
  await payInvoice();
  expect(await catchUp()).toEqual([]);
  expect(bench.host.handed).toEqual([]);
});

test.each([
  ['onActivation', [/^\d+ \d+ \d+ \* \* [0-6]$/]],
  ['everyHour', [/^\d+ \d+ \* \* \* \*$/]],
  ['every6Hours', [/^\d+ \d+ \*\/6 \* \* \*$/]],
  ['everyDay', [/^\d+ \d+ \d+ \* \* \*$/]],
])('with the schedule %s, n8n starts catch-up at these times: %p', async (schedule, expected) => {
  await openSwitchedOff({ catchUp: schedule });
  const { crons } = bench.host;
  expect(crons).toHaveLength(expected.length);
  for (const [index, pattern] of expected.entries()) expect(crons[index]?.expression).toMatch(pattern);
  await payInvoice();
  crons[0]?.tick();
  expect(namesOf(await emitted())).toEqual(crons.map(() => 'invoice_paid'));
});

test('after n8n ran for five weeks, On Activation emits a change that no delivery told', async () => {
  await open({ events: ['invoice_paid'] });
  for (let week = 0; week < 5; week += 1) {
    await sleep(7 * DAY_MS);
    await payInvoice();
    bench.host.crons.at(-1)?.tick();
    expect(namesOf(await emitted())).toEqual(['invoice_paid']);
  }
  await switchOff();
  await payInvoice();
  await bench.host.restart();
  expect(namesOf(await catchUp())).toEqual(['invoice_paid']);
});

test('catch-up starts no execution after the workflow was deactivated', async () => {
  await open();
  const before = bench.host.handed.length;
  await bench.host.startTrigger();
  await bench.host.deactivate();
  expect(await emitted()).toEqual([]);
  expect(bench.host.handed).toHaveLength(before);
});

test("catch-up reads only the merchant of the API key, so a trigger for another merchant doesn't catch up", async () => {
  await openSwitchedOff({ options: { webhook_node: '100000000002' } });
  await payInvoice();
  expect(await catchUp()).toEqual([]);
});

describe.each([
  ['the service is down', { kind: 'status', status: 503 }],
  ['the service refuses too many requests', { kind: 'rate_limited' }],
  ['the answer is cut off', { kind: 'truncated_json' }],
] as const)('If %s', (_, fault) => {
  test.each([1, 2])(
    'during request %d of catch-up, nothing is emitted, and the next one emits everything',
    async (from) => {
      await openSwitchedOff({ events: ['invoice_paid', 'dispute_update'] });
      const invoices = [await payInvoice(), await payInvoice()];
      control().addFault({ ...fault, method: 'GET', calls: { from } });
      expect(await catchUp()).toEqual([]);
      expect(bench.host.problems).toEqual([expect.stringContaining('The trigger could not catch up')]);
      control().clearFaults();
      const items = await catchUp();
      const paid = items.map(({ payload }) => ((payload as IDataObject).data as IDataObject).invoice_id);
      expect(paid.map(Number)).toEqual(invoices);
      expect(await catchUp()).toEqual([]);
    },
  );
});

describe.each([
  ['the service is down', (): void => void control().addFault({ method: 'GET', kind: 'status', status: 503 })],
  ['n8n starts no execution', (): void => void (bench.host.refusedExecutions = 3)],
] as const)('While %s', (_, fail) => {
  test('the trigger repeats catch-up with growing pauses', async () => {
    await openSwitchedOff();
    await payInvoice();
    fail();
    expect(await catchUp()).toEqual([]);
    await sleep(7 * MINUTE_MS);
    expect(bench.host.executions).toEqual([]);
    control().clearFaults();
    await sleep(16 * MINUTE_MS);
    expect(namesOf(await emitted())).toEqual(['invoice_paid']);
    const handed = bench.host.handed.length;
    await sleep(8 * 60 * MINUTE_MS);
    expect(bench.host.handed).toHaveLength(handed);
  });

  test('the trigger does not repeat catch-up after a deactivation', async () => {
    await openSwitchedOff();
    await payInvoice();
    fail();
    await catchUp();
    await bench.host.deactivate();
    const handed = bench.host.handed.length;
    control().clearFaults();
    await sleep(8 * 60 * MINUTE_MS);
    expect(bench.host.handed).toHaveLength(handed);
  });
});

test('catch-up emits the events that suspended the webhook', async () => {
  await open({ events: ['invoice_paid'] });
  bench.host.refusedExecutions = Infinity;
  const invoices = [];
  for (let count = 0; count < 12; count += 1) invoices.push(await payInvoice());
  await control().advanceClock({ hours: 2 });
  const webhook = await request('get', `/platform/webhook/${webhookIdOf(bench)}`);
  expect(webhook).toMatchObject({ status: 'SUSPENDED' });
  bench.host.refusedExecutions = 0;
  expect(namesOf(await catchUp())).toEqual(invoices.map(() => 'invoice_paid'));
  expect(await catchUp()).toEqual([]);
});

test('the trigger repeats a failed catch-up five times', async () => {
  await openSwitchedOff();
  const handed = bench.host.handed.length;
  control().addFault({ method: 'GET', kind: 'status', status: 503 });
  await catchUp();
  await sleep(24 * 60 * MINUTE_MS);
  expect(bench.host.handed).toHaveLength(handed + 6);
});

test('a catch-up replaces the repetition of an earlier one', async () => {
  await openSwitchedOff({ catchUp: 'everyHour' });
  const handed = bench.host.handed.length;
  control().addFault({ method: 'GET', kind: 'status', status: 503 });
  await catchUp();
  control().clearFaults();
  bench.host.crons[0]?.tick();
  await sleep(24 * 60 * MINUTE_MS);
  expect(bench.host.handed).toHaveLength(handed + 2);
});

test("the trigger doesn't repeat catch-up if a later node fails", async () => {
  await openSwitchedOff();
  await payInvoice();
  bench.host.work = async () => await Promise.reject(new Error('The CRM is down'));
  expect(namesOf(await catchUp())).toEqual(['invoice_paid']);
  const handed = bench.host.handed.length;
  await sleep(8 * 60 * MINUTE_MS);
  expect(bench.host.handed).toHaveLength(handed);
});

test.each([5_000, 15_000])("the trigger doesn't repeat a catch-up that a person canceled after %d ms", async (ms) => {
  await openSwitchedOff();
  await payInvoice();
  control().addLatency({ path: '/platform/invoice/{invoice_id}/detail', milliseconds: 8_000 });
  bench.host.work = async () => await sleep(30_000);
  const handed = bench.host.handed.length;
  await bench.host.startTrigger();
  await sleep(10_000 + ms);
  expect(bench.host.handed).toHaveLength(handed + 1);
  bench.host.cancelExecutions();
  await sleep(8 * 60 * MINUTE_MS);
  expect(bench.host.handed).toHaveLength(handed + 1);
});

/** Makes the list show a change late, and catches up shortly before and after that. */
async function catchUpAround(days: number, change: () => Promise<unknown>): Promise<string[]> {
  control().setListLag(days * DAY_MS);
  await change();
  await sleep((days - 0.1) * DAY_MS);
  expect(await catchUp()).toEqual([]);
  await sleep(0.2 * DAY_MS);
  return namesOf(await catchUp());
}

test.each([0.5, 0.9])(
  '%d days after midnight, catch-up emits a date of the day that the list shows a day late',
  async (begin) => {
    await sleep(DAY_MS - (Date.now() % DAY_MS) + begin * DAY_MS);
    await openSwitchedOff();
    expect(await catchUpAround(1.2, payInvoice)).toEqual(['invoice_paid']);
    expect(await catchUp()).toEqual([]);
  },
);

test('catch-up finds entries that are twice as late as an entry that it found', async () => {
  await open({ events: ['invoice_email_undeliverable'] });
  await switchOff();
  for (const days of [1.5, 3.5]) expect(await catchUpAround(days, bounce)).toEqual(['invoice_email_undeliverable']);
  expect(await catchUp()).toEqual([]);
});

test("catch-up measures the delay of a subscription's payment, although its event has no time", async () => {
  await open({ events: ['subscription_payment_success'] });
  await switchOff();
  await sleep(10 * DAY_MS);
  expect(await catchUp()).toEqual([]);
  const dayAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  const data = [{ pg_id: 'P-1', subscription_id: '', tran_status: 'C', amt_tran: 12, tran_time: dayAgo(1.4) }];
  const body = { code: 0, data, totalPages: 1, totalRecords: 1 };
  const path = '/platform/subscription/transactions';
  control().addFault({ kind: 'status', status: 200, method: 'GET', path, body });
  expect(await catchUp()).toHaveLength(1);
  control().clearJournal();
  await catchUp();
  const filter = `tran_time,GREATER,${dayAgo(5).slice(0, 10)}`;
  expect(control().journal()).toMatchObject([{ query: { filter } }]);
});

test.each([
  [4, ['invoice_payment_success']],
  [0, []],
])(
  'after a delivery of a payment of %d days ago, catch-up finds these changes of five days ago: %j',
  async (days, found) => {
    await open({ events: ['invoice_payment_success'] });
    await sleep(5 * DAY_MS);
    expect(await catchUp()).toEqual([]);
    await payInvoice({ days });
    expect(await emitted()).toHaveLength(1);
    await switchOff();
    await payInvoice({ days: 5 });
    expect(namesOf(await catchUp())).toEqual(found);
  },
);

test('a delivery with several transactions omits those that catch-up emitted', async () => {
  await open({ events: ['transaction_status_updated'], options: { split: true } });
  await switchOff();
  control().addCapturedSales({ count: 2, amountCents: 500 });
  const settled = control().closeBatch();
  expect(await catchUp()).toHaveLength(2);
  const entry = (pg_id: string) => ({ pg_id, amt_tran: 5, tran_status: 'S' });
  await request('put', `/platform/webhook/${webhookIdOf(bench)}/enable`);
  await bench.deliver('transaction_status_updated', { transactions: [...settled, 'T-new'].map(entry) });
  expect((await emitted()).map((item) => (item.entry as IDataObject).pg_id)).toEqual(['T-new']);
});

test('catch-up emits only changes that pass the filters', async () => {
  await openSwitchedOff({ events: ['transaction_status_updated'], options: { onlyAmountsFrom: '6' } });
  control().addCapturedSales({ count: 2, amountCents: 500 });
  const [kept] = control().addCapturedSales({ count: 1, amountCents: 600 });
  control().closeBatch();
  const [item, ...others] = await catchUp();
  expect(others).toEqual([]);
  expect((item?.payload as IDataObject).data).toMatchObject({ transactions: [{ pg_id: kept, amt_tran: 6 }] });
});

test("a change isn't emitted but named if n8n's database has lost the keys of that time", async () => {
  await openSwitchedOff();
  const invoice = await payInvoice();
  await bench.host.database.fill(36_000);
  await request('put', `/platform/webhook/${webhookIdOf(bench)}/enable`);
  await bench.deliver('invoice_paid', { invoice_id: 999 });
  expect(await emitted()).toHaveLength(1);
  expect(await catchUp()).toEqual([]);
  const told = `does not know whether the workflow received these changes, so it did not emit them: invoice_paid ${invoice}`;
  expect(bench.host.problems).toEqual([expect.stringContaining(told)]);
  expect(await catchUp()).toEqual([]);
  expect(bench.host.problems).toHaveLength(1);
  expect(bench.host.database.marks.length).toBeLessThanOrEqual(30_000);
});

test("a change isn't emitted but named if a delivery of its kind did not identify its change", async () => {
  await open({ events: ['invoice_paid', 'invoice_payment_success'] });
  await bench.deliver('invoice_paid', { invoice_number: 'INV-1' });
  expect(await emitted()).toHaveLength(1);
  await switchOff();
  const invoice = await payInvoice();
  const [item, ...others] = await catchUp();
  expect(others).toEqual([]);
  expect(item).toMatchObject({ event: 'invoice_payment_success' });
  expect(item?.notice).toContain(`did not emit them: invoice_paid ${invoice}`);
  expect(await catchUp()).toEqual([]);
  await control().advanceClock({ days: 3 });
  await payInvoice();
  expect(namesOf(await catchUp())).toEqual(['invoice_paid', 'invoice_payment_success']);
  expect(bench.host.problems).toEqual([]);
});

test('with many uncertain changes, one catch-up still emits the others', async () => {
  await open({ events: ['invoice_payment_success', 'dispute_update'] });
  await bench.deliver('invoice_payment_success', { invoice_number: 'INV-1' });
  await emitted();
  await switchOff();
  const data = Array.from({ length: 2_500 }, (_, index) => ({
    payment_id: index + 1,
    invoice_id: 1,
    tran_status: 'S',
    date_payment: control().now(),
  }));
  const body = { code: 0, data, totalPages: 1, totalRecords: data.length };
  control().addFault({ kind: 'status', status: 200, method: 'GET', path: '/platform/invoice/payments', body });
  await request('get', `/platform/dispute/${bench.sandbox.credentials.test.merchantId}/create?reasonCode=10.4`);
  const [item, ...others] = await catchUp();
  expect(others).toEqual([]);
  expect(item).toMatchObject({ event: 'dispute_update' });
  expect(item?.notice).toContain('invoice_payment_success 100, 2400 more.');
  expect(await catchUp()).toEqual([]);
});

test('two equal deliveries are both emitted, because only catch-up claims a state', async () => {
  await open({ events: ['invoice_paid'] });
  for (const amt_paid of [1, 2]) await bench.deliver('invoice_paid', { invoice_id: 7, amt_paid });
  expect(await emitted()).toHaveLength(2);
});

describe.each([
  ['one process', {}],
  ['queue mode', { workers: true }],
  ['n8n 1', { major: 1 }],
] as const)('In %s', (_, options) => {
  test('catch-up emits what was missed, and nothing twice', async () => {
    await openSwitchedOff({}, options);
    await payInvoice();
    expect(namesOf(await catchUp())).toEqual(['invoice_paid']);
    await bench.host.restart();
    expect(await catchUp()).toEqual([]);
  });

  test('three catch-ups at once emit a change once', async () => {
    await openSwitchedOff({ catchUp: 'everyHour' }, options);
    await payInvoice();
    bench.host.work = async () => await sleep(60_000);
    const before = bench.host.handed.length;
    for (let count = 0; count < 3; count += 1) {
      await bench.host.startTrigger();
      await sleep(12_000);
    }
    expect(bench.host.handed).toHaveLength(before + 3);
    expect(namesOf(await emitted())).toEqual(['invoice_paid']);
    expect(await catchUp()).toEqual([]);
  });

  test('changes of an execution that was killed during catch-up are emitted by the next one', async () => {
    await openSwitchedOff({}, options);
    await payInvoice();
    bench.host.work = async () => await sleep(300_000);
    await bench.host.startTrigger();
    await sleep(20_000);
    expect(bench.host.executions.splice(0)).toHaveLength(1);
    await bench.host.restart();
    bench.host.work = async () => await Promise.resolve();
    await bench.host.startTrigger();
    await sleep(300_000);
    expect(namesOf(await emitted())).toEqual(['invoice_paid']);
    expect(await catchUp()).toEqual([]);
  });

  describe.each([true, false])('with the option Emit Failed Events Again: %p', (emitFailed) => {
    const fails = async () => {
      await open({ events: ['invoice_paid'], options: { emitFailed } }, options);
      bench.host.work = async () => await Promise.reject(new Error('The CRM is down'));
      await payInvoice();
      expect(await emitted()).toHaveLength(1);
      bench.host.work = async () => await Promise.resolve();
    };

    const TOLD = /did not succeed: invoice_paid \d+\. To process them, retry/;

    test('catch-up emits a delivery whose execution failed, or names it once, also after a restart', async () => {
      await fails();
      const named = bench.host.log.filter(({ text }) => TOLD.test(text));
      expect(named).toHaveLength(emitFailed ? 0 : 1);
      await bench.host.restart();
      bench.host.problems.length = 0;
      expect(namesOf(await catchUp())).toEqual(emitFailed ? ['invoice_paid'] : []);
      expect(bench.host.problems).toEqual(emitFailed ? [] : [expect.stringMatching(TOLD)]);
      await bench.host.restart();
      expect(await catchUp()).toEqual([]);
      expect(bench.host.problems).toHaveLength(emitFailed ? 0 : 1);
    });

    test('catch-up emits a caught change whose execution failed, or names it in the next item', async () => {
      await openSwitchedOff({ options: { emitFailed } }, options);
      await payInvoice();
      bench.host.work = async () => await Promise.reject(new Error('The CRM is down'));
      expect(namesOf(await catchUp())).toEqual(['invoice_paid']);
      await bench.host.restart();
      bench.host.work = async () => await Promise.resolve();
      await payInvoice();
      const [item, ...others] = await catchUp();
      expect(others).toHaveLength(emitFailed ? 1 : 0);
      if (!emitFailed) expect(item?.notice).toMatch(TOLD);
      await bench.host.restart();
      expect(await catchUp()).toEqual([]);
      expect(bench.host.problems).toEqual(['The CRM is down']);
    });

    test('catch-up neither emits nor names a failed delivery if the workflow processed a copy', async () => {
      await fails();
      await control().repeatDelivery();
      expect(namesOf(await emitted())).toEqual(['invoice_paid']);
      await bench.host.restart();
      expect(await catchUp()).toEqual([]);
      expect(bench.host.problems).toEqual(['The CRM is down']);
    });

    test('with Save Execution Progress, catch-up emits or names a delivery that failed after a while', async () => {
      await open({ events: ['invoice_paid'], options: { emitFailed } }, options);
      const { executions } = bench.host.database;
      bench.host.work = async () => {
        const [id, data] = [...executions].at(-1) ?? [];
        if (id && data) executions.set(id, { ...data, resultData: { runData: { Trigger: [] } } });
        await sleep(30_000);
        throw new Error('The CRM is down');
      };
      await payInvoice();
      expect(await emitted()).toHaveLength(1);
      bench.host.work = async () => await Promise.resolve();
      // n8n 1 doesn't tell the node that the execution has ended.
      const isKnown = !('major' in options);
      expect(namesOf(await catchUp())).toEqual(isKnown && emitFailed ? ['invoice_paid'] : []);
      expect(bench.host.problems).toHaveLength(isKnown && !emitFailed ? 2 : 1);
    });

    test('catch-up emits a delivery whose execution was killed, or an execution fails and names it', async () => {
      await open({ events: ['invoice_paid'], options: { emitFailed } }, options);
      bench.host.work = async () => await sleep(300_000);
      const invoice = await payInvoice();
      await control().settleDeliveries();
      await sleep(5_000);
      expect(bench.host.executions.splice(0)).toHaveLength(1);
      await bench.host.restart();
      bench.host.work = async () => await Promise.resolve();
      await bench.host.startTrigger();
      await sleep(300_000);
      expect(namesOf(await emitted())).toEqual(emitFailed ? ['invoice_paid'] : []);
      const told = expect.stringContaining(`did not succeed: invoice_paid ${invoice}`) as string;
      expect(bench.host.problems).toEqual(emitFailed ? [] : [told]);
      expect(await catchUp()).toEqual([]);
      expect(bench.host.problems).toHaveLength(emitFailed ? 0 : 1);
    });
  });
});

const OLDER_MS = 3 * DAY_MS;

test('after a long outage, the next catch-up names all changes of an execution that failed', async () => {
  await openSwitchedOff();
  const invoices = [await payInvoice()];
  await sleep(OLDER_MS);
  await control().advanceClock({ days: 3 });
  invoices.push(await payInvoice());
  bench.host.work = async () => await Promise.reject(new Error('The CRM is down'));
  expect(await catchUp()).toHaveLength(2);
  bench.host.work = async () => await Promise.resolve();
  bench.host.problems.length = 0;
  expect(await catchUp()).toEqual([]);
  const names = invoices.map((id) => `invoice_paid ${id}`).join(', ');
  expect(bench.host.problems).toEqual([expect.stringContaining(`did not succeed: ${names}.`)]);
  expect(await catchUp()).toEqual([]);
  expect(bench.host.problems).toHaveLength(1);
});

test('with Save Execution Progress, catch-up emits an old change again whose execution failed after a while', async () => {
  await openSwitchedOff({ options: { emitFailed: true } });
  await payInvoice();
  await sleep(OLDER_MS);
  const { executions } = bench.host.database;
  bench.host.work = async () => {
    const [id, data] = [...executions].at(-1) ?? [];
    if (id && data) executions.set(id, { ...data, resultData: { runData: { Trigger: [] } } });
    await sleep(30_000);
    throw new Error('The CRM is down');
  };
  expect(await catchUp()).toHaveLength(1);
  bench.host.work = async () => await Promise.resolve();
  expect(namesOf(await catchUp())).toEqual(['invoice_paid']);
  expect(await catchUp()).toEqual([]);
});

test('catch-up reads the record of an old payment only once', async () => {
  await open();
  await subscribe({ amt_tran: 0.14 });
  await subscribe({});
  await subscribe({ amt_setup: 3 });
  await payInvoice();
  await sleep(60 * 3_600_000);
  const records = () =>
    control()
      .journal()
      .map(({ path }) => path)
      .filter((path) => /^\/platform\/(subscription|invoice)\/\d+/.test(path));
  control().clearJournal();
  await catchUp();
  expect(records()).not.toEqual([]);
  control().clearJournal();
  await catchUp();
  expect(records()).toEqual([]);
});

test('a quiet catch-up of all events sends one request for each list', async () => {
  await open({ catchUp: 'everyHour' });
  control().clearJournal();
  expect(await catchUp()).toEqual([]);
  expect(
    control()
      .journal()
      .map(({ path }) => path)
      .sort(),
  ).toEqual([
    '/platform/aus/request/summary',
    '/platform/dispute/browse',
    '/platform/invoice/bounced',
    '/platform/invoice/payments',
    '/platform/reporting/transaction-requests',
    '/platform/subscription/transactions',
  ]);
});
