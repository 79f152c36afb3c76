import type { INodeProperties } from 'n8n-workflow';

import { allowedValues } from '../fields/allowed-values';
import { editorProperties } from '../fields/editor';
import type { Field } from '../fields/types';
import { parameterName } from '../fields/value';
import type { Operation } from '../model/types';

interface Fillable {
  label: string;
  required: boolean;
  kind: 'id' | 'amount' | 'number' | 'date' | 'other';
  purpose: string;
  rule: string;
}

const SHORTER: ReadonlyArray<[RegExp, string]> = [
  [/^a number with at most (\d) decimal places, .*, at least (\S+), at most (\S+)$/, '$2 to $3, at most $1 decimals'],
  [/^a date, .*$/, 'YYYY-MM-DD, without a time'],
  [/^a month, .*$/, 'YYYY-MM'],
  [
    /^a whole number (?:from (-?\d+) to 9007199254740991|of at least (-?\d+) with at most 15 digits)$/,
    'a whole number of at least $1$2',
  ],
  [/, without spaces or [a-z ]+/, ''],
  [/^the name of a binary property .*$/, ''],
];

const TWO_DECIMALS = ', at most 2 decimals';
const UNIT = "Amounts are in the currency's main unit, never in cents, with at most 2 decimals, e.g. 12.50.";

/** A model reads all choices with every call. */
const MOST_CHOICES = 12;

interface AboutValues {
  required: string[];
  optional: string[];
}

/**
 * Describes the parameters that a model can fill in. The tool description is the node's only text that n8n passes to a
 * model (n8n.md#tools).
 */
export function describeValues({ fields, additional = [], list }: Operation): AboutValues {
  const open = fields.flatMap((field) => fillable(field));
  const more = additional.filter(({ technical }) => !technical).flatMap((field) => fillable(field, false));
  const ids = open.filter(({ kind }) => kind === 'id');
  const others = open.filter(({ kind }) => kind !== 'id');
  const required = others.filter((value) => value.required);
  const optional = others.filter((value) => !value.required);
  const measured = [...optional, ...more].filter(({ kind }) => ['amount', 'number', 'date'].includes(kind));
  const texts = optional.filter(({ kind }) => kind === 'other').map((value) => ({ ...value, purpose: '' }));
  return {
    required: [
      ...(ids.length > 0
        ? [`Look up these values with another tool, and never guess them: ${labelsOf(ids).join(', ')}.`]
        : []),
      ...required.flatMap((value) => sentence([value.label], value)),
      ...([...required, ...measured].some(({ kind }) => kind === 'amount') ? [UNIT] : []),
      ...(list ? ['Limit: a whole number of at least 1.'] : []),
    ],
    optional: [...byRule(measured), ...byRule(texts)],
  };
}

const labelsOf = (values: Fillable[]) => [...new Set(values.map(({ label }) => label))];

function byRule(values: Fillable[]): string[] {
  const found = new Map<string, Fillable[]>();
  for (const value of values) {
    const key = JSON.stringify([value.purpose, value.rule]);
    found.set(key, [...(found.get(key) ?? []), value]);
  }
  return [...found.values()].flatMap((alike) => alike.slice(0, 1).flatMap((first) => sentence(labelsOf(alike), first)));
}

function sentence(labels: string[], { purpose, rule }: Fillable): string[] {
  const ruleSentence = rule.replace(/^[a-z]/, (letter) => letter.toUpperCase());
  const text = purpose === '' || rule === '' ? `${purpose}${rule}` : `${purpose}. ${ruleSentence}`;
  return text === '' ? [] : [`${labels.join(', ')}: ${text}.`];
}

function fillable(field: Field, required = field.required): Fillable[] {
  if (field.secret || (field.place === 'query' && field.kind !== 'value')) return [];
  switch (field.kind) {
    case 'group':
      return field.main.flatMap((part) => fillable(part, required && part.required));
    case 'section':
      return field.inside.flatMap((part) => fillable(part, false));
    case 'conditional':
      return fillable(field.field, field.needed);
    case 'composite':
      if (field.parts.some(({ kind }) => kind !== 'value')) return field.parts.flatMap((part) => fillable(part));
      return alike(editorProperties(field).flatMap((property) => valueOf(field, property, required)));
    case 'value':
      return editorProperties(field).flatMap((property) => valueOf(field, property, required));
  }
}

/** A number and its unit belong together. */
function alike(parts: Fillable[]): Fillable[] {
  const isNumber = parts.some(({ kind }) => kind === 'number');
  return isNumber ? parts.map((part) => ({ ...part, kind: 'number' })) : parts;
}

function valueOf(field: Field, property: INodeProperties, required: boolean): Fillable[] {
  const { displayName: label, type, noDataExpression, description = '', options } = property;
  if (noDataExpression) return [];
  if (type === 'resourceLocator')
    return [{ label: `${label} (${parameterName(field)})`, required, kind: 'id', purpose: '', rule: '' }];
  if (type === 'options') {
    const names = field.place !== 'node' && (required || property.required) ? choicesIn(property) : [];
    return names.length > 0 ? [{ label, required, kind: 'other', purpose: '', rule: names.join(', ') }] : [];
  }
  if ((type !== 'string' && type !== 'dateTime') || options) return [];
  const allowed = SHORTER.reduce((text, [long, short]) => text.replace(long, short), allowedOf(field, property));
  const kind = kindOf(allowed, label, field);
  if (kind === 'amount') return [{ label, required, kind, purpose: '', rule: allowed.replace(TWO_DECIMALS, '') }];
  const isClear = kind === 'date' || label.endsWith(')');
  return [{ label, required, kind, purpose: isClear ? '' : purposeOf(description, kind), rule: allowed }];
}

const allowedOf = (field: Field, property: INodeProperties): string => allowedValues(field, property).join(', ');

function kindOf(allowed: string, label: string, { money }: Field): Fillable['kind'] {
  if (allowed.startsWith('YYYY')) return 'date';
  if (allowed.endsWith(TWO_DECIMALS) && (money === true || label.endsWith('Amount'))) return 'amount';
  return /^(a whole number|from \d+ [a-z]+ to|\S+ to \S+, at most) /.test(allowed) ? 'number' : 'other';
}

function choicesIn({ options = [] }: INodeProperties): string[] {
  const names = options.flatMap((option) => ('value' in option && option.value !== '' ? [option.name] : []));
  return names.length > MOST_CHOICES ? [] : names;
}

function purposeOf(description: string, kind: Fillable['kind']): string {
  const [first = '', ...others] = description.split(/(?<!e\.g)\. /).map((text) => text.replace(/\.$/, ''));
  const special = kind === 'number' ? others.filter((text) => text.startsWith('Enter ')) : [];
  return [first.replace(/, e\.g\. .*$/, ''), ...special].join('. ');
}
