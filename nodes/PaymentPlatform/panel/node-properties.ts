import type { INodeProperties } from 'n8n-workflow';
import { type Alternative, alternatives } from '../fields/alternatives';
import { additionalCollection, editorProperties } from '../fields/editor';
import { section } from '../fields/kinds/group';
import type { Field } from '../fields/types';
import { extraBody, takesExtraBody } from '../limits/check-guards';
import { toolGuards } from '../limits/tool-guards';
import { resourcesAt } from '../model/operation';
import type { Operation, Resource } from '../model/types';
import { outputParameters } from '../output/tool-output';
import { NODE_VERSIONS } from '../shared/versions';
import { existsNotice, runOptions } from './option-parameters';
import { type Edition, inVersions, propertiesAt } from './parameters-in-versions';
import { type Panel, shareParameters } from './share-parameters';

/** The collection that holds what is rarely needed. */
export const ADDITIONAL_FIELDS = 'additionalFields';
/** The heading in it for what only software asks for. */
export const TECHNICAL_FIELDS = 'technicalFields';

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
  // A tool has Output in its place.
  displayOptions: { show: { '@tool': [false] } },
};

/** What stands under "Additional Fields": what a person may want, and under a heading of its own what only software asks for. */
export function additionalFields(operation: Operation): Field[] {
  const all = [...(operation.additional ?? []), ...(takesExtraBody(operation) ? [extraBody] : [])];
  const technical = all.filter((field) => field.technical);
  if (technical.length === 0) return all;
  return [
    ...all.filter((field) => !field.technical),
    section({ name: TECHNICAL_FIELDS, label: 'Technical Fields', fields: technical, add: 'Add Technical Field' }),
  ];
}

/** The parameters of one operation, without the conditions that show them. */
export const operationParameters = (operation: Operation): INodeProperties[] => [
  ...ownParameters(operation),
  ...lastParameters(operation),
];

/** Always last: what holds for a run, and for a tool. */
const lastParameters = (operation: Operation): INodeProperties[] => [
  ...toolGuards(operation),
  ...existsNotice(operation),
  runOptions(operation),
];

/** What says which records of a list are wanted stands below how many are. */
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

/** What is read of a parameter, and the switch that says whether it counts, where there is one. */
export interface KnownParameter extends Pick<INodeProperties, 'name' | 'displayName'> {
  alternative?: Alternative;
}

const known = new WeakMap<Operation, KnownParameter[]>();

/** Names and labels of an operation's own parameters: the same for all items of all runs. */
export function parametersOf(operation: Operation): KnownParameter[] {
  const before = known.get(operation);
  if (before) return before;
  const switched = new Map(operation.fields.flatMap(alternatives).map((one) => [one.name, one]));
  const shown = ownParameters(operation).filter(({ type }) => type !== 'notice');
  const made = shown.map(({ name, displayName }) => ({ name, displayName, alternative: switched.get(name) }));
  known.set(operation, made);
  return made;
}

const selectorOf = (value = '') => ({ type: 'options' as const, noDataExpression: true, default: value });

const operationSelector = (resource: Resource): INodeProperties => ({
  ...selectorOf(resource.preselected),
  displayName: 'Operation',
  name: 'operation',
  displayOptions: { show: { resource: [resource.value] } },
  options: resource.operations.map(({ name, value, action, description }) => ({ name, value, action, description })),
});

/** All resources of a version, and what each of their operations shows there. */
const editionsOf = (resources: Resource[], versions: readonly number[]) =>
  versions.map((version) => ({ version, resources: resourcesAt(resources, version) }));

type Editions = ReturnType<typeof editionsOf>;

/** Each operation with its parameters, those that do not hold in all of its versions with the condition that says so. */
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
 * All parameters of the node: selectors, and the parameters of the operations, shown for those that have them.
 * @param versions of the node. What holds in all of them has no condition about the version.
 */
export function nodeProperties(declared: Resource[], versions = NODE_VERSIONS): INodeProperties[] {
  const editions = editionsOf(declared, versions);
  return [
    ...inVersions(editions.map(({ version, resources }) => ({ version, properties: selectors(resources) }))),
    ...shareParameters(panels(editions, ownParameters)),
    // Apart from the others, whose order decides what of them can be declared once.
    ...shareParameters(panels(editions, lastParameters)),
  ];
}

/**
 * What the node does, in words, for the line under its name: an expression, which the editor evaluates. The stored values
 * are looked up, for they are no words ("getAll").
 */
export function operationSubtitle(declared: Resource[], versions = NODE_VERSIONS): string {
  // Words are no promise: the newest that there are hold in all versions.
  const all = versions.flatMap((version) => resourcesAt(declared, version));
  const words = all.flatMap(({ value: resource, operations }) =>
    operations.map(({ value, action }) => [`${resource}.${value}`, action] as const),
  );
  return `={{ (${JSON.stringify(Object.fromEntries(words))})[$parameter["resource"] + "." + $parameter["operation"]] ?? "" }}`;
}
