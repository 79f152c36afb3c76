import type { IDataObject } from 'n8n-workflow';

import { digitsOf } from '../shared/digits';
import { exactJson, isList, isObject, isTooDeep, type DataValue } from '../shared/objects';
import { lastFour, maskCardNumbers } from '../shared/privacy';
import { ACCOUNT_NUMBERS, CARD_NUMBERS, HIDDEN, READABLE_IDS, READABLE_TEXTS } from '../wire/marks';
import type { FieldValues } from '../model/types';

const CARD_FIELDS: ReadonlySet<string> = new Set(CARD_NUMBERS);
const ACCOUNT_FIELDS: ReadonlySet<string> = new Set(ACCOUNT_NUMBERS);
const HIDDEN_FIELDS: ReadonlySet<string> = new Set(HIDDEN);

/** Whoever reads the record needs all of their digits. In IDs that nobody marked, a person can have put a card number. */
const IDS: ReadonlySet<string> = new Set(READABLE_IDS);
const TEXTS: ReadonlySet<string> = new Set(READABLE_TEXTS);

/** A number that is masked already: signs that stand for its digits, and the last four. */
const MASKED = /^[xX*]+\d{0,4}$/;
/** A card number may show its first six digits too (openapi.yaml#MaskedNumber). */
const MASKED_CARD = /^\d{0,6}[xX*]{2,}\d{0,4}$/;
/** The last four digits of a shorter number would be most of it. */
const LEAST_SHOWN = 8;

/**
 * A copy of a record of the service in which card, routing and account numbers show their last four digits only
 * ("x1234"): by the names that the interface gives them, at any depth and in JSON text, and any card number in other
 * values. Numbers that the service has masked, and the IDs, phone numbers and links of the interface stay as they are.
 */
export const maskRecord = (record: IDataObject): IDataObject => maskFields(record, '');

/** The same for what an answer holds, whatever it is. */
export const maskAnswer = (answer: DataValue): DataValue => maskValue(answer, '');

/** The record as it may be shown and remembered: masked, unless the item asks for full numbers (`showAccountNumbers`). */
export function shownRecord(record: IDataObject, { node }: FieldValues): IDataObject {
  return node.showAccountNumbers === true ? record : maskRecord(record);
}

function maskValue(value: DataValue, name: string): DataValue {
  if (isList(value)) return value.map((entry) => maskValue(entry, name));
  if (isObject(value)) return maskFields(value, name);
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const masked = maskText(String(value), name);
  return masked === String(value) ? value : masked;
}

function maskFields(fields: IDataObject, name: string): IDataObject {
  const inherited = isSecret(name) ? name : undefined;
  // Echo fields are pairs of a name and a value (openapi.yaml#NameValueText).
  const pair = typeof fields.name === 'string' && isSecret(fields.name) ? fields.name : undefined;
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      maskCardNumbers(field),
      maskValue(value, inherited ?? (field === 'value' ? (pair ?? field) : field)),
    ]),
  );
}

const isSecret = (name: string) => CARD_FIELDS.has(name) || ACCOUNT_FIELDS.has(name) || HIDDEN_FIELDS.has(name);

function maskText(text: string, name: string): string {
  if (isSecret(name)) return maskNumber(text, name);
  if (TEXTS.has(name) || (IDS.has(name) && /^[\w-]+$/.test(text))) return text;
  return maskJson(text) ?? maskCardNumbers(text);
}

function maskNumber(text: string, name: string): string {
  if (text === '' || MASKED.test(text) || (CARD_FIELDS.has(name) && MASKED_CARD.test(text))) return text;
  return !HIDDEN_FIELDS.has(name) && digitsOf(text).length >= LEAST_SHOWN ? lastFour(text) : 'x';
}

/** Text that is JSON, such as echo fields, with its own fields masked; `undefined` for other text. */
function maskJson(text: string): string | undefined {
  const inner = /^\s*[[{]/.test(text) ? exactJson(text) : undefined;
  if (!isObject(inner) && !isList(inner)) return undefined;
  // What can't be walked through can't be masked in parts.
  if (isTooDeep(inner)) return '***';
  const masked = JSON.stringify(maskValue(inner, ''));
  return masked === JSON.stringify(inner) ? text : masked;
}
