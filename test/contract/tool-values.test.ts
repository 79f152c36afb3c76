import { toolDescriptions } from '../../nodes/PaymentPlatform/description.data';
import { editorProperties } from '../../nodes/PaymentPlatform/fields/editor';
import { readField } from '../../nodes/PaymentPlatform/fields/read-field';
import type { Field, Problem } from '../../nodes/PaymentPlatform/fields/types';
import { parameterName } from '../../nodes/PaymentPlatform/fields/value';
import type { Operation } from '../../nodes/PaymentPlatform/model/types';
import { resources } from '../../nodes/PaymentPlatform/resources';

const texts = toolDescriptions();
const operations = resources.flatMap(({ value, operations: all }) =>
  all.map((operation) => ({ key: `${value}.${operation.value}`, operation })),
);

interface Value {
  label: string;
  field: Field;
  required: boolean;
}

/** Excludes filters and card data from the tool's values. */
function valuesIn(field: Field, required = field.required): Value[] {
  if (field.secret || field.place === 'query') return [];
  if (field.kind === 'conditional') return valuesIn(field.field, field.needed);
  if (field.kind === 'composite') return field.parts.flatMap((part) => valuesIn(part));
  if (field.kind === 'section') return field.inside.flatMap((part) => valuesIn(part, false));
  if (field.kind === 'group') return field.main.flatMap((part) => valuesIn(part, required && part.required));
  const isTyped = editorProperties(field).every(({ type }) => type === 'string' || type === 'dateTime');
  return isTyped ? [{ label: field.label, field, required }] : [];
}

const valuesOf = ({ fields, additional = [] }: Operation): Value[] => [
  ...fields.flatMap((field) => valuesIn(field)),
  ...additional.flatMap((field) => valuesIn(field, false)),
];

function accepts(field: Field, value: string): boolean {
  const problems: Problem[] = [];
  const read = readField(field, { [parameterName(field)]: value }, problems, { timezone: 'utc' });
  return problems.length === 0 && read !== undefined;
}

const isNumber = (field: Field) => accepts(field, '1.0') && !accepts(field, 'one');
const isWhole = (field: Field) => isNumber(field) && !accepts(field, '0.5') && !accepts(field, '1.5');
const isDate = (field: Field) => accepts(field, '2026-03-31') && !accepts(field, 'one');

function wordsAbout(text: string, label: string): string | undefined {
  const escaped = label.replace(/[()]/g, '\\$&');
  const found = new RegExp(`(?:[.,] )${escaped}(?:, [^:.]*)?: `).exec(text);
  return found ? text.slice(found.index + found[0].length) : undefined;
}

const WHOLE = /^([^:]*?)[Aa] whole number (?:from|of at least) (-?\d+)(?: to (\d+))?/;
const DECIMAL = /^([^:]*?)(-?\d+(?:\.\d+)?) to (\d+(?:\.\d+)?)(?=[.,] )/;

/** Returns facts that a number's description omits or gets wrong. */
function wrongNumber({ label, field }: Value, text: string, words: string): string[] {
  const step = isWhole(field) ? 1 : 0.01;
  const [, purpose = '', least, most] = (isWhole(field) ? WHOLE : DECIMAL).exec(words) ?? [];
  if (least === undefined) return [`${label} has no bounds`];
  const isAmount = field.money === true || label.endsWith('Amount');
  const hasUnit = isAmount
    ? text.includes("Amounts are in the currency's main unit, never in cents")
    : purpose !== '' || label.endsWith(')');
  const isOff =
    !accepts(field, least) ||
    accepts(field, (Number(least) - step).toFixed(2)) ||
    (most !== undefined && (!accepts(field, most) || accepts(field, (Number(most) + step).toFixed(2))));
  return [...(hasUnit ? [] : [`${label} has no unit`]), ...(isOff ? [`${label} has wrong bounds`] : [])];
}

function wrongValue(value: Value, text: string): string[] {
  const { label, field, required } = value;
  if (!isNumber(field) && !isDate(field)) return [];
  const words = wordsAbout(text, label);
  if (words === undefined) return required ? [`${label} is missing`] : [];
  if (isNumber(field)) return wrongNumber(value, text, words);
  return words.startsWith('YYYY-MM') ? [] : [`${label} has no format`];
}

test('a tool description states the unit and the limits of each required amount, number and date', () => {
  const wrong = operations.flatMap(({ key, operation }) =>
    valuesOf(operation).flatMap((value) => wrongValue(value, texts[key] ?? '').map((what) => `${key}: ${what}`)),
  );
  expect(wrong).toEqual([]);
});

test('a tool description states the maximum length of each list and the IDs to look up', () => {
  const wrong = operations.filter(({ key, operation: { list, fields } }) => {
    const text = texts[key] ?? '';
    const ids = fields.filter((field) => editorProperties(field).some(({ type }) => type === 'resourceLocator'));
    const [, named = ''] = /never guess them: ([^.]*)\./.exec(text) ?? [];
    const areNamed = ids.every((field) => named.includes(`${field.label} (${parameterName(field)})`));
    return text.includes('Limit: a whole number of at least 1.') !== (list !== undefined) || !areNamed;
  });
  expect(wrong.map(({ key }) => key)).toEqual([]);
});
