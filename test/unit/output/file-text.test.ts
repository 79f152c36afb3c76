import type { IDataObject } from 'n8n-workflow';

import type { FileOutput } from '../../../nodes/PaymentPlatform/model/types';
import { fileText } from '../../../nodes/PaymentPlatform/output/file-text';
import { getAll as customers } from '../../../nodes/PaymentPlatform/resources/customer/get-all';
import { getTransactions } from '../../../nodes/PaymentPlatform/resources/report/get-transactions';
import { readCsv } from '../../read-csv';

const CSV: FileOutput = { format: 'csv', property: 'data', addBom: false, hasLabels: false, escapesFormulas: true };

function written(records: IDataObject[], file: Partial<FileOutput> = {}, operation = getTransactions): string {
  const { begin, page, end } = fileText(operation, { ...CSV, ...file });
  return [begin, ...records.map((record) => page([record])), page([]), end].join('');
}

/** Returns the cells of each record by column. */
function cells(records: IDataObject[], file?: Partial<FileOutput>, operation = getTransactions) {
  const [names = [], ...rows] = readCsv(written(records, file, operation));
  expect(rows.map(({ length }) => length)).toEqual(records.map(() => names.length));
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])));
}

const TEXTS = [
  'Smith, Ana',
  'the "best" customer',
  '"',
  '""',
  ',',
  'first\nsecond',
  'first\r\nsecond\r\n',
  '\n',
  'a;b|c\ttab',
  ' spaces ',
  '👩‍💻 café ñ 漢字',
  'שלום, עולם',
  'مرحبا "بالعالم"',
  '\u200Fright-to-left mark',
  '\u2028line separator',
  "'apostrophe",
];

test('a CSV cell keeps any text', () => {
  const records = TEXTS.map((text) => ({ purchase_id: text, cardholder_last_name: text }));
  expect(cells(records)).toMatchObject(records);
});

test('every line of a CSV file ends with CRLF, and only cells that need quotes have them', () => {
  const text = written([{ rec_id: '1', purchase_id: 'a,b' }, { rec_id: '2' }]);
  expect(text.split('\r\n')).toHaveLength(4);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(text.match(/"[^"]*"/g)).toEqual(['"a,b"']);
});

test('a CSV file has all documented columns in documented order, whether or not a record has a value', () => {
  const names = readCsv(written([]))[0] ?? [];
  expect(names.slice(0, 7)).toEqual([
    ...['rec_id', 'qp_id', 'merchant_id', 'tran_time', 'tran_date', 'request_type', 'request_type_text'],
  ]);
  expect(written([])).toBe(`${names.join(',')}\r\n`);
  const [header, row] = readCsv(written([{ undocumented: 'x', amt_tran: 1, rec_id: '9' }]));
  expect(header).toEqual(names);
  expect(row?.join()).toBe(['9', ...names.slice(1).map((name) => (name === 'amt_tran' ? '1.00' : ''))].join());
});

test('IDs keep every digit and leading zero', () => {
  const ids = { rec_id: '000123', pg_id: '426351789012345678', purchase_id: '00', auth_code: '0E5' };
  expect(cells([ids])).toMatchObject([ids]);
});

test('an amount has the decimals of its currency, and the currency is in letters', () => {
  const amounts: Array<[number, string | undefined, string, string]> = [
    [49.9, '840', '49.90', 'USD'],
    [0, 'USD', '0.00', 'USD'],
    [-5, '840', '-5.00', 'USD'],
    [1200, '392', '1200', 'JPY'],
    [1200.5, '392', '1200.5', 'JPY'],
    [7.5, '048', '7.500', 'BHD'],
    [1.005, '840', '1.005', 'USD'],
    [123456789012.34, '978', '123456789012.34', 'EUR'],
    [12.5, undefined, '12.50', ''],
    [12.5, '999', '12.50', '999'],
  ];
  expect(cells(amounts.map(([amt_tran, tran_currency]) => ({ amt_tran, tran_currency })))).toMatchObject(
    amounts.map(([, , amt_tran, tran_currency]) => ({ amt_tran, tran_currency })),
  );
});

test('an amount with its own currency has the decimals of this currency', () => {
  const record = { amt_tran: 10, tran_currency: '840', amt_funded: 1500, funded_currency: '392', amt_refunded: 1 };
  expect(cells([record])).toMatchObject([{ amt_tran: '10.00', amt_funded: '1500', amt_refunded: '1.00' }]);
});

test('nested values are JSON text, flags are words, and missing values are empty', () => {
  const cards = [{ card_id: '1', name: 'a "b", c' }];
  const [record] = cells([{ billing_cards: cards, shipping_addresses: null, comments: undefined }], {}, customers);
  expect(JSON.parse(record?.billing_cards ?? '')).toEqual(cards);
  expect(record).toMatchObject({ shipping_addresses: '', comments: '' });
  expect(cells([{ dispute_flag: false }])).toMatchObject([{ dispute_flag: 'false' }]);
});

const FORMULAS = ['=1+1', '=HYPERLINK("http://x","y")', '+1 555 0100', '-2+3', '@SUM(A1)', '\t=1', '\r=1'];

test('a spreadsheet shows a formula in a text field instead of running it, unless an option turns this off', () => {
  const records = FORMULAS.map((text) => ({ purchase_id: text }));
  expect(cells(records)).toMatchObject(FORMULAS.map((text) => ({ purchase_id: `'${text}` })));
  expect(cells(records, { escapesFormulas: false })).toMatchObject(records);
});

test('numbers stay numbers, and text that only contains a formula character stays unchanged', () => {
  const unchanged = [{ amt_tran: '-12.50', purchase_id: 'a=b' }, { amt_tran: '-1234567890123456.78' }];
  expect(cells([{ amt_tran: -12.5, purchase_id: 'a=b' }, { amt_tran: '-1234567890123456.78' }])).toMatchObject(
    unchanged,
  );
  expect(cells([{ amt_tran: '-1+cmd' }])).toMatchObject([{ amt_tran: "'-1+cmd" }]);
});

test('an option adds a byte order mark, which is only at the beginning', () => {
  expect(written([{ rec_id: '1' }], { addBom: true })).toMatch(/^\uFEFFrec_id,[^\uFEFF]+$/);
  expect(Buffer.from(written([], { addBom: true })).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
});

test('an option gives columns readable names', () => {
  const names = readCsv(written([], { hasLabels: true }))[0];
  expect(names).toEqual(
    expect.arrayContaining(['Amount', 'Card', 'Status', 'Currency', 'Refunded Amount', 'Purchase ID']),
  );
});

test.each([[[]], [[{ a: 1 }]], [[{ a: 'x\n"y"' }, { b: [1, { c: '👩‍💻' }] }, { d: '00' }]]])(
  'JSON and NDJSON files contain the records %j',
  (records: IDataObject[]) => {
    expect(JSON.parse(written(records, { format: 'json' }))).toEqual(records);
    const lines = written(records, { format: 'ndjson' }).split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(records);
  },
);
