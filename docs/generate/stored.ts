import type { ICredentialType, INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { declared } from '../../nodes/PaymentPlatform/resources';
import { choicesOf } from './choices';
import { isShownFor } from './shown-for';
import { outputsOf, type OutputTypes } from './output-types';
import { packageCredentials, packageName, packageNodes } from './package-nodes';

/** Properties of one parameter or credential field on which a saved workflow depends. */
export interface StoredParameter {
  type: string;
  /** Default of a parameter that the workflow does not store. */
  default: unknown;
  /** Whether a list of values is stored instead of one. */
  multiple?: true;
  required?: true;
  /** Available values, or the modes of a resource locator. */
  values?: unknown[];
}

/** Parameters by path, including the names of collections: `line_items.item.unit_cost`. */
export type StoredParameters = Record<string, StoredParameter>;

/** Properties of one version of a node on which workflows depend. */
export interface StoredVersion {
  /** Parameters by operation, such as `invoice.create`, or "" for those of the whole node. */
  parameters: Record<string, StoredParameters>;
  /** Outputs by source: `invoice.create`, an event, or a failed item. */
  outputs: Record<string, OutputTypes>;
}

export interface StoredNode {
  credentials: string[];
  versions: Record<string, StoredVersion>;
}

/** Everything that saved workflows and credentials depend on. */
export interface Stored {
  /** Whether the record is a promise. Before the first release, it is replaced. */
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

/** Parameters that one version of a node shows for an operation, selected from the parameters of all versions. */
const shownAt = (properties: INodeProperties[], version: number, scope = '') =>
  properties.filter((property) => {
    const [resource = '', operation = ''] = scope.split('.');
    const isInVersion = shownFor(property)['@version']?.includes(version) ?? true;
    return isInVersion && isShownFor({ resource, operation }, property);
  });

/** Version of a node and operation whose parameters are recorded. */
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
 * Parameters with the same name that are never shown together share one stored value, which accepts the values of all
 * of them. A text parameter comes first, because text accepts every value.
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

/** Returns the operations that the selectors of a node offer. */
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

/**
 * Returns the operations for which a parameter is stored. n8n shows it for every existing pair of a resource and an
 * operation.
 */
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

/**
 * Returns the values that a workflow can store for the given nodes and credentials. Defaults to those of the package.
 */
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
