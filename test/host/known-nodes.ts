/** `npm run record-nodes` records the nodes of the installed n8n versions, because `npm test` runs without n8n. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { INodeTypeDescription } from 'n8n-workflow';

import { installHost, MAJORS, type HostMajor } from '../../host/install';

/** Panel that opens with the plus button, or the panel of tools for an agent. n8n creates tools from some nodes. */
type List = 'nodes' | 'tools' | 'createdTools';

/** Values of n8n's node that n8n's search compares. */
export interface KnownNode {
  key: string;
  displayName: string;
  aliases: string[];
  /** Popularity of the node in each list that contains it, because the editor ranks popular nodes higher. */
  popularity: Partial<Record<List, number>>;
}

const RECORD = join(__dirname, 'known-nodes.tsv');
const HEADER = ['key', 'display name', 'aliases', ...MAJORS.map((major) => `n8n ${major}`)].join('\t');

/** Installs n8n if it is missing, and returns the folder of its packages. */
export async function installedModules(major: HostMajor): Promise<string> {
  const { n8n } = await installHost((message) => process.stderr.write(`${message}\n`), major);
  return dirname(dirname(dirname(n8n)));
}

export function readInstalled(modules: string): KnownNode[] {
  const popularity = popularityIn(join(modules, 'n8n-editor-ui', 'dist', 'assets'));
  const nodes = ['n8n-nodes-base', '@n8n/n8n-nodes-langchain'].flatMap((name) => packageNodes(modules, name));
  const inPanel = new Set(merged(nodes.filter(isRootNode)));
  return nodes
    .map((node): KnownNode => {
      const lists: Array<[List, boolean | undefined, string]> = [
        ['nodes', inPanel.has(node), node.name],
        ['tools', isTool(node), node.name],
        ['createdTools', Boolean(node.usableAsTool), `${node.name}Tool`],
      ];
      const listed = lists.filter(([, isListed]) => isListed);
      return {
        key: node.name,
        displayName: node.displayName,
        aliases: node.codex?.alias ?? [],
        popularity: Object.fromEntries(listed.map(([list, , key]) => [list, popularity.get(key) ?? 0])),
      };
    })
    .filter((node) => Object.keys(node.popularity).length > 0)
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

export function readRecorded(major: HostMajor): KnownNode[] {
  const [header, ...lines] = readFileSync(RECORD, 'utf8').trimEnd().split('\n');
  if (header !== HEADER) throw new Error(`${RECORD} has other columns`);
  return lines.flatMap((line): KnownNode[] => {
    const [key = '', displayName = '', aliases = '', ...lists] = line.split('\t');
    const list = lists[MAJORS.indexOf(major)];
    if (!list) return [];
    const popularity = list.split(' ').map((one): [string, number] => {
      const [name = '', value] = one.split(':');
      return [name, Number(value)];
    });
    return [
      {
        key,
        displayName,
        aliases: aliases === '' ? [] : aliases.split('|'),
        popularity: Object.fromEntries(popularity),
      },
    ];
  });
}

function asText(nodes: ReadonlyMap<HostMajor, KnownNode[]>): string {
  const rows = new Map<string, string[]>();
  for (const [index, major] of MAJORS.entries())
    for (const { key, displayName, aliases, popularity } of nodes.get(major) ?? []) {
      const start = [key, displayName, aliases.join('|')].join('\t');
      const lists = rows.get(start) ?? MAJORS.map(() => '');
      lists[index] = Object.entries(popularity)
        .map(([list, value]) => `${list}:${value}`)
        .join(' ');
      rows.set(start, lists);
    }
  const lines = [...rows].map(([start, lists]) => [start, ...lists].join('\t')).sort((a, b) => (a < b ? -1 : 1));
  return [HEADER, ...lines, ''].join('\n');
}

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

function packageNodes(modules: string, name: string): INodeTypeDescription[] {
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

const aiKinds = ({ codex }: INodeTypeDescription) =>
  codex?.categories?.includes('AI') ? (codex.subcategories?.AI ?? []) : undefined;

/** Sub-nodes of agents have separate panels. */
const isRootNode = (node: INodeTypeDescription) => aiKinds(node)?.includes('Root Nodes') ?? true;
const isTool = ({ outputs }: INodeTypeDescription) =>
  Array.isArray(outputs) && outputs.some((one) => one === 'ai_tool');

/** Omits triggers whose node has actions, because the panel merges both entries. */
export function merged(nodes: INodeTypeDescription[]): INodeTypeDescription[] {
  const withActions = new Set(nodes.filter((node) => !isTrigger(node) && hasActions(node)).map(({ name }) => name));
  return nodes.filter((node) => !isTrigger(node) || !withActions.has(node.name.replace('Trigger', '')));
}

const isTrigger = ({ group }: INodeTypeDescription) => group.includes('trigger');
const hasActions = ({ properties }: INodeTypeDescription) => properties.some(({ name }) => name === 'operation');

async function main(): Promise<void> {
  const nodes = new Map<HostMajor, KnownNode[]>();
  for (const major of MAJORS) nodes.set(major, readInstalled(await installedModules(major)));
  writeFileSync(RECORD, asText(nodes));
}

if (require.main === module) void main();
