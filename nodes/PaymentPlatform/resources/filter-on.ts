import type { Filter } from '../model/footprint';
import { asText } from '../shared/objects';

/** Signs that mean something in a filter (service.md#lists). */
const SIGNS = /[,|]/;

/** The filter for one value of a field; none where the value can't stand in one. */
export function filterOn<Name extends string>(field: Name, value: unknown): Array<Filter<Name>> {
  const text = asText(value).trim();
  return text === '' || SIGNS.test(text) ? [] : [`${field},IS,${text}`];
}
