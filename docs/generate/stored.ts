import type { ICredentialType, INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { declared } from '../../nodes/PaymentPlatform/resources';
import { choicesOf } from './choices';
import { isShownFor } from './shown-for';
import { outputsOf, type OutputTypes } from './output-types';
import { packageCredentials, packageName, packageNodes } from './package-nodes';

/** What a saved workflow depends on in one parameter or credential field. */
export interface StoredParameter {
  type: string;
  /** What the parameter is when a workflow does not store it. */
  default: unknown;
  /** Whether a list of values is stored instead of one. */
  multiple?: true;
  required?: true;
  /** The values that can be chosen, or the modes of a resource locator. */
  values?: unknown[];
}

/** Parameters by path: `line_items.item.unit_cost`, the names of the collections included. */
export type StoredParameters = Record<string, StoredParameter>;

/** What workflows depend on that name a version of a node. */
export interface StoredVersion {
  /** By the operation that shows them: `invoice.create`; "" for those of the whole node. */
  parameters: Record<string, StoredParameters>;
  /** By what comes out: `invoice.create`, an event, a failed item. */
  outputs: Record<string, OutputTypes>;
}

export interface StoredNode {
  credentials: string[];
  versions: Record<string, StoredVersion>;
}

/** Everything that saved workflows and credentials depend on. */
export interface Stored {
  /** Whether it is a promise: until then it is written anew. */
  frozen: boolean;
  nodes: Record<string, StoredNode>;
  credentials: Record<string, StoredParameters>;
}

const valuesOf = (property: INodeProperties, scope = ''): unknown[] => {
  const { type, modes = [] } = property;
  if (type === 'resourceLocator') return modes.map(({ name }) => name);
  return choicesOf(property, operationOf(scope)).map(({ value }) => value);
};

/** Returns the operation of a scope such as `invoice.create`. */
function operationOf(scope: string) {
  const [resource, operation] = scope.split('.');
  return declared.find(({ value }) => value === resource)?.operations.find(({ value }) => value === operation);
}

/** Parameters of all versions of a node, or of a collection, that one version shows for an operation. */
const shownAt = (properties: INodeProperties[], version: number, scope = '') =>
  properties.filter((property) => {
    const [resource = '', operation = ''] = scope.split('.');
    const isInVersion = shownFor(property)['@version']?.includes(version) ?? true;
    return isInVersion && isShownFor({ resource, operation }, property);
  });

/** The version of a node, and the operation, whose parameters are recorded. */
interface Where {
  version: number;
  scope: string;
}

function parameterEntries(property: INodeProperties, where: Where, prefix = ''): Array<[string, StoredParameter]> {
  const path = `${prefix}${property.name}`;
  const values = valuesOf(property, where.scope);
  const own: StoredParameter = {
    type: property.type,
    default: property.default,
    ...(property.typeOptions?.multipleValues && { multiple: true }),
    ...(property.required && { required: true }),
    ...(values.length > 0 && { values }),
  };
  const inner = (list: INodeProperties[], name: string) =>
    shownAt(list, where.version, where.scope).flatMap((one) => parameterEntries(one, where, name));
  const inside = (property.options ?? []).flatMap((option) => {
    if ('values' in option) return inner(option.values, `${path}.${option.name}.`);
    return 'type' in option ? inner([option], `${path}.`) : [];
  });
  return [[path, own], ...inside];
}

/**
 * Parameters of one name that show at different times are one stored value: what either takes is taken. Text counts first,
 * in whatever order they stand, because it takes what the others take.
 */
function collect(properties: INodeProperties[], where: Where): StoredParameters {
  const all: StoredParameters = {};
  for (const [path, entry] of properties.flatMap((one) => parameterEntries(one, where))) {
    const before = all[path];
    const values = [...new Set([...(before?.values ?? []), ...(entry.values ?? [])])];
    const [narrow, wide] = entry.type === 'string' && before?.type !== 'string' ? [before, entry] : [entry, before];
    all[path] = { ...entry, ...narrow, ...wide, ...(values.length > 0 && { values }) };
  }
  return all;
}

/** Notices show text and store nothing. */
const isStored = ({ type }: INodeProperties) => !['notice', 'callout', 'hidden'].includes(type);

type Values = Record<string, unknown[] | undefined>;

const shownFor = ({ displayOptions }: INodeProperties) => (displayOptions?.show ?? {}) as Values;

/** The operations of a node: those that the selectors offer. */
const operationsOf = (properties: INodeProperties[]): Set<string> =>
  new Set(
    properties
      .filter(({ name }) => name === 'operation')
      .flatMap((selector) =>
        (shownFor(selector).resource ?? []).flatMap((resource) =>
          valuesOf(selector).map((value) => `${String(resource)}.${String(value)}`),
        ),
      ),
  );

/** Where a parameter is stored: n8n shows it for every pair of a resource and an operation, where there is one. */
function scopesOf(property: INodeProperties, operations: Set<string>): string[] {
  if (property.name === 'operation') return (shownFor(property).resource ?? ['']).map(String);
  if (operations.size === 0 || property.name === 'resource') return [''];
  return [...operations].filter((pair) => {
    const [resource = '', operation = ''] = pair.split('.');
    return isShownFor({ resource, operation }, property);
  });
}

function storedParameters(all: INodeProperties[], version: number): StoredVersion['parameters'] {
  const properties = shownAt(all, version);
  const byScope = new Map<string, INodeProperties[]>();
  const operations = operationsOf(properties);
  for (const property of properties.filter(isStored))
    for (const scope of scopesOf(property, operations)) byScope.set(scope, [...(byScope.get(scope) ?? []), property]);
  return Object.fromEntries([...byScope].map(([scope, list]) => [scope, collect(list, { version, scope })]));
}

function storedNode({ name, version: all, credentials = [], properties }: INodeTypeDescription): StoredNode {
  const versions = [all]
    .flat()
    .map((version): [string, StoredVersion] => [
      String(version),
      { parameters: storedParameters(properties, version), outputs: outputsOf(name, version) },
    ]);
  return { credentials: credentials.map((credential) => credential.name), versions: Object.fromEntries(versions) };
}

/** Credentials have no versions. */
const CREDENTIAL_VERSION = 1;

/** What the given nodes and credentials let a workflow store; those of the package unless given. */
export function storedToday(
  nodes: INodeType[] = packageNodes(),
  credentials: ICredentialType[] = packageCredentials(),
): Stored {
  const sorted = <T>(entries: Array<[string, T]>) =>
    Object.fromEntries(entries.sort(([a], [b]) => a.localeCompare(b, 'en')));
  return {
    frozen: false,
    nodes: sorted(nodes.map(({ description }) => [`${packageName}.${description.name}`, storedNode(description)])),
    credentials: sorted(
      credentials.map(({ name, properties }) => [
        name,
        collect(properties.filter(isStored), { version: CREDENTIAL_VERSION, scope: '' }),
      ]),
    ),
  };
}
