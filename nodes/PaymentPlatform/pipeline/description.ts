import type { INodeProperties } from 'n8n-workflow';

import { additionalCollection, editorProperties } from '../fields/editor';
import type { Field } from '../fields/types';
import { extraBody, takesExtraBody } from './extra-body';
import { runOptions } from './option-parameters';
import type { Operation, Resource } from './types';

/** The collection that holds what is rarely needed. */
export const ADDITIONAL_FIELDS = 'additionalFields';

const returnAll: INodeProperties = {
  displayName: 'Return All',
  name: 'returnAll',
  type: 'boolean',
  default: false,
  description: 'Whether to return all results or only up to a given limit',
};

const limit: INodeProperties = {
  displayName: 'Limit',
  name: 'limit',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: 50,
  description: 'Max number of results to return',
  displayOptions: { show: { returnAll: [false] } },
};

const simplify: INodeProperties = {
  displayName: 'Simplify',
  name: 'simplify',
  type: 'boolean',
  default: true,
  description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** What stands under "Additional Fields". */
export const additionalFields = (operation: Operation): Field[] => [
  ...(operation.additional ?? []),
  ...(takesExtraBody(operation) ? [extraBody] : []),
];

/** The parameters of one operation, without the conditions that show them. */
export function operationParameters(operation: Operation): INodeProperties[] {
  return [
    ...operation.fields.filter((field) => field.place !== 'query').flatMap(editorProperties),
    ...(operation.list ? [returnAll, limit] : []),
    ...operation.fields.filter((field) => field.place === 'query').flatMap(editorProperties),
    ...(operation.simplified ? [simplify] : []),
    ...additionalCollection(ADDITIONAL_FIELDS, 'Additional Fields', additionalFields(operation)),
    runOptions(operation),
  ];
}

const selectorOf = (value = '') => ({ type: 'options' as const, noDataExpression: true, default: value });

const operationSelector = (resource: Resource): INodeProperties => ({
  ...selectorOf(resource.operations[0]?.value),
  displayName: 'Operation',
  name: 'operation',
  displayOptions: { show: { resource: [resource.value] } },
  options: [...resource.operations]
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
    .map(({ name, value, action, description }) => ({ name, value, action, description })),
});

const shownFor = (resource: Resource, operation: Operation, property: INodeProperties): INodeProperties => ({
  ...property,
  displayOptions: {
    ...property.displayOptions,
    show: { resource: [resource.value], operation: [operation.value], ...property.displayOptions?.show },
  },
});

/** All parameters of the node: selectors, and the parameters of each operation, shown for it alone. */
export function nodeProperties(resources: Resource[]): INodeProperties[] {
  const selector: INodeProperties = {
    ...selectorOf(resources.find(({ value }) => value === 'invoice')?.value),
    displayName: 'Resource',
    name: 'resource',
    options: resources.map(({ name, value, description }) => ({ name, value, description })),
  };
  return [
    selector,
    ...resources.map(operationSelector),
    ...resources.flatMap((resource) =>
      resource.operations.flatMap((operation) =>
        operationParameters(operation).map((property) => shownFor(resource, operation, property)),
      ),
    ),
  ];
}
