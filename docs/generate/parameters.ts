import type { INodeProperties } from 'n8n-workflow';

import { editorProperties } from '../../nodes/PaymentPlatform/fields/editor';
import type { Field } from '../../nodes/PaymentPlatform/fields/types';
import { parameterName } from '../../nodes/PaymentPlatform/fields/value';
import { additionalFields } from '../../nodes/PaymentPlatform/model/extra-fields';
import type { Operation } from '../../nodes/PaymentPlatform/model/types';
import {
  bodyOf,
  describedOperation,
  propertiesOf,
  resolve,
  type Schema,
} from '../../interface/generate/interface-document';
import { limitsOf } from './limits';

/** Row of an operation's parameter table. */
export interface Row {
  label: string;
  /** Section of the panel, such as Additional Fields. */
  section?: string;
  /** Path of the parameter, which usually equals the path of the request field. */
  name: string;
  required: string;
  allowed: string;
  description: string;
  source: string;
}

const NODE = 'this node';

/** Returns an operation's parameters in editor order, including parameters in objects and lists. */
export function parameterRows(operation: Operation): Row[] {
  const known = knownFields(operation);
  const rows = (fields: readonly Field[], under?: string): Row[] =>
    fields.flatMap((field) =>
      field.kind === 'section'
        ? rows(field.inside, field.label)
        : fieldRows(operation, field, known[`${field.place}:${field.name}`], '', under),
    );
  return [
    ...rows(operation.fields.filter(({ place }) => place !== 'query')),
    ...rows(operation.fields.filter(({ place }) => place === 'query')),
    ...rows(additionalFields(operation), 'Additional Fields'),
  ];
}

const parts = (properties: Record<string, Schema>) =>
  Object.entries(properties).map(([name, schema]): [string, Schema] => [name, resolve(schema)]);

function knownFields({ request: { operationId } }: Operation): Record<string, Schema> {
  if (!operationId) return {};
  const { parameters = [], requestBody } = describedOperation(operationId);
  const { schema } = bodyOf(requestBody);
  const body = schema ? parts(propertiesOf(schema)) : [];
  return Object.fromEntries([
    ...parameters.map((parameter): [string, Schema] => [`${parameter.in}:${parameter.name}`, parameter]),
    ...body.map(([name, known]): [string, Schema] => [`body:${name}`, known]),
  ]);
}

function knownInside(known: Schema | undefined): Record<string, Schema> {
  if (!known) return {};
  return Object.fromEntries(parts(propertiesOf(resolve(known.items ?? known))));
}

function sourceOf(known: Schema | undefined): string {
  if (!known) return NODE;
  const { 'x-source': source, 'x-constraints-source': limits } = known;
  if (source === 'reference') return 'public reference';
  return `interface document${limits === 'reference' ? ' (limits: public reference)' : ''}`;
}

function fieldRows(
  operation: Operation,
  field: Field,
  known: Schema | undefined,
  prefix: string,
  under?: string,
): Row[] {
  const inside = knownInside(known);
  // Users can't enter a value in a notice.
  const seen = editorProperties(field).filter(({ type }) => type !== 'notice');
  return seen.flatMap((property) => {
    const own = property.name === parameterName(field);
    const limits = asRange(limitsOf(operation, field, property)).map(capitalized);
    const label = property.displayName.replace(REQUIRED_MARK, '');
    const isMarked = label !== property.displayName;
    const row: Row = {
      label,
      ...(under && { section: under }),
      name: `${prefix}${property.name}`,
      required: isMarked ? 'Yes' : own ? requiredOf(field, property) : '',
      allowed: [...limits, ...(field.secret && own ? ['The editor hides the value'] : [])].join('. '),
      description: descriptionOf(property, limits),
      source: own && field.place !== 'node' ? sourceOf(known) : NODE,
    };
    const nested = own ? (field.fields ?? []) : [];
    const below = nested.flatMap((one) =>
      fieldRows(operation, one, inside[one.name], `${prefix}${parameterName(field)}.`),
    );
    return [row, ...below];
  });
}

/** End of a label in a group whose parameters n8n can't mark as required. */
const REQUIRED_MARK = ' (Required)';

/** Combines a minimum and a maximum into one range. */
function asRange(limits: string[]): string[] {
  const [least, most] = [/^at least (\S+)$/i, /^at most (\S+)$/i].map((pattern) =>
    limits.flatMap((limit) => pattern.exec(limit)?.[1] ?? []),
  );
  if (least?.[0] === undefined || most?.[0] === undefined) return limits;
  return [...limits.filter((limit) => !/^at (least|most) \S+$/i.test(limit)), `from ${least[0]} to ${most[0]}`];
}

function descriptionOf({ description, hint }: INodeProperties, limits: string[]): string {
  const stated = [...limits, 'Required'].join(' ').toLowerCase();
  return [description, hint]
    .filter(Boolean)
    .flatMap((text) => asSentence(text).split(/(?<=[.!?]) (?=[A-Z])/))
    .filter((sentence) => !stated.includes(sentence.slice(0, -1).toLowerCase()))
    .join(' ');
}

const requiredOf = (field: Field, { name, required = false }: INodeProperties): string =>
  field.required && !isDefaultUnlessAdded(field) ? 'Yes' : required || isNeeded(field, name) ? 'If shown' : '';

/** Returns whether the node uses the default of a choice that the user doesn't add. */
const isDefaultUnlessAdded = (field: Field): boolean =>
  field.kind === 'value' && field.fallback !== undefined && field.property.type === 'options';

/** Returns whether a visible parameter is required although its declaration doesn't set `required`. */
const isNeeded = (field: Field, name: string): boolean =>
  field.kind === 'composite'
    ? field.parts.some((part) => isNeeded(part, name))
    : field.kind === 'conditional' && parameterName(field) === name && field.needed;

const capitalized = (text: string) => text.replace(/^[a-z]/, (letter) => letter.toUpperCase());

const asSentence = (text: string | undefined) => (text && /[.!?]$/.test(text) ? text : `${text ?? ''}.`);
