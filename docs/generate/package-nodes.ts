import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

import type { ICredentialType, INodeType } from 'n8n-workflow';

import { root } from './interface-document';

const load = createRequire(__filename);

/**
 * The classes that package.json names, made from their sources. Loaded by their whole file names: a plain import takes
 * `X.node` for the codex file `X.node.json`.
 */
function instances<T>(kind: 'nodes' | 'credentials'): T[] {
  const { n8n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { n8n: Record<string, string[]> };
  return (n8n[kind] ?? []).map((built) => {
    const source = join(root, built.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
    const name = basename(source).split('.')[0] ?? '';
    const exported = load(source) as Record<string, new () => T>;
    const Class = exported[name];
    if (!Class) throw new Error(`${source} does not export ${name}`);
    return new Class();
  });
}

/** The name of the package, which stands before the name of a node in every saved workflow. */
export const packageName = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string }).name;

/** The nodes that the package offers. */
export const packageNodes = () => instances<INodeType>('nodes');

/** The credentials that the package offers. */
export const packageCredentials = () => instances<ICredentialType>('credentials');
