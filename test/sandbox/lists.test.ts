import { benchForEachTest, type Envelope } from './client';

interface CustomerRecord {
  customer_id: string;
  rec_id: number;
}

describe('Lists', () => {
  const bench = benchForEachTest();

  const list = async (params: object = {}, path = '/platform/vault/customer') =>
    (await bench.http.get<Envelope>(path, { params, paramsSerializer: { indexes: null } })).data;
  const ids = (answer: Envelope): string[] => (answer.data as CustomerRecord[]).map((record) => record.customer_id);

  test('an empty list has no pages', async () => {
    expect(await list()).toEqual({ code: 0, message: 'Success', totalPages: 0, totalRecords: 0, data: [] });
  });

  test.each([
    [1, 10, 1, 1],
    [10, 10, 1, 10],
    [11, 10, 2, 10],
    [250, 100, 3, 100],
  ])(
    'a list of %i records with %i records per page has %i pages, and the first page has %i records',
    async (records, count, pages, first) => {
      bench.sandbox.control.addCustomers(records);
      const answer = await list({ count, page: 0 });
      expect([answer.totalRecords, answer.totalPages, ids(answer).length]).toEqual([records, pages, first]);
    },
  );

  test('all pages together contain every record once, and the page after the last is empty', async () => {
    const added = bench.sandbox.control.addCustomers(25);
    const pages = await Promise.all([0, 1, 2, 3].map(async (page) => ids(await list({ count: 10, page }))));
    expect(pages.flat().sort()).toEqual(added);
    expect(pages[3]).toEqual([]);
  });

  test('without parameters, a list returns up to 100 records, with the latest customer_id first', async () => {
    const added = bench.sandbox.control.addCustomers(100);
    const answer = await list();
    expect(ids(answer)).toEqual([...added].reverse());
    expect(answer.totalPages).toBe(1);
  });

  test.each([
    { count: 0 },
    { count: 101 },
    { page: -1 },
    { count: 'ten' },
    { order_by: 'up' },
    { order_on: 'nothing' },
    { limit: 5 },
  ])('a list with the parameters %j is refused with code 2', async (params) => {
    expect((await list(params)).code).toBe(2);
  });

  test('a record matches all repeated filters and one of the alternatives within a filter', async () => {
    bench.sandbox.control.addCustomers(12);
    const both = await list({ filter: ['customer_id,CONTAINS,CUST', 'customer_id,IS,CUST0003'] });
    const either = await list({
      filter: 'customer_id,IS,CUST0001|customer_id,IS,CUST0002',
      order_on: 'customer_id',
      order_by: 'asc',
    });
    expect(ids(both)).toEqual(['CUST0003']);
    expect(ids(either)).toEqual(['CUST0001', 'CUST0002']);
  });

  test('GREATER and LESS compare numbers and moments by value, and IS_NOT excludes values', async () => {
    bench.sandbox.control.addCustomers(3);
    const [first] = (await list({ order_on: 'rec_id', order_by: 'asc' })).data as CustomerRecord[];
    expect(ids(await list({ filter: `rec_id,GREATER,${first?.rec_id}` }))).toHaveLength(2);
    expect(ids(await list({ filter: 'rec_id,LESS,20000' }))).toHaveLength(3);
    expect(ids(await list({ filter: 'customer_id,IS_NOT,CUST0002' }))).not.toContain('CUST0002');
    bench.sandbox.control.addCapturedSales({ count: 2, amountCents: 500 });
    const report = '/platform/reporting/transaction-requests';
    const today = bench.sandbox.control.now().slice(0, 10);
    expect((await list({ filter: `tran_time,GREATER,${today}` }, report)).totalRecords).toBe(2);
    expect((await list({ filter: `tran_time,LESS,${today}` }, report)).totalRecords).toBe(0);
    expect((await list({ filter: 'amt_tran,GREATER,10' }, report)).totalRecords).toBe(0);
  });

  test.each(['customer_id,LIKE,x', 'nothing,IS,x', 'customer_id'])(
    'a list with the filter %p is refused with code 2',
    async (filter) => {
      expect((await list({ filter })).code).toBe(2);
    },
  );

  test('records with equal sort values keep their order across pages', async () => {
    bench.sandbox.control.addCapturedSales({ count: 30, amountCents: 500 });
    const page = async (number: number) =>
      (await list({ order_on: 'amt_tran', count: 10, page: number }, '/platform/reporting/transaction-requests'))
        .data as object[];
    const records = (await Promise.all([page(0), page(1), page(2)])).flat() as Array<{ pg_id: string }>;
    expect(new Set(records.map((record) => record.pg_id)).size).toBe(30);
  });

  test('a report with one matching record returns a single object', async () => {
    bench.sandbox.control.addCapturedSales({ count: 2, amountCents: 500 });
    const report = '/platform/reporting/transaction-requests';
    const [record] = (await list({}, report)).data as Array<{ pg_id: string }>;
    expect((await list({ filter: `pg_id,IS,${record?.pg_id}` }, report)).data).toMatchObject({ pg_id: record?.pg_id });
  });
});
