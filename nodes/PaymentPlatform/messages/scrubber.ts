import type { IDataObject } from 'n8n-workflow';

import { spacedOut } from '../shared/digits';
import { isList, isObject, type DataValue } from '../shared/objects';
import { maskCardsInId, scrub } from '../shared/privacy';
import type { Failure } from '../model/failure';

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

const HIDDEN = '***';

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
    const shorter = texts.reduce((rest, secret) => rest.split(secret).join(HIDDEN), text);
    return pattern ? shorter.replace(pattern, HIDDEN) : shorter;
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
