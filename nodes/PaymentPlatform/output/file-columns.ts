import { codedFields, wordsFieldOf } from '../messages/what-happened';
import type { FieldValues, Operation } from '../model/types';
import { computeOnce } from '../shared/objects';
import { UNMASKED_SECRETS } from '../wire/marks';
import { RECORD_FIELDS } from '../wire/records';

const NO_VALUES: FieldValues = { path: {}, query: {}, body: {}, node: {} };

/** Returns the documented fields of an operation's records, in order, including fields that the node adds. */
export const columnsOf = computeOnce((operation: Operation): string[] => {
  const { operationId = '' } = operation.request;
  const known = (RECORD_FIELDS[operationId] ?? []).filter((name) => !UNMASKED_SECRETS.includes(name));
  const blank = Object.fromEntries(known.map((name) => [name, undefined]));
  const coded = codedFields(operationId);
  const shown = Object.keys(operation.present?.(blank, NO_VALUES, NO_VALUES) ?? blank);
  return [...new Set([...shown, ...Object.keys(operation.adds ?? {})])].flatMap((name) =>
    coded.includes(name) ? [name, wordsFieldOf(name)] : [name],
  );
});

/** Labels of fields whose names don't contain the usual term. */
const SHORT: Readonly<Record<string, string>> = {
  amt_tran: 'Amount',
  card_number: 'Card',
  tran_currency: 'Currency',
  tran_status: 'Status',
  pg_id: 'Transaction ID',
};

const WORDS: Readonly<Record<string, string>> = {
  acq: 'Acquirer',
  addr1: 'Address 1',
  addr2: 'Address 2',
  address1: 'Address 1',
  address2: 'Address 2',
  amt: 'Amount',
  auth: 'Authorization',
  avg: 'Average',
  cb: 'Chargeback',
  cbr: 'Chargeback',
  db: 'Database',
  desc: 'Description',
  exp: 'Expiration',
  ind: 'Indicator',
  merch: 'Merchant',
  mod: 'Modified',
  num: 'Number',
  of: 'of',
  on: 'on',
  pct: 'Percent',
  pg: 'Transaction',
  ph: 'Phone',
  pmt: 'Payment',
  prorate: 'Prorated',
  purch: 'Purchases',
  rcode: 'Response Code',
  rec: 'Record',
  recur: 'Recurring',
  ref: 'Reference',
  return: 'Returns',
  tr: 'Routing',
  to: 'to',
  tran: 'Transaction',
};
const CAPITALS = new Set([
  'ach',
  'avs',
  'aus',
  'cvv2',
  'dba',
  'dda',
  'emv',
  'fbo',
  'id',
  'pos',
  'qp',
  'rrn',
  'url',
  'zip',
  'zip4',
]);
/** Prefixes that English puts last. */
const LAST: Readonly<Record<string, string>> = { amt: 'Amount', cnt: 'Count', date: 'Date' };

/** Example: "Refunded Amount" for `amt_refunded`. */
function labelOf(name: string): string {
  const [first = '', ...rest] = name.toLowerCase().split('_');
  const last = rest.length > 0 ? LAST[first] : undefined;
  const words = (last === undefined ? [first, ...rest] : rest).map(
    (word) =>
      WORDS[word] ?? (CAPITALS.has(word) ? word.toUpperCase() : `${word.charAt(0).toUpperCase()}${word.slice(1)}`),
  );
  return [...words, ...(last === undefined ? [] : [last])].join(' ');
}

/** Returns a different label for each column. */
export function columnLabels(columns: readonly string[]): string[] {
  const short = columns.map((name) => SHORT[name] ?? labelOf(name));
  return columns.map((name, index) => {
    const own = short[index] ?? name;
    return short.indexOf(own) === short.lastIndexOf(own) ? own : labelOf(name);
  });
}
