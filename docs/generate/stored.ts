import type { ICredentialType, INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';

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

/** Parameters of a node by the operation that shows them: `invoice.create`; "" for those of the whole node. */
export interface StoredNode {
  versions: number[];
  credentials: string[];
  parameters: Record<string, StoredParameters>;
}

/** Everything that saved workflows and credentials store. */
export interface Stored {
  nodes: Record<string, StoredNode>;
  credentials: Record<string, StoredParameters>;
}

const valuesOf = ({ type, options = [], modes = [] }: INodeProperties): unknown[] => {
  if (type === 'resourceLocator') return modes.map(({ name }) => name);
  return options.flatMap((option) => ('value' in option ? [option.value] : []));
};

function parameterEntries(property: INodeProperties, prefix = ''): Array<[string, StoredParameter]> {
  const path = `${prefix}${property.name}`;
  const values = valuesOf(property);
  const own: StoredParameter = {
    type: property.type,
    default: property.default,
    ...(property.typeOptions?.multipleValues && { multiple: true }),
    ...(property.required && { required: true }),
    ...(values.length > 0 && { values }),
  };
  const inside = (property.options ?? []).flatMap((option) => {
    if ('values' in option) return option.values.flatMap((value) => parameterEntries(value, `${path}.${option.name}.`));
    return 'type' in option ? parameterEntries(option, `${path}.`) : [];
  });
  return [[path, own], ...inside];
}

/** Parameters of one name that show at different times are one stored value: what either takes is taken. */
function collect(properties: INodeProperties[]): StoredParameters {
  const all: StoredParameters = {};
  for (const [path, entry] of properties.flatMap((property) => parameterEntries(property))) {
    const before = all[path];
    const values = [...new Set([...(before?.values ?? []), ...(entry.values ?? [])])];
    all[path] = { ...entry, ...before, ...(values.length > 0 && { values }) };
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
  const { resource = [''], operation = [] } = shownFor(property);
  if (operation.length === 0) return resource.map(String);
  const pairs = resource.flatMap((one) => operation.map((name) => `${String(one)}.${String(name)}`));
  return pairs.filter((pair) => operations.has(pair));
}

function storedNode({ version, credentials = [], properties }: INodeTypeDescription): StoredNode {
  const byScope = new Map<string, INodeProperties[]>();
  const operations = operationsOf(properties);
  for (const property of properties.filter(isStored))
    for (const scope of scopesOf(property, operations)) byScope.set(scope, [...(byScope.get(scope) ?? []), property]);
  return {
    versions: [version].flat(),
    credentials: credentials.map(({ name }) => name),
    parameters: Object.fromEntries([...byScope].map(([scope, list]) => [scope, collect(list)])),
  };
}

/** What the given nodes and credentials let a workflow store; those of the package unless given. */
export function storedToday(
  nodes: INodeType[] = packageNodes(),
  credentials: ICredentialType[] = packageCredentials(),
): Stored {
  const sorted = <T>(entries: Array<[string, T]>) =>
    Object.fromEntries(entries.sort(([a], [b]) => a.localeCompare(b, 'en')));
  return {
    nodes: sorted(nodes.map(({ description }) => [`${packageName}.${description.name}`, storedNode(description)])),
    credentials: sorted(credentials.map(({ name, properties }) => [name, collect(properties.filter(isStored))])),
  };
}
