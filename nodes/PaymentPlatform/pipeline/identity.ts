import type { Field } from '../fields/types';
import { isObject } from './objects';
import type { PlannedRequest } from './types';

/** Names of fields that hold words, in a request whose fields are not declared: what a model words anew each time. */
const WORDS =
  /^(comments?|desc|descr|description|echo_fields|invoice_number|label|memo|merch_ref_num|message|notes?|plan_desc|purchase_id|reference_id|report_data|session_id|subject|user_id)$|_(desc|descr|memo|notes?)$|^date_|_date$/;

/**
 * What a write does, apart from how it is worded: operation, account named in it, what is paid, to or from whom, and how
 * much. Two writes with the same identity move the same money.
 */
export function identityOf({ operation, method, path, values }: PlannedRequest): unknown {
  const declared = [...operation.fields, ...(operation.additional ?? [])];
  const part = (place: 'query' | 'body') =>
    withoutWords(
      values[place],
      declared.filter((field) => field.place === place),
    );
  return [operation.value, method, path, part('query'), part('body')];
}

function withoutWords(value: unknown, declared: Field[]): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutWords(one, declared));
  if (typeof value === 'string') return value.trim().replace(/\s+/g, ' ');
  if (!isObject(value)) return value;
  return Object.entries(value)
    .filter(([name, inner]) => !isWording(name, declared) && inner !== null && inner !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => [name, withoutWords(inner, declared.find((field) => field.name === name)?.fields ?? [])]);
}

function isWording(name: string, declared: Field[]): boolean {
  const field = declared.find((one) => one.name === name);
  return field ? field.wording === true : WORDS.test(name);
}
