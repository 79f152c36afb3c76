import type { ICredentialType, INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { declared } from '../../nodes/PaymentPlatform/resources';
import { choicesOf } from '../../docs/generate/choices';
import { isShownFor } from '../shown-for';
import { outputsOf, type OutputTypes } from './output-types';
import { packageCredentials, packageName, packageNodes } from '../package-nodes';

/** Properties of a parameter or credential field that affect saved workflows. */
export interface StoredParameter {
  type: string;
  default: unknown;
  multiple?: true;
  required?: true;
  values?: unknown[];
}

/** Parameters by path, for example `line_items.item.unit_cost`. */
export type StoredParameters = Record<string, StoredParameter>;

/** Parameters and outputs of a node version that saved workflows use. */
export interface StoredVersion {
  /** Parameters by operation, for example `invoice.create`. The empty key maps to node-wide parameters. */
  parameters: Record<string, StoredParameters>;
  outputs: Record<string, OutputTypes>;
}

export interface StoredNode {
  credentials: string[];
  versions: Record<string, StoredVersion>;
}

/** Names, values and types that saved workflows and credentials depend on. */
export interface Stored {
  /** Whether the record belongs to a released package. */
  frozen: boolean;
  nodes: Record<string, StoredNode>;
  credentials: Record<string, StoredParameters>;
}

const valuesOf = (property: INodeProperties, scope = ''): unknown[] => {
  const { type, modes = [] } = property;
  if (type === 'resourceLocator') return modes.map(({ name }) => name);
  return choicesOf(property, operationOf(scope)).map(({ value }) => value);
};

function operationOf(scope: string) {
  const [resource, operation] = scope.split('.');
  return declared.find(({ value }) => value === resource)?.operations.find(({ value }) => value === operation);
}

const shownAt = (properties: INodeProperties[], version: number, scope = '') =>
  properties.filter((property) => {
    const [resource = '', operation = ''] = scope.split('.');
    const isInVersion = shownFor(property)['@version']?.includes(version) ?? true;
    return isInVersion && isShownFor({ resource, operation }, property);
  });

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

/** Merges same-named parameters, because n8n stores one value for all of them. */
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

/** Excludes parameters in which users can't enter a value. */
const isStored = ({ type }: INodeProperties) => !['notice', 'callout', 'hidden'].includes(type);

type Values = Record<string, unknown[] | undefined>;

const shownFor = ({ displayOptions }: INodeProperties) => (displayOptions?.show ?? {}) as Values;

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

/** Version recorded for credentials, which have none. */
const CREDENTIAL_VERSION = 1;

/** Returns the names and values that workflows can store today. */
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
