import type { INodeProperties } from 'n8n-workflow';
import { type Alternative, alternatives } from '../fields/alternatives';
import { ADDITIONAL_FIELDS, additionalCollection, editorProperties, technicalLast } from '../fields/editor';
import type { Field } from '../fields/types';
import { extraBody, takesExtraBody } from '../limits/check-guards';
import { toolGuards } from '../limits/tool-guards';
import { resourcesAt } from '../model/operation';
import type { Operation, Resource } from '../model/types';
import { outputParameters } from '../output/tool-output';
import { computeOnce } from '../shared/objects';
import { NODE_VERSIONS } from '../shared/versions';
import { existsNotice, runOptions } from './option-parameters';
import { type Edition, inVersions, propertiesAt } from './parameters-in-versions';
import { type Panel, shareParameters } from './share-parameters';

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
  displayOptions: { show: { '@tool': [false] } },
};

/** Technical fields come last. */
export const additionalFields = computeOnce((operation: Operation) =>
  technicalLast([...(operation.additional ?? []), ...(takesExtraBody(operation) ? [extraBody] : [])]),
);

/** Omits the display conditions for the operation. */
export const operationParameters = (operation: Operation): INodeProperties[] => [
  ...ownParameters(operation),
  ...lastParameters(operation),
];

const lastParameters = (operation: Operation): INodeProperties[] => [
  ...toolGuards(operation),
  ...existsNotice(operation),
  runOptions(operation),
];

const narrows = ({ list }: Operation, { place }: Field) =>
  place === 'query' || (list !== undefined && place === 'node');

function ownParameters(operation: Operation): INodeProperties[] {
  return [
    ...operation.fields.filter((field) => !narrows(operation, field)).flatMap(editorProperties),
    ...(operation.list ? [returnAll, limit] : []),
    ...operation.fields.filter((field) => narrows(operation, field)).flatMap(editorProperties),
    ...(operation.simplified ? [simplify, ...outputParameters] : []),
    ...additionalCollection(ADDITIONAL_FIELDS, 'Additional Fields', additionalFields(operation)),
  ];
}

/** `alternative` describes the switch that determines whether the node reads the parameter. */
export interface KnownParameter extends Pick<INodeProperties, 'name' | 'displayName'> {
  alternative?: Alternative;
}

/** Omits run options. */
export const parametersOf = computeOnce((operation: Operation): KnownParameter[] => {
  const switched = new Map(operation.fields.flatMap(alternatives).map((one) => [one.name, one]));
  const shown = ownParameters(operation).filter(({ type }) => type !== 'notice');
  return shown.map(({ name, displayName }) => ({ name, displayName, alternative: switched.get(name) }));
});

const selectorOf = (value = '') => ({ type: 'options' as const, noDataExpression: true, default: value });

const operationSelector = (resource: Resource): INodeProperties => ({
  ...selectorOf(resource.preselected),
  displayName: 'Operation',
  name: 'operation',
  displayOptions: { show: { resource: [resource.value] } },
  options: resource.operations.map(({ name, value, action, description }) => ({ name, value, action, description })),
});

const editionsOf = (resources: Resource[], versions: readonly number[]) =>
  versions.map((version) => ({ version, resources: resourcesAt(resources, version) }));

type Editions = ReturnType<typeof editionsOf>;

function panels(editions: Editions, make: (operation: Operation) => INodeProperties[]): Panel[] {
  const found = new Map<string, Pick<Panel, 'chosen'> & { editions: Edition[] }>();
  for (const { version, resources } of editions)
    for (const { value: resource, operations } of resources)
      for (const operation of operations) {
        const key = JSON.stringify([resource, operation.value]);
        const panel = found.get(key) ?? { chosen: { resource, operation: operation.value }, editions: [] };
        panel.editions.push({ version, properties: propertiesAt(make(operation), version) });
        found.set(key, panel);
      }
  return [...found.values()].map((panel) => ({ chosen: panel.chosen, properties: inVersions(panel.editions) }));
}

function selectors(resources: Resource[]): INodeProperties[] {
  const selector: INodeProperties = {
    ...selectorOf(resources.find(({ value }) => value === 'invoice')?.value),
    displayName: 'Resource',
    name: 'resource',
    options: resources.map(({ name, value, description }) => ({ name, value, description })),
  };
  return [selector, ...resources.map(operationSelector)];
}

/** Parameters that exist in all versions have no version condition. */
export function nodeProperties(declared: Resource[], versions = NODE_VERSIONS): INodeProperties[] {
  const editions = editionsOf(declared, versions);
  return [
    ...inVersions(editions.map(({ version, resources }) => ({ version, properties: selectors(resources) }))),
    ...shareParameters(panels(editions, ownParameters)),
    // Merges these parameters separately, because differences in the order of the other parameters would prevent
    // sharing.
    ...shareParameters(panels(editions, lastParameters)),
  ];
}

/** Converts stored values such as "getAll" to a readable action. */
export function operationSubtitle(declared: Resource[], versions = NODE_VERSIONS): string {
  // All versions use the newest labels, because labels don't affect the node's behavior.
  const all = versions.flatMap((version) => resourcesAt(declared, version));
  const words = all.flatMap(({ value: resource, operations }) =>
    operations.map(({ value, action }) => [`${resource}.${value}`, action] as const),
  );
  return `={{ (${JSON.stringify(Object.fromEntries(words))})[$parameter["resource"] + "." + $parameter["operation"]] ?? "" }}`;
}
