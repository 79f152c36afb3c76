import type { IDataObject } from 'n8n-workflow';

import { currencyLetters, decimalsOf } from '../fields/currencies';
import { isEmpty } from '../fields/value';
import { asText, setField } from '../shared/objects';
import { CODE_WORDS } from '../wire/words';
import type { Came, FieldValues, Operation } from '../model/types';

/** First field of a write's output. */
export const WHAT_HAPPENED = 'what_happened';

/** Example: `status_text` for `status`. */
export const wordsFieldOf = (name: string): string => `${name}_text`;

export const codedFields = (operationId: string | undefined): string[] =>
  Object.keys(CODE_WORDS[operationId ?? ''] ?? {});

/** A voided capture is a refund before settlement, unless the capture itself was voided (service.md#refunds). */
const REFUND = 'refund before settlement, or a voided capture';

/** Adds a description after each known code in a record. */
export function withWords(record: IDataObject, operationId: string | undefined): IDataObject {
  const coded = CODE_WORDS[operationId ?? ''];
  if (!coded) return record;
  const isRefund = asText(record.request_type) === 'capture' && asText(record.tran_status).toLowerCase() === 'v';
  const all: IDataObject = {};
  for (const [name, value] of Object.entries(record)) {
    const words = isRefund && name === 'request_type' ? REFUND : coded[name]?.[asText(value)];
    setField(all, name, value);
    if (words !== undefined) all[wordsFieldOf(name)] = words;
  }
  return all;
}

/** Returns no summary if creating it throws an error. */
export function whatHappened(
  told: Pick<Operation, 'summary'>,
  record: IDataObject,
  values: FieldValues,
  came: Came = 'sent',
  sent: FieldValues = values,
): IDataObject {
  if (!told.summary) return {};
  try {
    return { [WHAT_HAPPENED]: told.summary(record, values, came, sent) };
  } catch {
    return {};
  }
}

/**
 * Formats an amount as in "5.00 USD" or "500 JPY". Returns non-numeric text unchanged.
 * @param currency three-digit code, if known.
 */
export function inMoney(amount: unknown, currency?: unknown): string {
  const text = asText(amount).trim();
  const number = Number(text);
  if (text === '' || !Number.isFinite(number)) return text;
  if (isEmpty(currency)) return number.toFixed(2);
  const code = asText(currency);
  const decimals = Number.isInteger(number) ? decimalsOf(code) : Math.max(decimalsOf(code), 2);
  return `${number.toFixed(decimals)} ${currencyLetters(code)}`;
}

/** Returns a sentence. */
export const stillRefundable = (amount: number, currency?: unknown): string =>
  amount > 0 ? `${inMoney(amount, currency)} can still be refunded.` : 'Nothing is left to refund.';

/** Appends the record's currency ("5.00 USD") or a phrase ("5.00 in the currency of the sale"). */
export const inMoneyOf = (amount: unknown, record: object, words = ''): string =>
  'tran_currency' in record && !isEmpty(record.tran_currency)
    ? inMoney(amount, record.tran_currency)
    : `${inMoney(amount)}${words}`;

/** Returns text such as " of customer C1", or `''`. */
export const customerWords = ({ customer_id: id }: { customer_id?: unknown }): string =>
  isEmpty(id) ? '' : ` of customer ${asText(id)}`;

const LONGEST = 90;

/** Returns the first text that is short enough for a summary, or else the last text. */
export const firstShort = (texts: readonly string[]): string =>
  texts.find(({ length }) => length <= LONGEST) ?? texts.at(-1) ?? '';

/** Returns `''` if the date is missing. */
export const onDay = (words: string, date: unknown): string =>
  isEmpty(date) ? '' : `${words}${asText(date).slice(0, 10)}`;

/** Returns text such as "a@example.com" or "3 recipients". */
export const recipients = (addresses: readonly string[]): string =>
  addresses.length > 1 ? `${addresses.length} recipients` : addresses.join('');

/** Returns text such as "a, b and c". */
export const inRow = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
