import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { listsRecords } from '../../../nodes/PaymentPlatform/model/operation';
import { columnsOf } from '../../../nodes/PaymentPlatform/output/file-columns';
import { resources } from '../../../nodes/PaymentPlatform/resources';
import { offendersIn } from '../../every-case';
import { readCsv } from '../../read-csv';
import { timeIsSimulated } from '../../simulated-time';
import { goOn, toErrors } from '../bench';
import { runWorkflow, type RunInput, type RunOutput } from '../harness';
import { startRecorder, type Recorded } from '../recorder';
import { StoredFiles } from '../stored-files';

timeIsSimulated();

const files = new StoredFiles();
/** Returns the body or the HTTP status of a response. */
let respond: (query: URLSearchParams) => object | number | Promise<object>;
let service: Awaited<ReturnType<typeof startRecorder>>;
/** Run with n8n's storage in memory. */
let inMemory: RunOutput;
beforeAll(async () => {
  service = await startRecorder(
    ({ url }: Recorded, response: { writeHead: (status: number) => { end: (text: string) => void } }) => {
      const body = respond(new URL(url, 'http://x').searchParams);
      if (body instanceof Promise) return void body.then((late) => response.writeHead(200).end(JSON.stringify(late)));
      if (typeof body === 'object') return { code: 0, message: 'Success', ...body };
      response.writeHead(body).end(JSON.stringify({ code: 99, message: 'Refused' }));
      return undefined;
    },
  );
  respond = () => ({ data: [] });
  inMemory = await run(transactions);
  await files.useDisk();
});
beforeEach(() => void (service.requests.length = 0));
afterAll(async () => {
  files.remove();
  await service.stop();
});

const transactions: INodeParameters = {
  resource: 'report',
  operation: 'getTransactions',
  returnAs: 'file',
  fileFormat: 'csv',
  binaryPropertyName: 'data',
};
const october = { period: 'dates', dateFrom: '2026-10-01', dateTo: '2026-10-31' };

const run = async (parameters: INodeParameters, more: Partial<RunInput> = {}) =>
  await runWorkflow({
    rows: [{}],
    parameters,
    credential: service.credential,
    timezone: 'America/Los_Angeles',
    ...more,
  });

const records = (count: number): IDataObject[] =>
  Array.from({ length: count }, (_, row) => ({
    rec_id: `00${row}`,
    amt_tran: String(row / 10),
    tran_currency: '840',
    tran_time: '2026-10-05 10:15:00',
    tran_date: '2026-10-05',
    purchase_id: `=${row}, "x"`,
    card_number: '4111111111111111',
  }));

const pageOf = (all: IDataObject[], query: URLSearchParams) => {
  const [page, count] = [Number(query.get('page')), Number(query.get('count'))];
  return {
    totalPages: Math.ceil(all.length / count),
    totalRecords: all.length,
    data: all.slice(page * count, (page + 1) * count),
  };
};
const serve = (all: IDataObject[]) => void (respond = (query) => pageOf(all, query));

async function csvOf(parameters: INodeParameters) {
  const { items, error, hints } = await run({ ...transactions, ...parameters });
  expect(error).toBeUndefined();
  const [item] = items;
  if (!item) throw new Error('The run has no output');
  const content = await files.read(item);
  return { item, hints, content, rows: readCsv(content) };
}

test.each([1, 100, 250])('a list of %d records becomes one item with a file of all records', async (count) => {
  serve(records(count));
  const { item, rows, hints } = await csvOf(october);
  expect(item.json).toEqual({
    what_happened: `1 to 31 October 2026, Pacific time: ${count} transaction${count === 1 ? '' : 's'}`,
    records: count,
    file_name: 'transactions 2026-10.csv',
    file_format: 'csv',
    is_complete: true,
    hints: [],
  });
  expect(item.pairedItem).toEqual({ item: 0 });
  expect(item.binary?.data).toMatchObject({
    fileName: 'transactions 2026-10.csv',
    fileExtension: 'csv',
    mimeType: 'text/csv',
    id: expect.stringContaining('filesystem-v2:') as string,
  });
  expect(hints).toEqual([]);
  const [names = [], ...cells] = rows;
  expect(cells).toHaveLength(count);
  const column = (name: string) => cells.map((row) => row[names.indexOf(name)]);
  expect(column('rec_id')).toEqual(records(count).map(({ rec_id }) => rec_id));
  expect(column('amt_tran')).toEqual(records(count).map((_, row) => (row / 10).toFixed(2)));
  expect(column('purchase_id')).toEqual(records(count).map((_, row) => `'=${row}, "x"`));
  for (const [name, text] of Object.entries({
    tran_currency: 'USD',
    card_number: 'x1111',
    tran_time: '2026-10-05T10:15:00.000-07:00',
    tran_date: '2026-10-05',
  }))
    expect(new Set(column(name))).toEqual(new Set([text]));
});

test('a JSON and an NDJSON file contain the same records as the items', async () => {
  serve(records(250));
  const { items } = await run({ ...transactions, returnAs: 'items', returnAll: true, simplify: false });
  const shown = items.map(({ json }) => json);
  expect(shown).toHaveLength(250);
  for (const fileFormat of ['json', 'ndjson']) {
    const [item] = (await run({ ...transactions, fileFormat })).items;
    const text = String(await files.read(item ?? {}));
    const read: unknown = fileFormat === 'json' ? JSON.parse(text) : JSON.parse(`[${text.trim().split('\n').join()}]`);
    expect(read).toEqual(shown);
    expect(item?.json).toMatchObject({ file_name: `transactions.${fileFormat}`, file_format: fileFormat });
  }
});

test('an empty period gives a file with its header row, and the item and the hint contain the dates', async () => {
  serve([]);
  const { item, rows, hints } = await csvOf(october);
  expect(rows).toHaveLength(1);
  const told = '1 to 31 October 2026, Pacific time: 0 transactions';
  expect(item.json).toMatchObject({ records: 0, what_happened: told, is_complete: true });
  expect(hints).toEqual([`${told}.`]);
  const asItems = await run({ ...transactions, ...october, returnAs: 'items' });
  expect(asItems.items).toEqual([]);
  expect(asItems.hints).toEqual([`${told}.`]);
});

test.each([
  [{}, 'transactions.csv', '2 transactions'],
  [{ dateFrom: '2026-10-05' }, 'transactions from 2026-10-05.csv', 'From 5 October 2026, Pacific time: 2 transactions'],
  [{ dateTo: '2026-10-05' }, 'transactions until 2026-10-05.csv', 'Until 5 October 2026, Pacific time: 2 transactions'],
  [
    { dateFrom: '2026-10-05', dateTo: '2026-10-05' },
    'transactions 2026-10-05.csv',
    '5 October 2026, Pacific time: 2 transactions',
  ],
  [
    { dateFrom: '2026-09-28', dateTo: '2026-10-06' },
    'transactions 2026-09-28 to 2026-10-06.csv',
    '28 September to 6 October 2026, Pacific time: 2 transactions',
  ],
  [
    { dateFrom: '2025-12-28', dateTo: '2026-10-06' },
    'transactions 2025-12-28 to 2026-10-06.csv',
    '28 December 2025 to 6 October 2026, Pacific time: 2 transactions',
  ],
])('the file name and the item contain the period %j', async (dates, file_name, what_happened) => {
  serve(records(2));
  const [item] = (await run({ ...transactions, ...(Object.keys(dates).length > 0 && { period: 'dates' }), ...dates }))
    .items;
  expect(item?.json).toMatchObject({ file_name, what_happened });
});

test.each([
  [50, 250, true],
  [250, 1000, true],
  [150, 160, true],
  [250, 250, false],
  [300, 250, false],
])(
  'a limit of %d ends a list of %d records, and the item and the hint state whether more may exist',
  async (limit, count, isCut) => {
    serve(records(count));
    const { item, rows, hints } = await csvOf({ fileOptions: { limit } });
    const told = `The limit of ${limit} ended the list, which contains or may contain more records.`;
    expect(rows).toHaveLength(1 + Math.min(limit, count));
    expect(item.json).toMatchObject({
      records: Math.min(limit, count),
      is_complete: !isCut,
      hints: isCut ? [told] : [],
    });
    expect(hints).toEqual(isCut ? [told] : []);
  },
);

test('the limit and the simplified fields of items have no effect on a file', async () => {
  serve(records(250));
  const { item, rows } = await csvOf({ returnAll: false, limit: 50, simplify: true });
  expect(item.json.records).toBe(250);
  expect(rows[0]).toContain('tran_currency');
});

test('the item states that a list changed, and that the file may be incomplete', async () => {
  respond = (query) => ({ ...pageOf(records(150), query), totalRecords: 160 });
  const { item, hints } = await csvOf({});
  expect(item.json.is_complete).toBe(false);
  expect(item.json.hints).toEqual([expect.stringContaining('announced 160 records but returned 150') as string]);
  expect(hints).toEqual(item.json.hints);
});

test('each input item has its own file', async () => {
  serve(records(3));
  const { items } = await run(
    { ...transactions, period: 'dates', dateFrom: '={{ $json.day }}', binaryPropertyName: '={{ $json.field }}' },
    {
      rows: [
        { day: '2026-10-01', field: 'first' },
        { day: '2026-10-02', field: 'second' },
      ],
    },
  );
  expect(items.map(({ json, pairedItem }) => [json.file_name, pairedItem])).toEqual([
    ['transactions from 2026-10-01.csv', { item: 0 }],
    ['transactions from 2026-10-02.csv', { item: 1 }],
  ]);
  expect(items.map(({ binary }) => Object.keys(binary ?? {}))).toEqual([['first'], ['second']]);
  expect(readCsv(await files.read(items[1] ?? {}, 'second'))).toHaveLength(4);
});

describe('a page that fails for good', () => {
  const failing = (query: URLSearchParams) => (query.get('page') === '2' ? 403 : pageOf(records(450), query));

  test('fails the run as with items, and n8n keeps no file', async () => {
    respond = failing;
    const before = files.names();
    const { error, items } = await run(transactions);
    const asItems = await run({ ...transactions, returnAs: 'items', returnAll: true });
    expect(error?.message).toBe(asItems.error?.message);
    expect(error?.description).toBe(asItems.error?.description);
    expect(items).toEqual([]);
    expect(files.names()).toEqual(before);
  });

  test.each([goOn, toErrors])('gives an error item without a file with %j', async (more) => {
    respond = failing;
    const before = files.names();
    const { items, errors } = await run(transactions, more);
    expect([...items, ...errors]).toEqual([
      { json: expect.objectContaining({ error: expect.anything() as object }) as object, pairedItem: { item: 0 } },
    ]);
    expect(files.names()).toEqual(before);
  });
});

test('a file that n8n keeps in memory is part of the item', async () => {
  const { items, error } = inMemory;
  expect(error).toBeUndefined();
  expect(items[0]?.binary?.data?.id).toBeUndefined();
  expect(readCsv(await files.read(items[0] ?? {}))).toHaveLength(1);
});

test('an error of the storage is named, and the node stops reading', async () => {
  serve(records(10_000));
  files.failNext(new Error('ENOSPC: no space left on device'));
  const { error, items } = await run(transactions);
  expect(error?.message).toBe('n8n could not store the file: ENOSPC: no space left on device');
  expect(items).toEqual([]);
  expect(service.requests.length).toBeLessThan(5);
});

test('canceling the execution stops the reading, and no file is left', async () => {
  const before = files.names();
  let cancel = () => undefined as void;
  let asked = 0;
  respond = (query) => {
    asked += 1;
    if (asked === 10) cancel();
    return pageOf(records(10_000), query);
  };
  const { items } = await run(transactions, { onStart: (stop) => void (cancel = stop) });
  expect(items).toEqual([]);
  expect(asked).toBeLessThan(60);
  expect(files.names()).toEqual(before);
});

describe('parameters of a file', () => {
  test.each([
    [{ returnAs: 'table' }, '"Return As" must be one of: items, file (found "table")'],
    [{ fileFormat: 'xlsx' }, '"File Format" must be one of: csv, ndjson, json (found "xlsx")'],
    [{ binaryPropertyName: ' ' }, '"Put Output File in Field" is required, e.g. data'],
    [{ fileOptions: { limit: 0 } }, '"Limit" must be a whole number of at least 1 (found 0)'],
    [{ fileOptions: { columnNames: 'x' } }, '"Column Names" must be one of: api, readable (found "x")'],
    [{ fileOptions: { escapeFormulas: 'perhaps' } }, '"Escape Formulas" must be true or false (found "perhaps")'],
  ])('an invalid value %j is refused before anything is sent', async (parameters, message) => {
    const { error } = await run({ ...transactions, ...parameters });
    expect(error?.message).toBe(message);
    expect(service.requests).toEqual([]);
  });

  test('the options change the first row and the text of cells', async () => {
    serve(records(1));
    const { content, rows } = await csvOf({
      fileOptions: { addBOM: true, columnNames: 'readable', escapeFormulas: false },
    });
    expect(content.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(rows[0]).toContain('Amount');
    expect(rows[1]).toContain('=0, "x"');
  });

  test('the options apply if the workflow contains no default values', async () => {
    serve(records(1));
    const { resource = '', operation = '', returnAs = '' } = transactions;
    const { items } = await run({ resource, operation, returnAs, fileOptions: { addBOM: true } });
    const content = await files.read(items[0] ?? {});
    expect(content.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  });

  test('a tool of an AI agent returns items', async () => {
    serve(records(2));
    const { items } = await run(transactions, { type: 'paymentPlatformTool' });
    expect(items.map(({ binary }) => binary)).toEqual([undefined, undefined, undefined]);
  });
});

const NUMBERS = ['card_number', 'card_number_original', 'card_number_new', 'primary_card_number'];

test('every operation that lists records returns a file with its documented columns and no card number', async () => {
  const listing = resources.flatMap(({ value: resource, operations }) =>
    operations
      .filter(listsRecords)
      .map((operation) => ({ name: `${resource}.${operation.value}`, resource, operation })),
  );
  expect(listing.length).toBeGreaterThan(30);
  const check = async ({ resource, operation }: (typeof listing)[number]) => {
    const filled = Object.fromEntries(
      columnsOf(operation).map((name) => [name, NUMBERS.includes(name) ? '4111111111111111' : '1']),
    );
    const { records: held } = operation.request;
    respond = () => ({ data: held === undefined ? [filled] : { [held]: [filled] } });
    const ids = {
      invoice_id: '1',
      subscription_id: '1',
      plan_code: 'P',
      request_id: '1',
      customer_id: '1',
      rec_id: '1',
      id: '1',
    };
    const { items, error } = await run({ ...transactions, resource, operation: operation.value, ...ids });
    expect(error?.message).toBeUndefined();
    expect(items.map(({ json }) => json.records)).toEqual([1]);
    const text = String(await files.read(items[0] ?? {}));
    expect(text.split('\r\n')[0]).toBe(columnsOf(operation).join());
    expect(text).not.toContain('4111111111111111');
  };
  expect(await offendersIn(listing, check)).toEqual([]);
});
