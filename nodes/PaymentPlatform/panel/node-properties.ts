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
  // A tool has the parameter Output instead.
  displayOptions: { show: { '@tool': [false] } },
};

/** Returns the fields under "Additional Fields". Fields that only software needs come last. */
export const additionalFields = computeOnce((operation: Operation) =>
  technicalLast([...(operation.additional ?? []), ...(takesExtraBody(operation) ? [extraBody] : [])]),
);

/** Returns the parameters of one operation, without the conditions that show them. */
export const operationParameters = (operation: Operation): INodeProperties[] => [
  ...ownParameters(operation),
  ...lastParameters(operation),
];

/** Returns the last parameters: options of a run and guards of a tool. */
const lastParameters = (operation: Operation): INodeProperties[] => [
  ...toolGuards(operation),
  ...existsNotice(operation),
  runOptions(operation),
];

/** Returns whether a field filters a list. Filters appear below the limit. */
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

/** Parameter of an operation, and the switch that decides whether the node reads it, if there is one. */
export interface KnownParameter extends Pick<INodeProperties, 'name' | 'displayName'> {
  alternative?: Alternative;
}

/** Returns the names and labels of an operation's own parameters. */
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

/** Returns the resources of each version. */
const editionsOf = (resources: Resource[], versions: readonly number[]) =>
  versions.map((version) => ({ version, resources: resourcesAt(resources, version) }));

type Editions = ReturnType<typeof editionsOf>;

/**
 * Returns each operation with its parameters. Parameters that don't exist in all of its versions have a condition for
 * the version.
 */
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

/**
 * Returns all parameters of the node: the selectors, and the parameters of the operations with the conditions that show
 * them.
 * @param versions of the node. Parameters that exist in all of them have no condition for the version.
 */
export function nodeProperties(declared: Resource[], versions = NODE_VERSIONS): INodeProperties[] {
  const editions = editionsOf(declared, versions);
  return [
    ...inVersions(editions.map(({ version, resources }) => ({ version, properties: selectors(resources) }))),
    ...shareParameters(panels(editions, ownParameters)),
    // Shares these parameters separately, because the order of the others limits how many can be declared once.
    ...shareParameters(panels(editions, lastParameters)),
  ];
}

/**
 * Returns the expression for the line under the node's name. It looks up the action, because stored values such as
 * "getAll" aren't readable.
 */
export function operationSubtitle(declared: Resource[], versions = NODE_VERSIONS): string {
  // All versions use the newest labels, because labels don't affect behavior.
  const all = versions.flatMap((version) => resourcesAt(declared, version));
  const words = all.flatMap(({ value: resource, operations }) =>
    operations.map(({ value, action }) => [`${resource}.${value}`, action] as const),
  );
  return `={{ (${JSON.stringify(Object.fromEntries(words))})[$parameter["resource"] + "." + $parameter["operation"]] ?? "" }}`;
}
