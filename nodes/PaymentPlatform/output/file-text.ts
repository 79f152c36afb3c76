import type { IDataObject } from 'n8n-workflow';

import { currencyLetters, decimalsOf } from '../fields/currencies';
import type { FileFormat, FileOutput, Operation } from '../model/types';
import { asText } from '../shared/objects';
import { FIELDS, MONEY } from '../wire/kinds-of-fields';
import { columnLabels, columnsOf } from './file-columns';

/** Text of a file, page by page. */
export interface FileText {
  begin: string;
  /** Returns the text of a page's records. */
  page: (records: readonly IDataObject[]) => string;
  end: string;
}

export const MIME_TYPES: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
};

export function fileText(operation: Operation, file: FileOutput): FileText {
  if (file.format === 'csv') return csvText(operation, file);
  const lines = (records: readonly IDataObject[], before: string, after: string) =>
    records.map((record) => `${before}${JSON.stringify(record)}${after}`).join('');
  if (file.format === 'ndjson') return { begin: '', page: (records) => lines(records, '', '\n'), end: '' };
  let isFirst = true;
  const page = (records: readonly IDataObject[]) => {
    const text = lines(records, ',\n', '');
    const shown = isFirst ? text.slice(1) : text;
    isFirst &&= text === '';
    return shown;
  };
  return { begin: '[', page, end: '\n]\n' };
}

const BYTE_ORDER_MARK = '\uFEFF';

/** Follows RFC 4180. Omits fields that the documentation of the records doesn't list. */
function csvText(operation: Operation, { addBom, hasLabels, escapesFormulas }: FileOutput): FileText {
  const columns = columnsOf(operation);
  const row = (cells: readonly string[]) => `${cells.map(quoted).join(',')}\r\n`;
  const cell = (record: IDataObject, name: string) => {
    if (record[name] === undefined) return '';
    const text = textOf(record, name);
    return escapesFormulas && FORMULA.test(text) && !isNumber(record[name], name) ? `'${text}` : text;
  };
  return {
    begin: `${addBom ? BYTE_ORDER_MARK : ''}${row(hasLabels ? columnLabels(columns) : columns)}`,
    page: (records) => records.map((record) => row(columns.map((name) => cell(record, name)))).join(''),
    end: '',
  };
}

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Spreadsheets run text that begins with one of these characters. */
const FORMULA = /^[=+\-@\t\r]/;
const DECIMAL = /^[+-]?\d+(?:\.\d+)?$/;

const NUMBERS: ReadonlySet<string> = new Set(FIELDS.number);
const AMOUNTS: ReadonlySet<string> = new Set(MONEY);
const CURRENCY = 'tran_currency';
const isCurrency = (name: string) => name.endsWith('_currency');

/** A number with more than 15 digits is text. */
const isNumber = (value: unknown, name: string) =>
  typeof value === 'number' || (NUMBERS.has(name) && DECIMAL.test(asText(value)));

function textOf(record: IDataObject, name: string): string {
  const value = record[name];
  if (typeof value === 'number' && AMOUNTS.has(name)) return amountText(value, currencyOf(record, name));
  return isCurrency(name) ? currencyLetters(asText(value)) : asText(value);
}

/** The service may pay out in another currency. */
const OWN_CURRENCY: Readonly<Record<string, string>> = { amt_funded: 'funded_currency' };

const currencyOf = (record: IDataObject, amount: string): string =>
  asText(record[OWN_CURRENCY[amount] ?? CURRENCY]) || asText(record[CURRENCY]);

/** Adds the decimals of the currency. Never rounds. */
function amountText(amount: number, currency: string): string {
  const text = String(amount);
  const [whole = '', decimals = ''] = text.split('.');
  const least = decimalsOf(currency);
  return text.includes('e') || least + decimals.length === 0 ? text : `${whole}.${decimals.padEnd(least, '0')}`;
}
