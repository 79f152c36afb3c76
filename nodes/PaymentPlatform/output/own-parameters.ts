import type { INodeProperties } from 'n8n-workflow';
import { type Alternative, alternatives } from '../fields/alternatives';
import { ADDITIONAL_FIELDS, additionalCollection, editorProperties } from '../fields/editor';
import type { Field } from '../fields/types';
import { additionalFields } from '../model/extra-fields';
import { listsRecords } from '../model/operation';
import type { Operation } from '../model/types';
import { computeOnce } from '../shared/objects';
import { fileParameters, ifItems, limitParameter } from './file-output';
import { outputParameters } from './tool-output';

const returnAll: INodeProperties = {
  displayName: 'Return All',
  name: 'returnAll',
  type: 'boolean',
  default: false,
  description: 'Whether to return all results or only up to a given limit',
  displayOptions: ifItems,
};

const limit: INodeProperties = {
  ...limitParameter,
  displayOptions: { ...ifItems, show: { returnAll: [false] } },
};

const simplify: INodeProperties = {
  displayName: 'Simplify',
  name: 'simplify',
  type: 'boolean',
  default: true,
  description: 'Whether to return a simplified version of the response instead of the raw data',
  displayOptions: { show: { '@tool': [false] } },
};

/** A file contains all fields. */
const simplifyItems: INodeProperties = { ...simplify, displayOptions: { ...simplify.displayOptions, ...ifItems } };

const narrows = ({ list }: Operation, { place }: Field) =>
  place === 'query' || (list !== undefined && place === 'node');

/** Omits the run options. */
export function ownParameters(operation: Operation): INodeProperties[] {
  return [
    ...operation.fields.filter((field) => !narrows(operation, field)).flatMap(editorProperties),
    ...(listsRecords(operation) ? fileParameters : []),
    ...(operation.list ? [returnAll, limit] : []),
    ...operation.fields.filter((field) => narrows(operation, field)).flatMap(editorProperties),
    ...(operation.simplified ? [listsRecords(operation) ? simplifyItems : simplify, ...outputParameters] : []),
    ...additionalCollection(ADDITIONAL_FIELDS, 'Additional Fields', additionalFields(operation)),
  ];
}

/** `alternative` describes the switch that determines whether the node reads the parameter. */
export interface KnownParameter extends Pick<INodeProperties, 'name' | 'displayName' | 'type'> {
  alternative?: Alternative;
}

/** Omits run options. */
export const parametersOf = computeOnce((operation: Operation): KnownParameter[] => {
  const switched = new Map(operation.fields.flatMap(alternatives).map((one) => [one.name, one]));
  const shown = ownParameters(operation).filter(({ type }) => type !== 'notice');
  return shown.map(({ name, displayName, type }) => ({ name, displayName, type, alternative: switched.get(name) }));
});
