import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../model/failure';
import type { FieldValues } from '../model/types';
import { digitsOf, spacedOut } from '../shared/digits';
import { type DataValue, exactJson, isList, isObject, isTooDeep } from '../shared/objects';
import { lastFour, maskCardNumbers, maskCardsInId, scrub } from '../shared/privacy';
import { ACCOUNT_NUMBERS, CARD_NUMBERS, HIDDEN, READABLE_IDS, READABLE_TEXTS, SECRET } from '../wire/marks';

/** Shorter values stand in every text; they are taken out only where they stand for themselves. */
const SHORT = 4;
/** Too short to hide anything: taking it out would only spoil the text. */
const LEAST = 3;
/** Digits of fewer are part of other numbers by chance. */
const LONG_NUMBER = 7;

/** Secrets of records: shorter ones are values of other fields by chance. */
const IN_RECORDS = 8;
/** Longer ones, such as the payload of a wallet, would make patterns that are too large. */
const LONGEST_IN_PATTERN = 500;

const STARS = '***';

/** Most requests have no secrets but the account's, the same array for all of a run: its patterns are made once. */
const ofAccounts = new WeakMap<readonly string[], Scrubber>();

/**
 * Takes secrets out of text: those of the account (key, token) and the secret values of one request (card number, CVV,
 * account, password), in the forms in which a service could echo them.
 */
export class Scrubber {
  private readonly patterns = new Map<number, Hidden>();

  constructor(private readonly secrets: readonly string[]) {}

  /** For a request: with the secrets of its account, and with its own, if it has any. */
  static of(account: readonly string[], own: readonly string[]): Scrubber {
    if (own.length > 0) return new Scrubber([...account, ...own]);
    const known = ofAccounts.get(account) ?? new Scrubber(account);
    ofAccounts.set(account, known);
    return known;
  }

  /** Words of the service, without the secrets and without any number that could be one. */
  words(text: string): string {
    return scrub(this.without(text, this.from(LEAST)));
  }

  /**
   * The ID of a record, without the secrets and without a card number that somebody took for an ID. What has blanks or
   * signs in it is no ID but words.
   */
  id(text: string): string {
    return /^[\w-]+$/.test(text) ? maskCardsInId(this.without(text, this.from(LEAST))) : this.words(text);
  }

  /**
   * A failure without the secrets, whichever of its texts holds them. Values of three characters stay: in the node's own
   * words they are codes and amounts.
   */
  failure(failure: Failure): Failure {
    return this.clean(failure, this.from(SHORT)) as Failure;
  }

  /** Records without the secrets in their texts. Shorter values stay: they are a ZIP code or a year as well. */
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

  /** The secrets of so many characters or more; made when they are first wanted. */
  private from(least: number): Hidden {
    const known = this.patterns.get(least);
    if (known) return known;
    const given = [...new Set(this.secrets.map((secret) => secret.trim()))];
    const made = hidden(given.filter(({ length }) => length >= least));
    this.patterns.set(least, made);
    return made;
  }
}

/** What is to be taken out: by a pattern, and texts that are too long for one. */
interface Hidden {
  pattern?: RegExp;
  texts: string[];
}

function hidden(secrets: string[]): Hidden {
  const texts = secrets.filter(({ length }) => length > LONGEST_IN_PATTERN);
  const others = secrets.filter(({ length }) => length <= LONGEST_IN_PATTERN);
  // The longest first, so that none leaves a part of another one behind.
  const forms = [...new Set(others.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  return { texts, ...(forms.length > 0 && { pattern: new RegExp(forms.join('|'), 'giu') }) };
}

/** The patterns of the forms in which a secret can come back: as it is, in JSON, in a URL, in base64, grouped digits. */
function formsOf(secret: string): string[] {
  if (secret.length < SHORT) return [alone(escaped(secret))];
  if (/^\d+$/.test(secret)) {
    const digits = spacedOut(secret);
    return [secret.length < LONG_NUMBER ? `(?<!\\d)${digits}(?!\\d)` : digits];
  }
  // Half a character can't be encoded.
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

/** Whether a field of this name is secret in every request; every field that is declared as secret is among them. */
export const isSecretField = (name: string): boolean => SECRET_FIELDS.has(name);

/** The values of a request that are secret, by the names of their fields, at any depth. */
export function findSecrets(value: unknown, isSecret = false): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => findSecrets(entry, isSecret));
  if (isObject(value))
    return Object.entries(value).flatMap(([name, inner]) => findSecrets(inner, isSecret || isSecretField(name)));
  return isSecret && (typeof value === 'string' || typeof value === 'number') ? [String(value)] : [];
}

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
