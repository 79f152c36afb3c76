import { resolve, type Schema } from './interface-document';

/** Code that describes one field, with its component schemas. */
export interface FactText {
  text: string;
  uses: string[];
}

/** Location of a field in a request. Path and query transmit numbers as text. */
export type Place = 'body' | 'path' | 'query';

const entries = (record: Record<string, string | undefined>) =>
  Object.entries(record).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));

const json = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value));
const quoted = (value: string | undefined) =>
  value === undefined ? undefined : `'${value.replace(/[\\']/g, '\\$&')}'`;
const flag = (value: unknown) => (value ? 'true' : undefined);

/**
 * Returns code describing a request field.
 * @param amounts amount fields of records that a filter can compare.
 */
export function factText(
  name: string,
  given: Schema,
  required: boolean,
  place: Place,
  amounts: string[] = [],
): FactText {
  const schema = resolve(given);
  const { record, uses = [] } = kindOf(given, schema, place);
  const serverDefault = schema['x-default'];
  const text = entries({
    // A schema of a body gets the names from its keys.
    name: place === 'body' ? undefined : quoted(name),
    parameter: quoted(schema['x-parameter']),
    record: quoted(schema['x-record-name']),
    place: place === 'body' ? undefined : quoted(place),
    type: record.type,
    required: flag(required && !schema['x-account']),
    secret: flag(schema['x-secret']),
    money: flag(schema['x-amount']),
    reference: flag(schema['x-reference']),
    serverDefault: typeof serverDefault === 'string' ? quoted(serverDefault) : json(serverDefault),
    amounts: amounts.length > 0 ? `[${amounts.map(quoted).join(', ')}]` : undefined,
    ...record,
  }).join(', ');
  return { text: `{ ${text} }`, uses };
}

interface Kind {
  record: Record<string, string | undefined>;
  uses?: string[];
}

function kindOf(given: Schema, schema: Schema, place: Place): Kind {
  const { type } = schema;
  if (schema.enum) return { record: { type: quoted('choice'), values: `[${schema.enum.map(valueText).join(', ')}]` } };
  if (place !== 'body' && type === 'integer') return { record: { type: quoted('text'), pattern: digitsOf(schema) } };
  if (type === 'integer') return { record: { type: quoted('integer'), ...boundsOf(schema) } };
  if (type === 'number') return { record: { type: quoted('decimal'), ...boundsOf(schema), ...precisionOf(schema) } };
  if (type === 'boolean') return { record: { type: quoted('boolean') } };
  if (type === 'array') return listOf(schema);
  if (type === 'object') return objectOf(given, 'object');
  if (schema.contentSchema) return objectOf(schema.contentSchema, 'object');
  if (schema.contentMediaType === 'application/json') return { record: { type: quoted('pairs') } };
  if (schema.contentMediaType) return { record: fileOf(schema) };
  if (schema['x-format'] === 'yyyy-MM-ddTHH:mm:ss.SSSZ') return { record: { type: quoted('day') } };
  return { record: { type: quoted('text'), ...textLimits(schema) } };
}

const fileOf = ({ contentMediaType, 'x-max-bytes': most }: Schema) => ({
  type: quoted('file'),
  mimeType: quoted(contentMediaType),
  mostBytes: json(most),
});

const valueText = (value: string | number) => (typeof value === 'string' ? quoted(value) : String(value));

function listOf(schema: Schema): Kind {
  const { items = {}, maxItems } = schema;
  const entry = resolve(items);
  const most = json(maxItems);
  if (entry.type === 'integer') return { record: { type: quoted('integers'), most } };
  if (entry.type !== 'object') return { record: { type: quoted('texts'), ...entryLimits(entry), most } };
  const { record, uses } = objectOf(items, 'list');
  return { record: { ...record, most }, uses };
}

/** Ignores complex patterns, because filter fields check their own entries. */
const entryLimits = (entry: Schema) => (PLAIN.test(entry.pattern ?? '') ? textLimits(entry) : {});

function objectOf(given: Schema, type: string): Kind {
  const component = given.$ref?.split('/').at(-1);
  if (!component) throw new Error('An object of a request needs a schema of its own in components/schemas');
  return { record: { type: quoted(type), parts: component }, uses: [component] };
}

function boundsOf(schema: Schema) {
  const { minimum, maximum, 'x-max-digits': most } = schema;
  const byDigits = most === undefined ? undefined : Math.min(10 ** most - 1, Number.MAX_SAFE_INTEGER);
  return { least: json(minimum), most: json(maximum ?? byDigits) };
}

function precisionOf({ maximum = Infinity, 'x-max-digits': digits = Infinity, 'x-decimals': decimals }: Schema) {
  const isBounded = decimals === undefined || maximum < 10 ** (digits - decimals);
  return { decimals: json(decimals), digits: isBounded || digits === Infinity ? undefined : json(digits) };
}

const digitsOf = ({ 'x-max-digits': most }: Schema) => (most === undefined ? 'recordNumber' : `digits(1, ${most})`);

const PLAIN = /^\^\[(0-9|A-Za-z0-9)\](?:\+|\{(\d+)(?:,(\d+))?\})\$$/;

function textLimits(schema: Schema): Record<string, string | undefined> {
  const { pattern, maxLength, 'x-format': format, 'x-pattern-words': words } = schema;
  if (pattern === undefined) return { maxLength: json(maxLength) };
  if (format === 'MMYY') return { pattern: 'monthAndYear' };
  const [, signs, shortest = '1', bound] = PLAIN.exec(pattern) ?? [];
  const longest = bound ?? (pattern.includes('+') ? maxLength : shortest);
  if (signs === '0-9' && longest !== undefined) return { pattern: `digits(${shortest}, ${longest})` };
  if (signs === 'A-Za-z0-9' && longest !== undefined) return { pattern: `alphanumeric(${longest})` };
  if (words === undefined) throw new Error(`The pattern ${pattern} of interface/openapi.yaml needs x-pattern-words`);
  const source = pattern.replace(/\//g, '\\/');
  return { maxLength: json(maxLength), pattern: `{ matches: /${source}/, allowed: ${quoted(words)} }` };
}
