import { type IDataObject, type INodeParameters, sleep } from 'n8n-workflow';

import type { PlannedRequest } from '../../nodes/PaymentPlatform/model/types';
import { SubmittedRequests } from '../../nodes/PaymentPlatform/once/submitted-requests';
import { readFilter } from '../../nodes/PaymentPlatform/trigger/filters';
import { clientFor } from '../sandbox/client';
import { operationOf } from '../unit/requests';
import { openTriggerBench, type TriggerBench, webhookIdOf } from './bench';

/** Time in simulated milliseconds until n8n's database contains a recorded key. */
const NOTED_MS = 500;

test.each<[IDataObject, IDataObject, boolean]>([
  [{}, {}, true],
  [{ onlyAmountsFrom: 100 }, { amt_tran: 100 }, true],
  [{ onlyAmountsFrom: '100' }, { amt_tran: '99.99' }, false],
  [{ onlyAmountsFrom: 100 }, { amt_tran: -250 }, true],
  [{ onlyAmountsFrom: 100 }, { amt_dispute: 5, amt_tran: 250 }, false],
  [{ onlyAmountsFrom: 'many' }, { amt_tran: 1 }, true],
  [{ onlyCustomers: 'A, B' }, { customer_id: 'B' }, true],
  [{ onlyCustomers: 'A, B' }, { customer_id: 'AB' }, false],
  [{ onlyCustomers: 'A' }, { customer: { customer_id: 'A' } }, true],
  [{ onlyStatuses: 'V' }, { tran_status: 'v' }, false],
  [{ onlyStatuses: 'PAID' }, { tran_status: '', status: 'PAID' }, true],
  [{ onlyMerchants: '100000000001' }, { merchant_id: 100000000001 }, true],
  [{ onlyMerchants: '100000000001' }, { merchant_id: 100000000002 }, false],
  [{ onlyCustomers: 'A', onlyAmountsFrom: 5 }, { customer_id: 'A', amt_tran: 4 }, false],
  [{ onlyCustomers: 'A' }, {}, true],
  [{ onlyCustomers: 'A', ignoreWithout: true }, {}, false],
  [{ ignoreWithout: true }, {}, true],
])('with the options %p, the trigger emits a record with %p: %p', (options, record, emits) => {
  expect(readFilter(options)(record)).toBe(emits);
});

describe('A filter', () => {
  let bench: TriggerBench;
  const open = async (options: INodeParameters) => {
    bench = await openTriggerBench({ events: ['*'], options });
  };
  afterEach(async () => await bench.close());
  const payloads = () => bench.host.executions.map(([item]) => (item?.json.payload as IDataObject).data);

  test.each(['many', '1.000,00', '-5', 'NaN', 'Infinity'])(
    'does not activate with the minimum amount %p',
    async (amount) => {
      await open({});
      bench.host.parameters = { events: ['*'], options: { onlyAmountsFrom: amount } };
      await expect(bench.host.activate()).rejects.toThrow(
        `"Only Amounts From" must be a number of 0 or more, e.g. 100 (found "${amount}")`,
      );
    },
  );

  test('starts no execution for an event that does not pass', async () => {
    await open({ onlyAmountsFrom: '100' });
    const before = bench.host.handed.length;
    expect(await bench.deliver('checkout_payment_success', { checkout_id: 'a', amt_tran: 99 })).toEqual([200]);
    expect(bench.host.handed).toHaveLength(before);
    await bench.deliver('checkout_payment_success', { checkout_id: 'b', amt_tran: 100 });
    expect(payloads()).toMatchObject([{ checkout_id: 'b' }]);
  });

  test('keeps only the records that pass in an event with several records', async () => {
    await open({ onlyStatuses: 'P' });
    const entry = (pg_id: string, tran_status: string) => ({ pg_id, tran_status });
    const transactions = [entry('1', 'S'), entry('2', 'P'), entry('3', 'P')];
    await bench.deliver('transaction_status_updated', { transactions });
    expect(payloads()).toEqual([{ transactions: transactions.slice(1) }]);
    await bench.deliver('transaction_status_updated', { transactions: transactions.slice(0, 1) });
    expect(payloads()).toHaveLength(1);
  });
});

describe("Only This Workflow's Requests", () => {
  let bench: TriggerBench;
  afterEach(async () => await bench.close());
  const open = async (options: INodeParameters = {}, parameters: INodeParameters = {}) => {
    bench = await openTriggerBench({ events: ['*'], options: { onlyOwnRequests: true, ...options }, ...parameters });
  };
  const items = () => bench.host.executions.splice(0).map(([item]) => item?.json ?? {});
  const idsOf = (list: IDataObject[]) =>
    list.map(({ payload }) => ((payload as IDataObject).data as IDataObject).request_id);
  const event = async (request_id: string) => await bench.deliver('account_updater_request_completed', { request_id });
  const request = (): PlannedRequest => ({ operation: operationOf({ eventsBy: 'request_id' } as never) }) as never;

  /** Does what a node of the workflow does. */
  const node = () => {
    const { host, sandbox } = bench;
    const helpers = {
      checkProcessedAndRecord: async (keys: string[], _: string, options: never) =>
        await host.database.check(keys, host.id, options),
      removeProcessed: async (keys: string[]) => await host.database.remove(keys, host.id),
    };
    const { merchantId } = sandbox.credentials.test;
    const context = { getWorkflow: () => ({ id: host.id }), helpers };
    return new SubmittedRequests(context as never, { environment: 'test', merchantId });
  };
  const submit = async (request_id: string) => {
    const [submitted, own] = [node(), request()];
    await submitted.begin(own);
    submitted.recordMade(own, [{ request_id }]);
    await sleep(NOTED_MS);
  };

  test('emits the events about requests that a node of the workflow submitted', async () => {
    await open();
    await submit('41');
    await event('41');
    await event('42');
    const emitted = items();
    expect(idsOf(emitted)).toEqual(['41']);
    expect(emitted[0]).not.toHaveProperty('notice');
  });

  test('emits an event that arrives before the response of the submission', async () => {
    await open();
    const [submitted, own] = [node(), request()];
    await submitted.begin(own);
    void sleep(2_000).then(() => submitted.recordMade(own, [{ request_id: '43' }]));
    await event('43');
    const emitted = items();
    expect(idsOf(emitted)).toEqual(['43']);
    expect(emitted[0]).not.toHaveProperty('notice');
  });

  test('emits an event with a notice if the outcome of a submission is unknown', async () => {
    await open();
    await node().begin(request());
    await event('44');
    expect(items()).toMatchObject([
      { notice: expect.stringContaining('does not show whether a node of this workflow submitted') as string },
    ]);
  });

  test("emits an event with a notice if n8n's database fails", async () => {
    await open();
    jest.spyOn(bench.host.database, 'check').mockRejectedValue(new Error('The database is locked'));
    await event('45');
    jest.restoreAllMocks();
    expect(items()).toMatchObject([{ notice: expect.any(String) as string }]);
  });

  test('emits other events, and events without an ID unless the user ignores these', async () => {
    await open();
    await bench.deliver('invoice_paid', { invoice_id: 7 });
    await event('');
    expect(items()).toHaveLength(2);
    await bench.close();
    await open({ ignoreWithout: true });
    await bench.deliver('invoice_paid', { invoice_id: 7 });
    await event('');
    expect(items()).toMatchObject([{ event: 'invoice_paid' }]);
  });

  describe('in catch-up', () => {
    const catchUp = async (submits: (ids: string[]) => Promise<unknown>) => {
      await open({}, { catchUp: 'onActivation' });
      await sleep(60_000);
      const { control } = bench.sandbox;
      const http = clientFor(bench.sandbox.baseUrl, `Basic ${bench.sandbox.credentials.test.token}`);
      await http.put(`/platform/webhook/${webhookIdOf(bench)}/disable`);
      const card = { card_number: '4111111111111111', exp_date: '1230', card_id: 'crm-1' };
      for (let count = 0; count < 6; count += 1) await http.post('/platform/aus/add', { data: [card] });
      await control.advanceClock({ days: 5 });
      const ids = control.state().updaterRequests.map(({ request_id }) => String(request_id));
      await submits(ids);
      control.addFault({ kind: 'status', status: 403, code: 6, path: '/platform/dispute/browse' });
      await bench.host.startTrigger();
      await sleep(60_000);
      return { ids, emitted: bench.host.executions.flat().map(({ json }) => json) };
    };

    test('emits only own requests, with the notices of catch-up', async () => {
      const { ids, emitted } = await catchUp(async (all) => await submit(all[1] ?? ''));
      expect(idsOf(emitted).map(String)).toEqual([ids[1], ids[1]]);
      expect(emitted[0]?.notice).toContain('Catch-up omits changes');
    });

    test('waits only once for the responses of submissions', async () => {
      const { emitted } = await catchUp(async () => await node().begin(request()));
      expect(emitted).toHaveLength(12);
    });
  });
});
