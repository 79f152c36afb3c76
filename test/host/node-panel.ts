import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import { packageName, packageNodes } from '../package-nodes';
import type { HostMajor } from '../../host/install';
import { root } from '../../host/paths';
import { merged, type KnownNode } from './known-nodes';

/** Panel entry in the format that n8n's search expects. */
interface Entry {
  key: string;
  properties: Pick<INodeTypeDescription, 'displayName' | 'codex'>;
  popularity?: number | undefined;
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
  tools: Searchable;
}

export const OWN = `${packageName}.paymentPlatform`;
export const OWN_TOOL = `${OWN}Tool`;

/** Folders of the development packages that contain n8n's search. */
export const TESTED_UTILS: Record<HostMajor, string> = {
  2: join(root, 'node_modules', '@n8n/utils'),
  1: join(root, 'node_modules', 'n8n-1-utils'),
};

function searchOf(major: HostMajor): Search {
  const folder = join(TESTED_UTILS[major], 'dist', 'search');
  const file = readdirSync(folder).find((name) => /^sublime-?search\.cjs$/i.test(name));
  if (!file) throw new Error(`${folder} has no search: look where this n8n keeps it`);
  return (createRequire(__filename)(join(folder, file)) as { sublimeSearch: Search }).sublimeSearch;
}

/** Returns the lists of n8n's node panel with the package's nodes, as n8n's editor builds and searches them. */
export function nodePanel(known: KnownNode[], major: HostMajor): NodePanel {
  const search = searchOf(major);
  const own = ownNodes();
  const searchable = (entries: Entry[]): Searchable => ({
    find: (query) =>
      search(query.toLowerCase(), entries)
        .map(({ score, item: { key, popularity = 0 } }) => ({ key, score: score + popularity * 100 }))
        .sort((a, b) => b.score - a.score)
        .map(({ key }) => key),
  });
  const ofN8n = (list: keyof KnownNode['popularity']) =>
    known
      .filter(({ popularity }) => popularity[list] !== undefined)
      .map(({ key, displayName, aliases, popularity }): Entry => {
        const entry = { key, properties: { displayName, codex: { alias: aliases } } };
        return { ...(list === 'createdTools' ? asTool(entry, major) : entry), popularity: popularity[list] };
      });
  return {
    nodes: searchable([...ofN8n('nodes'), ...merged(own).map(asEntry)]),
    actions: searchable(operationsOf(own)),
    events: searchable(eventsOf(own)),
    tools: searchable([
      ...ofN8n('tools'),
      ...ofN8n('createdTools'),
      ...own.filter(({ usableAsTool }) => usableAsTool).map((node) => asTool(asEntry(node), major)),
    ]),
  };
}

const asEntry = ({ name, displayName, codex }: INodeTypeDescription): Entry => ({
  key: name,
  properties: { displayName, codex },
});

/** n8n 1 removes the aliases of a tool, so the search finds a tool only by its name. */
const asTool = ({ key, properties: { displayName, codex } }: Entry, major: HostMajor): Entry => ({
  key: `${key}Tool`,
  properties: { displayName: `${displayName} Tool`, codex: major === 1 ? {} : codex },
});

function ownNodes(): INodeTypeDescription[] {
  return packageNodes().map(({ description }) => {
    const className = description.name.replace(/^p/, 'P');
    const file = join(root, 'nodes', 'PaymentPlatform', `${className}.node.json`);
    const codex = JSON.parse(readFileSync(file, 'utf8')) as INodeTypeDescription['codex'];
    // n8n sends the description to the editor as JSON.
    const sent = JSON.parse(JSON.stringify(description)) as INodeTypeDescription;
    return { ...sent, codex, name: `${packageName}.${description.name}` };
  });
}

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
