import { sleep, type IDataObject } from 'n8n-workflow';

import { asText } from '../../nodes/PaymentPlatform/shared/objects';
import { clientFor, type Envelope } from '../sandbox/client';
import { bodyOf, call, openTriggerBench, type TriggerBench } from './bench';

let bench: TriggerBench;

const open = async (parameters: object = {}) => {
  bench = await openTriggerBench({ events: ['*'], enrich: true, ...parameters });
};

afterEach(async () => await bench.close());

const control = () => bench.sandbox.control;
const request = async (method: 'get' | 'post', path: string, data?: object) => {
  const http = clientFor(bench.sandbox.baseUrl, `Basic ${bench.sandbox.credentials.test.token}`);
  return (await http.request<Envelope>({ method, url: path, data })).data.data;
};
const items = () => bench.host.executions.flatMap((all) => all.map(({ json }) => json));
const recordOf = ({ record }: IDataObject) => record as IDataObject;

describe('Enrich With Record', () => {
  test.each(['transaction_status_updated', 'qp_manager_refund_success'])(
    'adds the transaction to %s',
    async (event) => {
      await open();
      const [pg_id] = control().addCapturedSales({ count: 1, amountCents: 500 });
      await bench.deliver(event, event === 'transaction_status_updated' ? { transactions: [{ pg_id }] } : { pg_id });
      expect(items().map(recordOf)).toMatchObject([{ pg_id, amt_tran: 5 }]);
    },
  );

  test('adds to each transaction of a status change its own record if the user splits the event', async () => {
    await open({ options: { split: true } });
    const ids = control().addCapturedSales({ count: 3, amountCents: 500 });
    await bench.deliver('transaction_status_updated', { transactions: ids.map((pg_id) => ({ pg_id })) });
    expect(items().map((item) => recordOf(item).pg_id)).toEqual(ids);
  });

  test('says how to get the records of an event with several records', async () => {
    await open();
    await bench.deliver('transaction_status_updated', { transactions: [{ pg_id: '1' }, { pg_id: '2' }] });
    const record_error = 'The event contains several records. Turn on "Split Into Items".';
    expect(items()).toMatchObject([{ record: null, record_error }]);
  });

  test('adds the customer to an event that the list of events does not contain', async () => {
    await open();
    const [customer_id] = control().addCustomers(1);
    await call(bench, { body: bodyOf(bench, { event: 'customer_updated', data: { customer_id } }) });
    await bench.host.idle();
    expect(items().map(recordOf)).toMatchObject([{ customer_id, billing_cards: [{}] }]);
  });

  test('adds the subscription and the dispute', async () => {
    await open();
    const [customer_id] = control().addCustomers(1);
    const terms = { plan_frequency: 3, plan_duration: -1, date_start: control().now(), amt_tran: 12 };
    const { subscription_id } = (await request('post', '/platform/subscription', {
      customer_id,
      ...terms,
    })) as IDataObject;
    await bench.deliver('subscription_suspended', { subscription_id });
    const { merchantId } = bench.sandbox.credentials.test;
    await request('get', `/platform/dispute/${merchantId}/create`);
    await control().settleDeliveries();
    await bench.host.idle();
    const of = (event: string) => items().filter((item) => item.event === event);
    const disputes = of('dispute_update');
    expect(of('subscription_suspended')[0]?.record).toMatchObject({
      subscription_id: asText(subscription_id),
      status: 'A',
    });
    expect(disputes.length).toBeGreaterThan(1);
    for (const { record, payload } of disputes)
      expect(record).toMatchObject({ rec_id: ((payload as IDataObject).data as IDataObject).rec_id });
  });
});

describe('A completed account updater request', () => {
  const CARDS = [
    { card_number: '4111111111111111', exp_date: '1230', card_id: 'crm-1' },
    { card_number: '4111111111111119', exp_date: '1230', card_id: 'crm-2' },
    { card_number: '6011111111111117', exp_date: '1230', card_id: 'crm-3' },
  ];
  const complete = async () => {
    await request('post', '/platform/aus/add', { data: CARDS });
    await control().advanceClock({ days: 4 });
    await control().settleDeliveries();
    await sleep(1_000);
    await bench.host.idle();
    return items().filter(({ event }) => event === 'account_updater_request_completed');
  };

  test('becomes one item for each card, with the submitted reference and what changed', async () => {
    await open({ options: { split: true } });
    const completed = await complete();
    expect(completed.map(({ what_happened }) => what_happened).sort()).toEqual([
      expect.stringMatching(/^Card crm-1: new expiration date, expires \d\d\/\d\d$/),
      expect.stringMatching(/^Card crm-2 was rejected: ./),
      'Card crm-3: account closed',
    ]);
    for (const { entry, entry_count, record } of completed)
      expect([(entry as IDataObject).card_id, entry_count, record]).toEqual([
        expect.stringMatching(/^crm-\d$/),
        3,
        expect.objectContaining({ status: 'COMPLETED', cnt_request: 3 }),
      ]);
    expect(JSON.stringify(completed)).not.toMatch(/411111\d/);
  });

  test('contains the results of all cards if the user does not split it', async () => {
    await open();
    const [item] = await complete();
    expect((item?.results as IDataObject[]).map(({ card_id }) => card_id).sort()).toEqual(['crm-1', 'crm-2', 'crm-3']);
  });

  test('is emitted with the reason if the service does not return the results', async () => {
    await open({ options: { split: true } });
    control().addFault({ kind: 'status', status: 404, operationId: 'getAusResponse' });
    expect(await complete()).toMatchObject([{ results: null, results_error: expect.any(String) as string }]);
  });
});
