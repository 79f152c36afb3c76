import type { Filter } from '../model/footprint';
import { asText } from '../shared/objects';

/** Special characters of filters (service.md#lists). */
const SIGNS = /[,|]/;

/** Returns no filter for empty text or text with a special character. */
export function filterOn<Name extends string>(field: Name, value: unknown): Array<Filter<Name>> {
  const text = asText(value).trim();
  return text === '' || SIGNS.test(text) ? [] : [`${field},IS,${text}`];
}
