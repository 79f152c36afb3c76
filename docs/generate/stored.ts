import type { ICredentialType, INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { declared } from '../../nodes/PaymentPlatform/resources';
import { choicesOf } from './choices';
import { isShownFor } from './shown-for';
import { outputsOf, type OutputTypes } from './output-types';
import { packageCredentials, packageName, packageNodes } from './package-nodes';

/** Properties of a parameter or credential field that affect saved workflows. */
export interface StoredParameter {
  type: string;
  /** Value that n8n uses if the workflow doesn't store the parameter. */
  default: unknown;
  /** Whether the parameter stores a list of values. */
  multiple?: true;
  required?: true;
  /** Selectable values, or the modes of a resource locator. */
  values?: unknown[];
}

/** Parameters by path. A path includes the names of collections, for example `line_items.item.unit_cost`. */
export type StoredParameters = Record<string, StoredParameter>;

/** Parameters and outputs of a node version that saved workflows use. */
export interface StoredVersion {
  /** Parameters by operation, for example `invoice.create`. An empty key contains the parameters of the whole node. */
  parameters: Record<string, StoredParameters>;
  /** Outputs by source, for example `invoice.create`, an event or a failed item. */
  outputs: Record<string, OutputTypes>;
}

export interface StoredNode {
  credentials: string[];
  versions: Record<string, StoredVersion>;
}

/** Names, values and types that saved workflows and credentials depend on. */
export interface Stored {
  /**
   * Whether the package was released with this record. Before the first release, each run of the generator replaces the
   * record.
   */
  frozen: boolean;
  nodes: Record<string, StoredNode>;
  credentials: Record<string, StoredParameters>;
}

const valuesOf = (property: INodeProperties, scope = ''): unknown[] => {
  const { type, modes = [] } = property;
  if (type === 'resourceLocator') return modes.map(({ name }) => name);
  return choicesOf(property, operationOf(scope)).map(({ value }) => value);
};

/**
 * Returns the operation of a scope. For example, the scope `invoice.create` has the operation `create` of the resource
 * `invoice`.
 */
function operationOf(scope: string) {
  const [resource, operation] = scope.split('.');
  return declared.find(({ value }) => value === resource)?.operations.find(({ value }) => value === operation);
}

/** Returns the parameters that a node version shows for an operation. */
const shownAt = (properties: INodeProperties[], version: number, scope = '') =>
  properties.filter((property) => {
    const [resource = '', operation = ''] = scope.split('.');
    const isInVersion = shownFor(property)['@version']?.includes(version) ?? true;
    return isInVersion && isShownFor({ resource, operation }, property);
  });

/** Node version and operation whose parameters the generator records. */
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
 * Merges parameters with equal names, because n8n stores one value for all of them. The merged parameter accepts the
 * values of each parameter. Text is the preferred type, because a text parameter accepts every value.
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

/**
 * Returns whether the record includes a parameter. Users can't enter a value for notices, callouts and hidden
 * parameters.
 */
const isStored = ({ type }: INodeProperties) => !['notice', 'callout', 'hidden'].includes(type);

type Values = Record<string, unknown[] | undefined>;

const shownFor = ({ displayOptions }: INodeProperties) => (displayOptions?.show ?? {}) as Values;

/** Returns all combinations of resource and operation that the selectors of a node offer. */
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
 * Returns the operations for which n8n shows a parameter. A workflow stores the parameter only for these operations.
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

/** Version under which the generator records credentials, because credentials have no versions. */
const CREDENTIAL_VERSION = 1;

/**
 * Returns the names and values that workflows can store today. By default, includes all nodes and credentials of the
 * package.
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
