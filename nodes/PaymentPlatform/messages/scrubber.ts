import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../fields/types';
import type { Failure } from '../model/failure';
import { originalRequest } from '../model/item-steps';
import { declaredFields } from '../model/operation';
import type { FieldValues, Operation, PlannedRequest } from '../model/types';
import { digitsOf, spacedOut } from '../shared/digits';
import { type DataValue, exactJson, isList, isObject, isTooDeep, only } from '../shared/objects';
import { lastFour, maskCardNumbers, maskCardsInId, scrub } from '../shared/privacy';
import {
  ACCOUNT_NUMBERS,
  CARD_NUMBERS,
  HIDDEN,
  READABLE_IDS,
  READABLE_TEXTS,
  SECRET,
  UNMASKED_SECRETS,
} from '../wire/marks';

/** Secrets with fewer characters occur inside words by chance, so the scrubber removes them only as separate words. */
const SHORT = 4;
const LEAST = 3;
const LONG_NUMBER = 7;

/** Secrets with fewer characters can equal other fields of a record by chance. */
const IN_RECORDS = 8;
/** Maximum number of characters. Longer secrets, such as a wallet payload, would make the pattern too large. */
const LONGEST_IN_PATTERN = 500;

const STARS = '***';

/** Most requests have no secrets of their own, so they share the account's scrubber. */
const ofAccounts = new WeakMap<readonly string[], Scrubber>();

/**
 * Removes secrets from text, in the forms in which the service could echo them: the account's key and token, and the
 * request's card numbers, CVVs, account numbers and passwords.
 */
export class Scrubber {
  private readonly patterns = new Map<number, Hidden>();

  constructor(private readonly secrets: readonly string[]) {}

  static of(account: readonly string[], own: readonly string[]): Scrubber {
    if (own.length > 0) return new Scrubber([...account, ...own]);
    const known = ofAccounts.get(account) ?? new Scrubber(account);
    ofAccounts.set(account, known);
    return known;
  }

  words(text: string): string {
    return scrub(this.without(text, this.from(LEAST)));
  }

  /** Removes secrets and card numbers from the ID of a record. */
  id(text: string): string {
    return /^[\w-]+$/.test(text) ? maskCardsInId(this.without(text, this.from(LEAST))) : this.words(text);
  }

  /**
   * Removes secrets from all texts of a failure, except three-character secrets, because the node's own texts contain
   * the same codes.
   */
  failure(failure: Failure): Failure {
    return this.clean(failure, this.from(SHORT)) as Failure;
  }

  /** Removes secrets from all text in records. Keeps short secrets, because ZIP codes and years can equal them. */
  records(records: IDataObject[]): IDataObject[] {
    return records.map((record) => this.fields(record, this.from(IN_RECORDS)));
  }

  private clean(value: DataValue, secrets: Hidden): DataValue {
    if (typeof value === 'string') return this.without(value, secrets);
    if (isList(value)) return value.map((entry) => this.clean(entry, secrets));
    return isObject(value) ? this.fields(value, secrets) : value;
  }

  private fields(record: IDataObject, secrets: Hidden): IDataObject {
    return Object.fromEntries(Object.entries(record).map(([name, inner]) => [name, this.clean(inner, secrets)]));
  }

  private without(text: string, { pattern, texts }: Hidden): string {
    const shorter = texts.reduce((rest, secret) => rest.split(secret).join(STARS), text);
    return pattern ? shorter.replace(pattern, STARS) : shorter;
  }

  private from(least: number): Hidden {
    const known = this.patterns.get(least);
    if (known) return known;
    const given = [...new Set(this.secrets.map((secret) => secret.trim()))];
    const made = hidden(given.filter(({ length }) => length >= least));
    this.patterns.set(least, made);
    return made;
  }
}

interface Hidden {
  pattern?: RegExp;
  texts: string[];
}

function hidden(secrets: string[]): Hidden {
  const texts = secrets.filter(({ length }) => length > LONGEST_IN_PATTERN);
  const others = secrets.filter(({ length }) => length <= LONGEST_IN_PATTERN);
  // Longer secrets come first, because a shorter secret can be part of a longer secret.
  const forms = [...new Set(others.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  return { texts, ...(forms.length > 0 && { pattern: new RegExp(forms.join('|'), 'giu') }) };
}

/** The service could echo a secret unchanged, as JSON, in a URL, as base64, or as grouped digits. */
function formsOf(secret: string): string[] {
  if (secret.length < SHORT) return [alone(escaped(secret))];
  if (/^\d+$/.test(secret)) {
    const digits = spacedOut(secret);
    return [secret.length < LONG_NUMBER ? `(?<!\\d)${digits}(?!\\d)` : digits];
  }
  // `encodeURIComponent` rejects lone surrogates.
  const text = secret.replace(/[\ud800-\udfff]/gu, '\ufffd');
  const base64 = Buffer.from(text).toString('base64').replace(/=+$/, '');
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(text),
    base64,
    base64.replace(/\+/g, '-').replace(/\//g, '_'),
  ].map(escaped);
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, (sign) => `\\${sign}`);
const alone = (pattern: string) => `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`;

const SECRET_FIELDS: ReadonlySet<string> = new Set(SECRET);

/** Returns whether a field with this name is secret in every request. */
export const isSecretField = (name: string): boolean => SECRET_FIELDS.has(name);

/** Returns a request's secret values at any depth, identified by their field names. */
export function findSecrets(value: unknown, isSecret = false): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => findSecrets(entry, isSecret));
  if (isObject(value))
    return Object.entries(value).flatMap(([name, inner]) => findSecrets(inner, isSecret || isSecretField(name)));
  return isSecret && (typeof value === 'string' || typeof value === 'number') ? [String(value)] : [];
}

/** Returns a scrubber for the secrets of the account and of a request. */
export function scrubberOf(request: PlannedRequest): Scrubber {
  const [{ values: asked }, { secrets = [], values }] = [originalRequest(request), request];
  return Scrubber.of(secrets, findSecrets([values.body, values.query, asked.body, asked.query]));
}

const CARD_FIELDS: ReadonlySet<string> = new Set(CARD_NUMBERS);
const ACCOUNT_FIELDS: ReadonlySet<string> = new Set(ACCOUNT_NUMBERS);
/** Secrets such as passwords and security keys (openapi.yaml#Webhook). Records omit these fields. */
const OMITTED_FIELDS: ReadonlySet<string> = new Set(UNMASKED_SECRETS);
const HIDDEN_FIELDS: ReadonlySet<string> = new Set([...HIDDEN, ...UNMASKED_SECRETS]);

/** IDs that users need in full. Other IDs can contain a card number that a user entered. */
const IDS: ReadonlySet<string> = new Set(READABLE_IDS);
const TEXTS: ReadonlySet<string> = new Set(READABLE_TEXTS);

const MASKED = /^[xX*]+\d{0,4}$/;
/** Matches a masked card number, which may also show its first six digits (openapi.yaml#MaskedNumber). */
const MASKED_CARD = /^\d{0,6}[xX*]{2,}\d{0,4}$/;
/** In a number with fewer digits, the last four digits would reveal too much. */
const LEAST_SHOWN = 8;

/**
 * Returns a copy of a record with masked card, routing and account numbers ("x1234") and without other secrets, at any
 * depth and in JSON text. Doesn't change readable IDs, phone numbers or links.
 */
export const maskRecord = (record: IDataObject): IDataObject => maskFields(record, '');

/** Masks any value of a response according to the rules of `maskRecord`. */
export const maskAnswer = (answer: DataValue): DataValue => maskValue(answer, '');

/**
 * Returns a record in the form that n8n may show and store. Masks the record unless the item requests all secrets
 * (`showAccountNumbers`) or the security key of a new webhook (`returnSecurityKey`).
 */
export function shownRecord(record: IDataObject, { node }: FieldValues): IDataObject {
  if (node.showAccountNumbers === true) return record;
  return { ...maskRecord(record), ...(node.returnSecurityKey === true && only(record, ['security_key'])) };
}

const SECRET_OPTIONS: ReadonlySet<string> = new Set(['showAccountNumbers', 'returnSecurityKey']);

/** Returns the option that adds secrets to the output of an operation, if the operation has one. */
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
  // Echo fields contain name-value pairs (openapi.yaml#NameValueText).
  const pair = typeof fields.name === 'string' && isSecret(fields.name) ? fields.name : undefined;
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([field]) => !OMITTED_FIELDS.has(field))
      .map(([field, value]) => [
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

function maskJson(text: string): string | undefined {
  const inner = /^\s*[[{]/.test(text) ? exactJson(text) : undefined;
  if (!isObject(inner) && !isList(inner)) return undefined;
  // Masks the entire text if the JSON is nested too deeply.
  if (isTooDeep(inner)) return '***';
  const masked = JSON.stringify(maskValue(inner, ''));
  return masked === JSON.stringify(inner) ? text : masked;
}
