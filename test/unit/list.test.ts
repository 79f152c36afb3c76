import type { IDataObject } from 'n8n-workflow';

import { asRecords, fetchList } from '../../nodes/PaymentPlatform/pipeline/list';
import type { Answer } from '../../nodes/PaymentPlatform/pipeline/types';

const list = { identity: 'id', fields: [] };
const records = (count: number): IDataObject[] => Array.from({ length: count }, (_, id) => ({ id }));

/** A service with `all` records, which counts how often each page was asked for. */
function service(all: IDataObject[], totals: Partial<{ totalPages: number; totalRecords: number }> = {}) {
  const asked: number[] = [];
  const page = async (number: number, count: number): Promise<Answer> => {
    asked.push(number);
    return await Promise.resolve({
      ok: true,
      record: all.slice(number * count, (number + 1) * count),
      totalPages: Math.ceil(all.length / count),
      totalRecords: all.length,
      ...totals,
    });
  };
  return { asked, page };
}

test.each([0, 1, 99, 100, 101, 200, 1234])(
  'Return All gives all of %d records, in order and none twice',
  async (count) => {
    const { page, asked } = service(records(count));
    const result = await fetchList(list, undefined, page);
    expect(result).toEqual({ records: records(count) });
    expect(new Set(asked).size).toBe(asked.length);
  },
);

test.each([
  [1, 1],
  [50, 50],
  [100, 100],
  [101, 101],
  [500, 250],
])('a limit of %d out of 250 gives %d records', async (limit, wanted) => {
  const { page } = service(records(250));
  expect(await fetchList(list, limit, page)).toEqual({ records: records(wanted) });
});

test('totals that are capped or missing do not cut the list', async () => {
  for (const totals of [
    { totalPages: 1, totalRecords: 100 },
    { totalPages: undefined, totalRecords: undefined },
  ]) {
    const { page } = service(records(345), totals);
    expect(await fetchList(list, undefined, page)).toEqual({ records: records(345) });
  }
});

test('a record that appears on two pages is given once, and a shortfall is told', async () => {
  const shifted = [...records(100), { id: 99 }, { id: 100 }];
  const { page } = service(shifted, { totalRecords: 102 });
  const result = await fetchList(list, undefined, page);
  expect(result).toMatchObject({ records: records(101), note: expect.stringContaining('102') as string });
});

test.each([undefined, 250])('a path that knows no pages is not asked for ever (limit %s)', async (limit) => {
  const asked: number[] = [];
  const result = await fetchList(list, limit, async (page) => {
    asked.push(page);
    return await Promise.resolve({ ok: true, record: records(100) });
  });
  expect(result).toEqual({ records: records(100) });
  expect(asked).toEqual([0, 1]);
});

test('a failing page fails the list: no part of it is passed off as the whole', async () => {
  const failure = { outcome: 'unknown' as const, message: 'no', advice: '' };
  const { page } = service(records(300));
  const result = await fetchList(list, undefined, async (number, count) =>
    number === 2 ? { ok: false, failure } : await page(number, count),
  );
  expect(result).toEqual({ ok: false, failure });
});

test('data that arrives as a single object counts as one record', () => {
  expect(asRecords({ id: 1 })).toEqual([{ id: 1 }]);
  expect(asRecords({})).toEqual([]);
  expect(asRecords(undefined)).toEqual([]);
});
