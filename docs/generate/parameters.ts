import type { INodeProperties } from 'n8n-workflow';

import { editorProperties } from '../../nodes/PaymentPlatform/fields/editor';
import type { Field } from '../../nodes/PaymentPlatform/fields/types';
import { parameterName } from '../../nodes/PaymentPlatform/fields/value';
import { additionalFields } from '../../nodes/PaymentPlatform/panel/node-properties';
import type { Operation } from '../../nodes/PaymentPlatform/model/types';
import { bodyOf, describedOperation, propertiesOf, resolve, type Schema } from './interface-document';
import { limitsOf } from './limits';

/** Row of an operation's parameter table. */
export interface Row {
  label: string;
  /** Path of the parameter, which equals the path of the interface's field unless the declaration sets another name. */
  name: string;
  required: string;
  allowed: string;
  description: string;
  source: string;
}

const NODE = 'this node';

/** Returns all parameters of an operation in the order of the editor, including parameters in objects and lists. */
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

/** Returns the interface's schema of each field by location and name, for example `body:email`. */
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

/** Returns the schemas of the fields in an object, or in the objects of a list. */
function knownInside(known: Schema | undefined): Record<string, Schema> {
  if (!known) return {};
  return Object.fromEntries(parts(propertiesOf(resolve(known.items ?? known))));
}

function sourceOf(known: Schema | undefined): string {
  if (!known) return NODE;
  const { 'x-source': source, 'x-constraints-source': limits } = known;
  if (source === 'reference') return 'reference';
  return `document${limits === 'reference' ? ' (limits: reference)' : ''}`;
}

function fieldRows(
  operation: Operation,
  field: Field,
  known: Schema | undefined,
  prefix: string,
  under?: string,
): Row[] {
  const inside = knownInside(known);
  // Excludes notices, because users can't enter a value in a notice.
  const seen = editorProperties(field).filter(({ type }) => type !== 'notice');
  return seen.flatMap((property) => {
    const own = property.name === parameterName(field);
    const row: Row = {
      label: property.displayName,
      name: `${prefix}${property.name}`,
      required: own ? requiredOf(field, property) : '',
      allowed: [
        ...limitsOf(operation, field, property).map(capitalized),
        ...(field.secret && own ? ['Secret'] : []),
      ].join('. '),
      description: [property.description, property.hint, under ? `Under ${under}.` : '']
        .filter(Boolean)
        .map(asSentence)
        .join(' '),
      source: own && field.place !== 'node' ? sourceOf(known) : NODE,
    };
    const nested = own ? (field.fields ?? []) : [];
    const below = nested.flatMap((one) =>
      fieldRows(operation, one, inside[one.name], `${prefix}${parameterName(field)}.`),
    );
    return [row, ...below];
  });
}

const requiredOf = (field: Field, { name, required = false }: INodeProperties): string =>
  field.required ? 'Yes' : required || isNeeded(field, name) ? 'If shown' : '';

/** Returns whether a visible parameter is required although its declaration doesn't set `required`. */
const isNeeded = (field: Field, name: string): boolean =>
  field.kind === 'joined'
    ? field.parts.some((part) => isNeeded(part, name))
    : field.kind === 'conditional' && parameterName(field) === name && field.needed;

const capitalized = (text: string) => text.replace(/^[a-z]/, (letter) => letter.toUpperCase());

const asSentence = (text: string | undefined) => (text && /[.!?]$/.test(text) ? text : `${text ?? ''}.`);
