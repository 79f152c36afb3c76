import { readDocument, resolve } from '../../interface/document';

/** Visible part of a secret, from the keyword `x-masked`. */
export type Shown = 'card' | 'account' | 'hidden' | 'nothing';

interface Marked {
  properties?: Record<string, Marked | boolean>;
  'x-secret'?: boolean;
  'x-masked'?: Exclude<Shown, 'nothing'>;
}

interface Described {
  components: { schemas: Record<string, Marked> };
  'x-fields-elsewhere'?: Record<string, Marked>;
}

let known: Map<string, Shown> | undefined;

/** Returns the visible part of each secret field, by the lowercase field name. */
export const secretFields = (): ReadonlyMap<string, Shown> => (known ??= read(readDocument() as Described));

function read(document: Described): Map<string, Shown> {
  const fields = [
    ...Object.values(document.components.schemas).flatMap(fieldsIn),
    ...Object.entries(document['x-fields-elsewhere'] ?? {}),
  ];
  const found = new Map<string, Shown>();
  for (const [name, given] of fields) {
    const { 'x-secret': isSecret, 'x-masked': masked } = resolve(document, given);
    if (masked ?? isSecret) found.set(name.toLowerCase(), masked ?? 'nothing');
  }
  return found;
}

function fieldsIn(value: unknown): Array<[string, Marked]> {
  if (typeof value !== 'object' || value === null) return [];
  const { properties = {} } = value as Marked;
  const own = Object.entries(properties).filter((entry): entry is [string, Marked] => typeof entry[1] === 'object');
  return [...own, ...Object.values(value).flatMap(fieldsIn)];
}
