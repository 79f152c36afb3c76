import { quantity } from '../../quantity';
import { expectLinear } from '../steps';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { failedHint, hints } from '../../../nodes/PaymentPlatform/output/output-items';
import type { RequestResult } from '../../../nodes/PaymentPlatform/model/results';
import { candidates } from '../../../nodes/PaymentPlatform/model/candidates';
import { RecordMatcher } from '../../../nodes/PaymentPlatform/lookup/match-records';
import type { Footprint } from '../../../nodes/PaymentPlatform/model/footprint';
import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { refund } from '../../../nodes/PaymentPlatform/resources/transaction/refund';
import { refundFootprint } from '../../../nodes/PaymentPlatform/resources/transaction/footprint';

const context = {
  getWorkflow: () => ({ id: 'workflow' }),
  getMode: () => 'manual',
  getExecutionId: () => '1',
  getNode: () => ({ type: 'paymentPlatform', parameters: {} }),
  getContext: () => ({}),
  getInputData: () => [],
  evaluateExpression: () => 0,
} as unknown as IExecuteFunctions;

function refundsAndRecords(count: number): { requests: PlannedRequest[]; records: IDataObject[] } {
  const sales = Array.from({ length: count }, (_, index) => `sale ${index}`);
  const requests = sales.map((pgIdOrig, index) => ({
    operation: refund,
    items: [index],
    part: 0,
    options: {},
    values: { path: { pgIdOrig }, query: {}, body: { amt_tran: 4 }, node: {} },
  }));
  const records = sales.map((sale) => ({
    pg_id: `refund of ${sale}`,
    pg_id_linked: sale,
    amt_tran: 4,
    request_type: 'refund',
    rcode: '000',
    tran_status: 'P',
  }));
  const sold = sales.map((sale) => ({
    pg_id: sale,
    amt_tran: 4,
    request_type: 'sale',
    rcode: '000',
    tran_status: 'P',
  }));
  return { requests: requests as unknown as PlannedRequest[], records: [...records, ...sold] };
}

function countingFootprint(): { footprint: Footprint; compared: () => number } {
  let compared = 0;
  const { compare }: Footprint = refundFootprint;
  return {
    footprint: {
      ...refundFootprint,
      compare: (record, values) => {
        compared += 1;
        return compare(record, values);
      },
    },
    compared: () => compared,
  };
}

describe('comparing items with records', () => {
  const COUNT = quantity(500, 20_000);

  test('comparing items with records stays fast when a record is assigned to an item', () => {
    const { requests, records } = refundsAndRecords(COUNT);
    const { footprint, compared } = countingFootprint();
    const claims = new RecordMatcher(context, requests);
    const taken = requests.map(
      (request) => claims.claim(request, { values: request.values, footprint, records, kind: 'existed' }).record?.pg_id,
    );
    expect(taken).toEqual(records.slice(0, COUNT).map(({ pg_id: id }) => id));
    expect(compared()).toBe(COUNT);
  });

  test('comparing items with records stays fast when a record may belong to an item', () => {
    const { requests, records } = refundsAndRecords(COUNT);
    const { footprint, compared } = countingFootprint();
    const claims = new RecordMatcher(context, requests);
    for (const { values } of requests) claims.doubtful({ values, footprint, records });
    expect(compared()).toBe(COUNT);
  });
});

test('a record without a sale is assigned to every refund, and a record of another sale to none', () => {
  const records: IDataObject[] = [
    { pg_id: 1, request_type: 'refund' },
    { pg_id: 2, pg_id_linked: 'B' },
    { pg_id: 3, pg_id_linked: ' A ' },
    { pg_id: 4, request_type: 'sale' },
  ];
  const found = candidates(records, refundFootprint, { path: { pgIdOrig: 'A' }, body: {} });
  expect(found.map(({ pg_id: id }) => id)).toEqual([3, 1]);
});

test('a write without a filter is compared with all records', () => {
  const records: IDataObject[] = [{ pg_id: 1 }, { pg_id: 2 }];
  expect(candidates(records, refundFootprint, { path: {}, body: {} })).toBe(records);
});

const FAILURE = { outcome: 'invalid', message: '"Amount" is required', advice: '' } as const;
const failed = (item: number): RequestResult => ({ items: [item], kind: 'failed', failure: FAILURE });
const remarked = (item: number): RequestResult => ({
  items: [item],
  kind: 'done',
  records: [],
  partialFailure: { text: 'Saved without its card.', about: `C${item}`, failure: FAILURE },
});

test.each<[string, (results: RequestResult[], count: number) => unknown, (item: number) => RequestResult]>([
  ['for the hint about failed items', (results, count) => failedHint(results, { count, names: new Map() }), failed],
  ['for hints about parts of items', (results, count) => hints(results, { count, names: new Map() }), remarked],
])('ten times as many items take less than twenty times the effort %s', async (_, run, result) => {
  const made = (count: number) => Array.from({ length: count }, (_item, item) => result(item));
  const results = new Map([200, 2_000, 20_000].map((count) => [count, made(count)]));
  await expectLinear((count) => run(results.get(count) ?? [], count), { few: 200, many: 20_000 });
});
