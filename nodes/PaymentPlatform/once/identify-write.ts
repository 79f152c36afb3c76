import type { Field } from '../fields/types';
import { isObject } from '../shared/objects';
import { MANNER, MEANS, WHOM, WORDS } from '../wire/marks';
import { declaredFields } from '../model/operation';
import { originalRequest } from '../model/item-steps';
import type { Operation, PlannedRequest } from '../model/types';

/** Free-text fields, which don't identify a payment. This list applies to undeclared fields. */
const WORDING: ReadonlySet<string> = new Set(WORDS);
/** Settings of a payment, which don't identify the payment. */
const IN_WHICH_MANNER: ReadonlySet<string> = new Set(MANNER);
/** Fields that describe the customer. Ignored if the request contains the customer's ID. */
const CONCERNED: ReadonlySet<string> = new Set(WHOM);
/** Fields that select a card. Ignored if the request contains a customer's ID and an amount. */
const PAYING: ReadonlySet<string> = new Set(MEANS);
const DECIMAL = /^\d+\.\d+$/;

/**
 * Returns the content that identifies a write, without free text and settings. The node treats two writes with the same
 * content as the same payment.
 */
export function identifyWrite(request: PlannedRequest): unknown {
  const { operation, method, path, values } = originalRequest(request);
  const declared = declaredFields(operation);
  const part = (place: 'query' | 'body') =>
    setsState(operation)
      ? values[place]
      : withoutWords(
          values[place],
          declared.filter((field) => field.place === place),
        );
  const whole = [operation.value, method, path, part('query'), part('body')];
  return operation.steps ? [...whole, request.part] : whole;
}

/** Returns whether a write only sets a state, so that repeating the write changes nothing. */
export const setsState = ({ request, setsState }: Pick<Operation, 'request' | 'setsState'>): boolean =>
  setsState === true || request.effect === 'repeatsSafely';

function withoutWords(value: unknown, declared: Field[]): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutWords(one, declared));
  if (typeof value === 'string' || typeof value === 'number') return asWritten(String(value));
  if (!isObject(value)) return value;
  const fieldOf = (name: string) => declared.find((field) => field.name === name);
  const isKnown = typeof value.customer_id === 'string' && value.customer_id !== '';
  return Object.entries(value)
    .filter(([name, inner]) => says(inner) && !IN_WHICH_MANNER.has(name) && !isWording(name, declared))
    .filter(([name, inner]) => !isAssumed(inner, fieldOf(name)))
    .filter(([name]) => !isKnown || !(CONCERNED.has(name) || (PAYING.has(name) && says(value.amt_tran ?? null))))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => {
      const { fields = [], caseInsensitive } = fieldOf(name) ?? {};
      const written = withoutWords(inner, fields);
      return [name, caseInsensitive ? inSmallLetters(written) : written];
    });
}

/** Normalizes a value, because a language model may send a number as text or add spaces between words. */
function asWritten(text: string): string {
  const written = text.trim().replace(/\s+/g, ' ');
  return DECIMAL.test(written) ? String(Number(written)) : written;
}

/** Returns whether a value can identify a payment. Empty values and booleans can't. */
const says = (value: unknown) => value !== null && value !== '' && typeof value !== 'boolean';

function inSmallLetters(written: unknown): unknown {
  if (Array.isArray(written)) return written.map(inSmallLetters);
  return typeof written === 'string' ? written.toLowerCase() : written;
}

/** Returns whether omitting the field would have the same effect. */
const isAssumed = (value: unknown, field?: Field): boolean =>
  field !== undefined &&
  ((field.money === true && Number(value) === 0) ||
    (field.serverDefault !== undefined && asWritten(String(value)) === asWritten(String(field.serverDefault))));

function isWording(name: string, declared: Field[]): boolean {
  const field = declared.find((one) => one.name === name);
  return field ? field.notIdentifying === true : WORDING.has(name);
}
