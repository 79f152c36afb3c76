import type { Filter } from '../model/footprint';
import { asText } from '../shared/objects';

/** Characters that have a special meaning in filters (service.md#lists). */
const SIGNS = /[,|]/;

/**
 * Returns the filter for the value of a field. Returns no filter if the value is empty or contains a special character.
 */
export function filterOn<Name extends string>(field: Name, value: unknown): Array<Filter<Name>> {
  const text = asText(value).trim();
  return text === '' || SIGNS.test(text) ? [] : [`${field},IS,${text}`];
}
