import type { Filter } from '../model/footprint';
import { asText } from '../shared/objects';

/** Characters with a meaning in filters (service.md#lists). */
const SIGNS = /[,|]/;

/** Returns the filter for a value of a field, or none if the value can't be part of a filter. */
export function filterOn<Name extends string>(field: Name, value: unknown): Array<Filter<Name>> {
  const text = asText(value).trim();
  return text === '' || SIGNS.test(text) ? [] : [`${field},IS,${text}`];
}
