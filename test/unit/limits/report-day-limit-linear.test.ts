import type { IDataObject } from 'n8n-workflow';

import { ReportDayLimit } from '../../../nodes/PaymentPlatform/limits/report-day-limit';
import { DayReport, Unshown } from '../../../nodes/PaymentPlatform/limits/day-report';
import { DayWrites } from '../../../nodes/PaymentPlatform/limits/day-writes';
import type { Account, Operation, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import type { WriteMemory } from '../../../nodes/PaymentPlatform/model/write-memory';
import { refund } from '../../../nodes/PaymentPlatform/resources/transaction/refund';
import { dayRefunds } from '../../../nodes/PaymentPlatform/resources/transaction/day-records';
import { sale } from '../../../nodes/PaymentPlatform/resources/transaction/sale';
import { BASE_URL, fakeService, pageOf } from '../fake-service';
import { expectLinear } from '../steps';

const PAGE = 100;
const memory = { recall: () => undefined, moved: () => 0 } as unknown as WriteMemory;
const range = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index));

interface Case {
  operation: Operation;
  options?: object;
  mode?: string;
  record?: (index: number) => IDataObject;
}

const reported = (index: number, more: IDataObject): IDataObject => ({
  ...{ rec_id: index + 1, pg_id: `r${index}`, amt_tran: 1 + index / 100, tran_status: 'P', rcode: '000' },
  ...{ tran_time: new Date().toISOString(), ...more },
});
const refundOf = (sale: string) => (index: number) =>
  reported(index, { request_type: 'refund', pg_id_linked: `${sale}${index}` });

let accounts = 0;

function runOf({ operation, options, mode = 'manual', record }: Case) {
  return async (count: number) => {
    const records = record ? range(count, record) : [];
    const totals = { totalPages: Math.ceil(records.length / PAGE), totalRecords: records.length };
    const { context } = fakeService(({ query }) => ({ data: pageOf(records, query), ...totals }), {
      getMode: () => mode,
    });
    const account = { baseUrl: BASE_URL, merchantId: String((accounts += 1)) } as Account;
    const dayLimit = new ReportDayLimit({
      context,
      account,
      options: { maxParallelRequests: 5, timeoutMs: 1, maxTries: 1, retryTimeMs: 0 },
    });
    const requests = range(
      count,
      (index) =>
        ({
          ...{ operation, items: [index], part: 0, effect: 'writesOnce', options: { limitPerDay: 1e12, ...options } },
          values: { path: { pgIdOrig: `s${index}` }, query: {}, body: { amt_tran: 1 + index / 100 }, node: {} },
        }) as unknown as PlannedRequest,
    );
    const planned = await dayLimit.within(
      requests.map((request) => ({ request })),
      memory,
    );
    expect(planned.find((plan) => 'failure' in plan)).toBeUndefined();
    for (const request of requests) {
      expect(await dayLimit.leaves(request)).toBeUndefined();
      dayLimit.settle(request, { ok: true, record: { pg_id: `new ${request.items[0]}` } });
    }
    dayLimit.end();
  };
}

const refunds = refund as unknown as Operation;

test.each<[string, Case]>([
  ['that may exist', { operation: refunds, options: { existing: { then: 'return' } } }],
  ['of a retry that the report does not show', { operation: refunds, mode: 'retry', record: refundOf('other') }],
  ['of a retry that the report shows', { operation: refunds, mode: 'retry', record: refundOf('s') }],
  [
    'of a retry without a reference',
    {
      operation: sale as unknown as Operation,
      mode: 'retry',
      record: (index) => reported(index, { request_type: 'sale', amt_tran: 1_000_000 + index / 100 }),
    },
  ],
])('the limit per day takes linear time for items %s', async (_, one) => {
  await expectLinear(runOf(one), { few: 60, many: 10_000 });
});

test('the limit per day takes linear time for earlier writes without a response', async () => {
  const day = { name: '', zone: 'utc', begins: 0, ends: 9 };
  await expectLinear(
    (count) => {
      const records = range(count, (index) => ({ pg_id: `r${index}`, amt_tran: 4 }));
      const book = new DayWrites();
      const one = {
        at: 1,
        cents: 400,
        hasLeft: true,
        write: { among: (all: IDataObject[]) => all, matches: () => true },
      };
      for (const dayWrite of records.map(() => ({ ...one }))) book.add(dayWrite);
      const { size } = new Unshown(new DayReport(records, dayRefunds, 5), book, day);
      expect(size).toBe(0);
    },
    { few: 200, many: 50_000 },
  );
});
