import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import { packageName, packageNodes } from '../../docs/generate/package-nodes';
import type { HostMajor } from '../../host/install';
import { root } from '../../host/paths';

/** Panel entry in the format that n8n's search expects. */
interface Entry {
  key: string;
  properties: Pick<INodeTypeDescription, 'displayName' | 'codex'>;
}
type Search = (query: string, entries: Entry[]) => Array<{ score: number; item: Entry }>;

/** List in which n8n's search finds entries. */
export interface Searchable {
  /** Returns the keys of the results, best result first. */
  find: (query: string) => string[];
}

export interface NodePanel {
  /** Panel that opens with the plus button. */
  nodes: Searchable;
  /** Actions of the node, by `resource.operation`. */
  actions: Searchable;
  /** Triggers that the panel lists below the actions, by event value. */
  events: Searchable;
  /** Panel that opens from an agent's tool connection. */
  tools: Searchable;
}

export const OWN = `${packageName}.paymentPlatform`;
export const OWN_TOOL = `${OWN}Tool`;

/** Returns the lists of n8n's node panel, as n8n's editor builds and searches them. */
export function nodePanel(modules: string, major: HostMajor): NodePanel {
  const search = searchOf(modules);
  const popularity = popularityIn(join(modules, 'n8n-editor-ui', 'dist', 'assets'));
  const searchable = (entries: Entry[]): Searchable => ({
    find: (query) =>
      search(query.toLowerCase(), entries)
        .map(({ score, item: { key } }) => ({ key, score: score + (popularity.get(key) ?? 0) * 100 }))
        .sort((a, b) => b.score - a.score)
        .map(({ key }) => key),
  });
  const known = [...installed(modules, 'n8n-nodes-base'), ...installed(modules, '@n8n/n8n-nodes-langchain'), ...own()];
  return {
    nodes: searchable(merged(known.filter(isRootNode)).map(entry)),
    actions: searchable(operationsOf(own())),
    events: searchable(eventsOf(own())),
    tools: searchable(
      [
        ...known.filter(isTool),
        ...known.filter(({ usableAsTool }) => usableAsTool).map((node) => asTool(node, major)),
      ].map(entry),
    ),
  };
}

const entry = ({ name, displayName, codex }: INodeTypeDescription): Entry => ({
  key: name,
  properties: { displayName, codex },
});

function searchOf(modules: string): Search {
  const folder = join(modules, '@n8n', 'utils', 'dist', 'search');
  const file = readdirSync(folder).find((name) => /^sublime-?search\.cjs$/i.test(name));
  if (!file) throw new Error(`${folder} has no search: look where this n8n keeps it`);
  return (createRequire(__filename)(join(folder, file)) as { sublimeSearch: Search }).sublimeSearch;
}

/** Reads the popularity of nodes, because the editor ranks popular nodes higher. */
function popularityIn(assets: string): Map<string, number> {
  const pairs = readdirSync(assets)
    .filter((file) => file.endsWith('.js') && !file.includes('legacy'))
    .flatMap((file) => [
      ...readFileSync(join(assets, file), 'utf8').matchAll(
        /"?id"?:\s*["`]([^"`]+)["`],\s*"?popularity"?:\s*(\d*\.?\d+)/g,
      ),
    ])
    .map(([, id = '', value]): [string, number] => [id, Number(value)]);
  if (pairs.length < 500) throw new Error('This n8n keeps the popularity of nodes elsewhere');
  return new Map(pairs);
}

/** Returns the newest visible version of each node in a package. */
function installed(modules: string, name: string): INodeTypeDescription[] {
  const file = join(modules, name, 'dist', 'types', 'nodes.json');
  const versions = JSON.parse(readFileSync(file, 'utf8')) as INodeTypeDescription[];
  const newest = new Map<string, INodeTypeDescription>();
  for (const node of versions) {
    const before = newest.get(node.name);
    if (!before || versionOf(node) > versionOf(before)) newest.set(node.name, node);
  }
  return [...newest.values()]
    .filter(({ hidden }) => !hidden)
    .map((node) => ({ ...node, name: `${name}.${node.name}` }));
}

const versionOf = ({ version }: INodeTypeDescription) => Math.max(...[version].flat());

function own(): INodeTypeDescription[] {
  return packageNodes().map(({ description }) => {
    const className = description.name.replace(/^p/, 'P');
    const file = join(root, 'nodes', 'PaymentPlatform', `${className}.node.json`);
    const codex = JSON.parse(readFileSync(file, 'utf8')) as INodeTypeDescription['codex'];
    // n8n sends the description to the editor as JSON.
    const sent = JSON.parse(JSON.stringify(description)) as INodeTypeDescription;
    return { ...sent, codex, name: `${packageName}.${description.name}` };
  });
}

const aiKinds = ({ codex }: INodeTypeDescription) =>
  codex?.categories?.includes('AI') ? (codex.subcategories?.AI ?? []) : undefined;

/** Sub-nodes of agents have separate panels. */
const isRootNode = (node: INodeTypeDescription) => aiKinds(node)?.includes('Root Nodes') ?? true;
const isTool = ({ outputs }: INodeTypeDescription) =>
  Array.isArray(outputs) && outputs.some((one) => one === 'ai_tool');

/** n8n 1 removes the aliases of a tool, so the search finds a tool only by its name. */
const asTool = ({ codex, ...node }: INodeTypeDescription, major: HostMajor): INodeTypeDescription => ({
  ...node,
  name: `${node.name}Tool`,
  displayName: `${node.displayName} Tool`,
  codex: major === 1 ? {} : codex,
});

/** Omits triggers whose node has actions, because the panel merges both entries. */
function merged(nodes: INodeTypeDescription[]): INodeTypeDescription[] {
  const withActions = new Set(nodes.filter((node) => !isTrigger(node) && hasActions(node)).map(({ name }) => name));
  return nodes.filter((node) => !isTrigger(node) || !withActions.has(node.name.replace('Trigger', '')));
}

const isTrigger = ({ group }: INodeTypeDescription) => group.includes('trigger');
const hasActions = ({ properties }: INodeTypeDescription) => properties.some(({ name }) => name === 'operation');

const choices = ({ options = [] }: INodeProperties) =>
  options.filter((option): option is INodePropertyOptions => 'value' in option);

/** Omits aliases, because n8n finds operations only by their action. */
function operationsOf(nodes: INodeTypeDescription[]): Entry[] {
  const properties = nodes.flatMap((node) => node.properties);
  const resources = properties.filter(({ name }) => name === 'resource').flatMap(choices);
  return resources.flatMap(({ value: resource }) =>
    properties
      .filter(({ name, displayOptions }) => name === 'operation' && displayOptions?.show?.resource?.includes(resource))
      .flatMap(choices)
      .map(({ value, name, action = name }) => listed(`${String(resource)}.${String(value)}`, action)),
  );
}

function eventsOf(nodes: INodeTypeDescription[]): Entry[] {
  const events = nodes.flatMap(({ properties }) => properties).filter(({ name }) => name === 'events');
  return events.flatMap(choices).map(({ name, value, action = `On ${name}` }) => listed(String(value), action));
}

const listed = (key: string, displayName: string): Entry => ({ key, properties: { displayName } });
