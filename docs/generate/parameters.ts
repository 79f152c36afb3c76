import type { INodeProperties } from 'n8n-workflow';

import { editorProperties } from '../../nodes/PaymentPlatform/fields/editor';
import type { Field } from '../../nodes/PaymentPlatform/fields/types';
import { parameterOf } from '../../nodes/PaymentPlatform/fields/value';
import { additionalFields } from '../../nodes/PaymentPlatform/panel/node-properties';
import type { Operation } from '../../nodes/PaymentPlatform/model/types';
import { bodyOf, describedOperation, propertiesOf, resolve, type Schema } from './interface-document';
import { limitsOf } from './limits';

/** One line of an operation's table. */
export interface Row {
  label: string;
  /** Path of the parameter, which is the path of the interface's field too unless it is marked otherwise. */
  name: string;
  required: string;
  allowed: string;
  description: string;
  source: string;
}

const NODE = 'this node';

/** All parameters of an operation in the order of the editor, those in objects and lists included. */
export function parameterRows(operation: Operation): Row[] {
  const known = knownFields(operation);
  const rows = (fields: readonly Field[], under?: string): Row[] =>
    fields.flatMap((field) =>
      field.kind === 'section'
        ? rows(field.inside, field.label)
        : fieldRows(field, known[`${field.place}:${field.name}`], '', under),
    );
  return [
    ...rows(operation.fields.filter(({ place }) => place !== 'query')),
    ...rows(operation.fields.filter(({ place }) => place === 'query')),
    ...rows(additionalFields(operation), 'Additional Fields'),
  ];
}

const parts = (properties: Record<string, Schema>) =>
  Object.entries(properties).map(([name, schema]): [string, Schema] => [name, resolve(schema)]);

/** What the interface says about each field, by its place and name. */
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

/** The fields of an object, or of the objects of a list. */
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

function fieldRows(field: Field, known: Schema | undefined, prefix: string, under?: string): Row[] {
  const inside = knownInside(known);
  // A notice only keeps the value of what is not shown.
  const seen = editorProperties(field).filter(({ type }) => type !== 'notice');
  return seen.flatMap((property) => {
    const own = property.name === parameterOf(field);
    const row: Row = {
      label: property.displayName,
      name: `${prefix}${property.name}`,
      required: own ? requiredOf(field, property) : '',
      allowed: [...limitsOf(field, property).map(capitalized), ...(field.secret && own ? ['Secret'] : [])].join('. '),
      description: [property.description, property.hint, under ? `Under ${under}.` : '']
        .filter(Boolean)
        .map(asSentence)
        .join(' '),
      source: own && field.place !== 'node' ? sourceOf(known) : NODE,
    };
    const nested = own ? (field.fields ?? []) : [];
    const below = nested.flatMap((one) => fieldRows(one, inside[one.name], `${prefix}${parameterOf(field)}.`));
    return [row, ...below];
  });
}

const requiredOf = (field: Field, { name, required = false }: INodeProperties): string =>
  field.required ? 'Yes' : required || isNeeded(field, name) ? 'If shown' : '';

/** Whether a parameter must be given when it is shown, though the editor does not mark it. */
const isNeeded = (field: Field, name: string): boolean =>
  field.kind === 'joined'
    ? field.parts.some((part) => isNeeded(part, name))
    : field.kind === 'conditional' && parameterOf(field) === name && field.needed;

const capitalized = (text: string) => text.replace(/^[a-z]/, (letter) => letter.toUpperCase());

const asSentence = (text: string | undefined) => (text && /[.!?]$/.test(text) ? text : `${text ?? ''}.`);
