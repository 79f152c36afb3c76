import { wireFields } from '../fields/kinds/section';
import type { Field } from '../fields/types';
import { declaredFields } from '../model/declared-fields';
import type { Operation } from '../model/types';

/** A field of the interface in a text, with its place where it stands in others: line_items[0].unit_cost. */
const FIELD = /("?)\b([A-Za-z]\w*(?:\[\d+\]|\.\w+)*)\1/g;
/** What no word of a sentence looks like. */
const LIKE_A_NAME = /\w_\w|[a-z][A-Z]|\]/;

/**
 * A text of the service in the words of the panel: field names of the interface become the labels of the operation's
 * parameters, in quotes. A name that could be a plain word as well, such as "type", counts only in quotes.
 */
export const useLabels = (text: string, operation: Pick<Operation, 'fields' | 'additional'>): string =>
  text.replace(FIELD, (whole, quote: string, name: string) => {
    const label = quote !== '' || LIKE_A_NAME.test(name) ? labelOf(name, operation) : undefined;
    return label === undefined ? whole : `"${label}"`;
  });

function labelOf(name: string, operation: Pick<Operation, 'fields' | 'additional'>): string | undefined {
  const fields = declaredFields(operation);
  const path = name.match(/\w+/g) ?? [];
  return labelAt(fields, path) ?? (path.length === 1 ? anywhere(fields, name) : undefined);
}

/** `Line Items 1 > Unit Cost`, as the node's own checks write it. */
function labelAt(fields: readonly Field[], [name, ...rest]: string[]): string | undefined {
  const field = fields.find((one) => one.name === name);
  if (!field) return undefined;
  const [place = '', ...inner] = rest;
  const isPlace = /^\d+$/.test(place);
  const label = isPlace ? `${field.label} ${Number(place) + 1}` : field.label;
  const within = isPlace ? inner : rest;
  if (within.length === 0) return label;
  const last = labelAt(wireFields(field.fields ?? []), within);
  return last === undefined ? label : `${label} > ${last}`;
}

function anywhere(fields: readonly Field[], name: string): string | undefined {
  for (const { label, fields: inside = [] } of fields) {
    const own = wireFields(inside);
    const found = own.find((one) => one.name === name)?.label ?? anywhere(own, name);
    if (found !== undefined) return `${label} > ${found}`;
  }
  return undefined;
}
