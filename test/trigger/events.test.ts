import { EVENT_GROUPS, chosenEvents, eventOptions } from '../../nodes/PaymentPlatform/fields/events';
import { EVENT_NAMES } from '../../sandbox/core/event-names';
import { openTriggerBench, webhookIdOf, type TriggerBench } from './bench';

test('the trigger offers every known event except the probe', () => {
  const offered = EVENT_GROUPS.flatMap(({ events }) => events.map(({ value }) => value));
  expect([...offered, 'validate_url'].sort()).toEqual([...EVENT_NAMES].sort());
  expect(eventOptions).toHaveLength(offered.length + 1);
});

test('the trigger accepts any other event name once and refuses the probe as an event', () => {
  expect(chosenEvents(['b'], ' a, b;c\n validate_url ')).toEqual(['a', 'b', 'c']);
  const known = EVENT_NAMES.filter((name) => name !== 'validate_url');
  expect(chosenEvents(['*', 'a'], 'b')).toEqual(['a', 'b', ...known].sort());
  expect(chosenEvents([], ' ')).toEqual([]);
});

describe('a delivery', () => {
  let bench: TriggerBench;
  const open = async (options: object, more: object = {}) => {
    bench = await openTriggerBench({ events: ['*'], options: { ...options }, ...more });
  };

  afterEach(async () => await bench.close());

  const transactions = [
    { pg_id: '1', tran_status: 'P' },
    { pg_id: '2', tran_status: 'S' },
  ];

  test('the trigger turns a delivery about many transactions into one item per transaction', async () => {
    await open({ split: true });
    await bench.deliver('transaction_status_updated', { transactions });
    const items = bench.host.executions[0]?.map(({ json }) => [json.entry, json.entry_index, json.entry_count]);
    expect(items).toEqual([
      [transactions[0], 0, 2],
      [transactions[1], 1, 2],
    ]);
    expect(bench.host.executions[0]?.[0]?.json.payload).not.toHaveProperty('data');
    await bench.deliver('transaction_status_updated', { transactions, batch: 7 });
    expect(bench.host.executions[1]?.[0]?.json.payload).toMatchObject({ data: { batch: 7 } });
  });

  test('the trigger outputs a delivery about many transactions as one item if splitting is off', async () => {
    await open({});
    await bench.deliver('transaction_status_updated', { transactions });
    expect(bench.host.executions).toMatchObject([[{ json: { payload: { data: { transactions } } } }]]);
  });

  test('an output item begins with a sentence about the event and ends with the time and transport details', async () => {
    await open({});
    await bench.deliver('invoice_paid', { invoice_id: 1 });
    // This event exists only in the service's portal, so a webhook can't subscribe to it.
    await bench.sandbox.control.sendDelivery({ webhookId: webhookIdOf(bench), event: 'made_up_event' });
    await bench.emitted();
    const [known, unknown] = bench.host.executions.map(([item]) => Object.entries(item?.json ?? {}));
    expect(known?.slice(0, 2)).toEqual([
      ['what_happened', 'Invoice 1 was paid in full'],
      ['event', 'invoice_paid'],
    ]);
    expect(known?.at(-1)?.[0]).toBe('delivery_id');
    expect(unknown?.[0]).toEqual(['what_happened', 'The service reported the event made_up_event']);
  });

  test('the sentence about an event contains no part of an example', async () => {
    await open({});
    await bench.deliver('subscription_suspended', {});
    await bench.deliver('transaction_status_updated', {});
    expect(bench.host.executions.map(([item]) => item?.json.what_happened)).toEqual([
      'The service suspended a subscription',
      'The status of one or more transactions changed',
    ]);
  });

  test('a delivery of an unselected event is acknowledged and not emitted', async () => {
    await open({});
    bench.host.parameters = { events: ['invoice_paid'] };
    expect(await bench.deliver('dispute_update')).toEqual([200]);
    expect(bench.host.executions).toEqual([]);
  });

  test("a delivery of an account updater event contains the request's summary", async () => {
    await open({}, { enrich: true });
    const webhookId = webhookIdOf(bench);
    const record = await submitCards();
    await bench.sandbox.control.settleDeliveries();
    const completed = await bench.sandbox.control.sendDelivery({
      webhookId,
      event: 'account_updater_request_completed',
      data: { request_id: Number(record) },
    });
    expect(completed).toBe(200);
    await bench.host.idle();
    expect(bench.host.executions.at(-1)?.[0]?.json.record).toMatchObject({
      request_id: record,
      cnt_request: 1,
    });
  });

  test('a delivery is emitted without its record and with the reason if the lookup fails', async () => {
    await open({}, { enrich: true });
    await bench.deliver('account_updater_request_completed', { request_id: 999 });
    await bench.deliver('checkout_payment_success', { purchase_id: 'x' });
    await bench.deliver('subscription_suspended', { subscription_id: 1 });
    expect(bench.host.executions.map(([item]) => [item?.json.record, item?.json.record_error !== undefined])).toEqual([
      [null, true],
      [null, true],
      [null, true],
    ]);
  });

  test.each<[string, object, string]>([
    ['no data', {}, 'no record'],
    ['no object', { data: null }, 'no record'],
    ['text', { data: 'x' }, 'no record'],
    ['an empty object', { data: {} }, 'no record'],
    ['a list', { data: [] }, 'no record'],
    ['another record', { data: { invoice_id: 8, status: 'PAID' } }, 'another record'],
  ])('a delivery is emitted with the reason if the response to the lookup contains %s', async (_, more, reason) => {
    await open({}, { enrich: true });
    const body = { code: 0, message: 'Success', ...more };
    bench.sandbox.control.addFault({ kind: 'status', status: 200, method: 'GET', body });
    await bench.deliver('invoice_paid', { invoice_id: 7 });
    const record_error = `The response contains ${reason}`;
    expect(bench.host.executions.at(-1)?.[0]?.json).toMatchObject({ record: null, record_error });
  });

  test('a delivery is emitted with a record that does not show its ID', async () => {
    await open({}, { enrich: true });
    const body = { code: 0, message: 'Success', data: { status: 'PAID' } };
    bench.sandbox.control.addFault({ kind: 'status', status: 200, method: 'GET', body });
    await bench.deliver('invoice_paid', { invoice_id: 7 });
    expect(bench.host.executions.at(-1)?.[0]?.json).toMatchObject({ record: { status: 'PAID' } });
  });

  test('a delivery is emitted without advice about writes if the lookup fails', async () => {
    await open({}, { enrich: true });
    bench.sandbox.control.addFault({ method: 'GET', kind: 'status', status: 500, code: 99, calls: 'all' });
    await bench.deliver('account_updater_request_completed', { request_id: 999 });
    expect(bench.host.executions.at(-1)?.[0]?.json.record_error).toBe(
      'An error occurred in the service while processing the request',
    );
  });

  async function submitCards(): Promise<string> {
    const { default: axios } = await import('axios');
    const answer = await axios.post<{ data: { request_id: string } }>(
      `${bench.sandbox.baseUrl}/platform/aus/add`,
      { data: [{ card_number: '4111111111111111', exp_date: '1230', card_id: 'a' }] },
      { headers: { authorization: `Basic ${bench.sandbox.credentials.test.token}` }, proxy: false },
    );
    return answer.data.data.request_id;
  }
});
