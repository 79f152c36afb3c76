import type { Field } from '../fields/types';
import { isObject } from '../shared/objects';
import { MANNER, MEANS, WHOM, WORDS } from '../wire/marks';
import { declaredFields } from '../model/operation';
import { originalRequest } from '../model/item-steps';
import type { Operation, PlannedRequest } from '../model/types';

/** In a request whose fields are not declared; a name that the interface does not have says which payment it is. */
const WORDING: ReadonlySet<string> = new Set(WORDS);
/** How a payment is made, not which: a model may fill these or leave them out, and the same money moves. */
const IN_WHICH_MANNER: ReadonlySet<string> = new Set(MANNER);
/** Whom a payment concerns, in words; of no weight where the customer's ID says it. */
const CONCERNED: ReadonlySet<string> = new Set(WHOM);
/** Which card of a known customer pays does not make another payment of the same amount. */
const PAYING: ReadonlySet<string> = new Set(MEANS);
/** Text that a number could stand for: 10.00 is 10. */
const DECIMAL = /^\d+\.\d+$/;

/**
 * What a write does, apart from how it is worded: operation, account named in it, what is paid, to or from whom, and how
 * much. Two writes with the same identity move the same money. Of a write that sets a state every value counts.
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

/** Whether a write only brings a record into a state, so that done again it does nothing more. */
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

/** One spelling for one value: a model may give a number as text, and words with more spaces. */
function asWritten(text: string): string {
  const written = text.trim().replace(/\s+/g, ' ');
  return DECIMAL.test(written) ? String(Number(written)) : written;
}

/** Whether a value says something of a payment: neither nothing, nor a switch. */
const says = (value: unknown) => value !== null && value !== '' && typeof value !== 'boolean';

function inSmallLetters(written: unknown): unknown {
  if (Array.isArray(written)) return written.map(inSmallLetters);
  return typeof written === 'string' ? written.toLowerCase() : written;
}

/** Whether the service would take the same if nothing was given: an amount of nothing, or what it says it takes then. */
const isAssumed = (value: unknown, field?: Field): boolean =>
  field !== undefined &&
  ((field.money === true && Number(value) === 0) ||
    (field.serverDefault !== undefined && asWritten(String(value)) === asWritten(String(field.serverDefault))));

function isWording(name: string, declared: Field[]): boolean {
  const field = declared.find((one) => one.name === name);
  return field ? field.notIdentifying === true : WORDING.has(name);
}
