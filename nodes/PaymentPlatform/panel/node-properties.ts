import type { INodeProperties } from 'n8n-workflow';
import { toolGuards } from '../limits/tool-guards';
import { resourcesAt } from '../model/operation';
import type { Operation, Resource } from '../model/types';
import { ownParameters } from '../output/own-parameters';
import { NODE_VERSIONS } from '../shared/versions';
import { existsNotice, runOptions } from './option-parameters';
import { type Edition, inVersions, propertiesAt } from './parameters-in-versions';
import { type Panel, shareParameters } from './share-parameters';

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
