import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { readFilter } from '../../nodes/PaymentPlatform/trigger/filters';
import { openTriggerBench, type TriggerBench } from './bench';

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
