import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../fields/types';
import type { Failure } from '../model/failure';
import { declaredFields, originalRequest } from '../model/operation';
import type { FieldValues, Operation, PlannedRequest } from '../model/types';
import { digitsOf } from '../shared/digits';
import { type DataValue, exactJson, isList, isObject, isTooDeep, only, setField } from '../shared/objects';
import {
  lastFour,
  LEAST_SHOWN,
  maskCardNumbers,
  maskCardsInId,
  scrub,
  type Secrets,
  secretsFrom,
  STARS,
  withoutSecrets,
} from '../shared/privacy';
import {
  ACCOUNT_NUMBERS,
  CARD_NUMBERS,
  HIDDEN,
  READABLE_IDS,
  READABLE_TEXTS,
  SECRET,
  UNMASKED_SECRETS,
} from '../wire/marks';

/** Shortest secret, such as a CVV. */
const LEAST = 3;
/** Shorter secrets can equal codes in the node's own texts by chance. */
const IN_OWN_TEXTS = 4;
/** Shorter secrets can equal other fields of a record by chance. */
const IN_RECORDS = 8;

/** Texts of the service, which can quote a short number. */
const SAID: ReadonlySet<string> = new Set(['rmsg', 'message']);

/** Matches the name of a field. Any other name can be a value, such as the number of an account. */
const FIELD_NAME = /^[a-z_]+\d?$/i;

/** Shorter numbers can equal amounts and counts by chance. */
const isLongNumber = (value: DataValue): value is number =>
  typeof value === 'number' && Number.isInteger(value) && String(value).length >= IN_RECORDS;

/** Most requests have no secrets of their own, so they share the account's scrubber. */
const ofAccounts = new WeakMap<readonly string[], Scrubber>();

/**
 * Removes secrets in the forms in which the service could echo them: the account's key and token, and the request's
 * card numbers, CVVs, account numbers and passwords.
 */
export class Scrubber {
  private readonly byLength = new Map<number, Secrets>();

  constructor(private readonly secrets: readonly string[]) {}

  static of(account: readonly string[], own: readonly string[]): Scrubber {
    if (own.length > 0) return new Scrubber([...account, ...own]);
    const known = ofAccounts.get(account) ?? new Scrubber(account);
    ofAccounts.set(account, known);
    return known;
  }

  words(text: string): string {
    return scrub(withoutSecrets(text, this.from(LEAST)));
  }

  id(text: string): string {
    return /^[\w-]+$/.test(text) ? maskCardsInId(withoutSecrets(text, this.from(LEAST))) : this.words(text);
  }

  /** Keeps three-character secrets, because the node's own texts contain the same codes. */
  failure(failure: Failure): Failure {
    return this.clean(failure, this.from(IN_OWN_TEXTS)) as Failure;
  }

  /** Keeps short secrets except in the service's messages, because ZIP codes and years can equal them. */
  records(records: IDataObject[]): IDataObject[] {
    return records.map((record) => this.fields(record, this.from(IN_RECORDS), this.from(LEAST)));
  }

  private clean(value: DataValue, secrets: Secrets, inMessages = secrets): DataValue {
    if (typeof value === 'string') return withoutSecrets(value, secrets);
    if (isLongNumber(value)) return withoutSecrets(String(value), secrets) === STARS ? STARS : value;
    if (isList(value)) return value.map((entry) => this.clean(entry, secrets, inMessages));
    return isObject(value) ? this.fields(value, secrets, inMessages) : value;
  }

  private fields(record: IDataObject, secrets: Secrets, inMessages: Secrets): IDataObject {
    const cleaned = Object.entries(record).map(([name, inner]): [string, DataValue] => [
      FIELD_NAME.test(name) ? name : withoutSecrets(name, secrets),
      this.clean(inner, SAID.has(name) ? inMessages : secrets, inMessages),
    ]);
    return Object.fromEntries(cleaned);
  }

  private from(least: number): Secrets {
    const known = this.byLength.get(least) ?? secretsFrom(this.secrets, least);
    this.byLength.set(least, known);
    return known;
  }
}

const SECRET_FIELDS: ReadonlySet<string> = new Set(SECRET.map((name) => name.toLowerCase()));

/** Ignores case, because users can enter names. */
export const isSecretField = (name: string): boolean => SECRET_FIELDS.has(name.toLowerCase());

/** Returns secret values at any depth and in JSON text, identified by their field names. */
export function findSecrets(value: unknown, isSecret = false): string[] {
  if (typeof value === 'string' && !isSecret) {
    const inner = jsonIn(value);
    return inner === undefined || isTooDeep(inner) ? [] : findSecrets(inner);
  }
  if (Array.isArray(value)) return value.flatMap((entry) => findSecrets(entry, isSecret));
  if (isObject(value)) {
    const pair = secretPairName(value, isSecretField) !== undefined;
    return Object.entries(value).flatMap(([name, inner]) =>
      findSecrets(inner, isSecret || isSecretField(name) || (pair && name === 'value')),
    );
  }
  const isText = typeof value === 'string' || typeof value === 'number';
  return isSecret && isText && !isMasked(String(value)) ? [String(value)] : [];
}

export function scrubberOf(request: PlannedRequest): Scrubber {
  const [{ values: asked }, { secrets = [], values }] = [originalRequest(request), request];
  const { body, query, node } = values;
  return Scrubber.of(secrets, findSecrets([body, query, node, asked.body, asked.query]));
}

const CARD_FIELDS: ReadonlySet<string> = new Set(CARD_NUMBERS);
const ACCOUNT_FIELDS: ReadonlySet<string> = new Set(ACCOUNT_NUMBERS);
/** Records omit these secrets (openapi.yaml#Webhook). */
const OMITTED_FIELDS: ReadonlySet<string> = new Set(UNMASKED_SECRETS);
const HIDDEN_FIELDS: ReadonlySet<string> = new Set([...HIDDEN, ...UNMASKED_SECRETS]);

/** IDs that users need in full. Other IDs can contain a card number that a user entered. */
const IDS: ReadonlySet<string> = new Set(READABLE_IDS);
const TEXTS: ReadonlySet<string> = new Set(READABLE_TEXTS);

const MASKED = /^[xX*]+\d{0,4}$/;
/** Matches a masked card number, which may also show its first six digits (openapi.yaml#MaskedNumber). */
const MASKED_CARD = /^\d{0,6}[xX*]{2,}\d{0,4}$/;
const isMasked = (text: string) => MASKED.test(text) || MASKED_CARD.test(text);
/**
 * Masks card, routing and account numbers ("x1234") and removes other secrets, at any depth and in JSON text. Doesn't
 * change readable IDs, phone numbers or links.
 */
export const maskRecord = (record: IDataObject): IDataObject => maskFields(record, '');

/** Applies the rules of `maskRecord` to any value of a response. */
export const maskAnswer = (answer: DataValue): DataValue => maskValue(answer, '');

/**
 * Returns a record as n8n may show and store it. Masks the record unless the item requests all secrets
 * (`showAccountNumbers`) or the security key of a new webhook (`returnSecurityKey`).
 */
export function shownRecord(record: IDataObject, { node }: FieldValues): IDataObject {
  if (node.showAccountNumbers === true) return record;
  return { ...maskRecord(record), ...(node.returnSecurityKey === true && only(record, ['security_key'])) };
}

const SECRET_OPTIONS: ReadonlySet<string> = new Set(['showAccountNumbers', 'returnSecurityKey']);

/** Returns the option that adds secrets to the output, if any. */
export const secretOptionOf = (operation: Operation): Field | undefined =>
  declaredFields(operation).find(({ name }) => SECRET_OPTIONS.has(name));

function maskValue(value: DataValue, name: string): DataValue {
  if (isList(value)) return value.map((entry) => maskValue(entry, name));
  if (isObject(value)) return maskFields(value, name);
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const masked = maskText(String(value), name);
  return masked === String(value) ? value : masked;
}

function maskFields(fields: IDataObject, name: string): IDataObject {
  const inherited = isSecret(name) ? name : undefined;
  const pair = secretPairName(fields, isSecret);
  const masked: IDataObject = {};
  for (const [field, value] of Object.entries(fields)) {
    if (OMITTED_FIELDS.has(field)) continue;
    const secret = inherited ?? (field === 'value' ? pair : undefined);
    setField(masked, maskCardNumbers(field), maskValue(value, secret ?? field));
  }
  return masked;
}

/** Returns the name in a name-value pair of echo fields (openapi.yaml#NameValueText), if its value is secret. */
const secretPairName = ({ name }: IDataObject, isSecretName: (name: string) => boolean): string | undefined =>
  typeof name === 'string' && isSecretName(name) ? name : undefined;

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

function jsonIn(text: string): IDataObject | DataValue[] | undefined {
  const inner = /^\s*[[{]/.test(text) ? exactJson(text) : undefined;
  return isObject(inner) || isList(inner) ? inner : undefined;
}

function maskJson(text: string): string | undefined {
  const inner = jsonIn(text);
  if (inner === undefined) return undefined;
  // Masks the entire text if the JSON is nested too deeply.
  if (isTooDeep(inner)) return STARS;
  const masked = JSON.stringify(maskValue(inner, ''));
  return masked === JSON.stringify(inner) ? text : masked;
}
