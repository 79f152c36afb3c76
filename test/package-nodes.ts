import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

import type { ICredentialType, INodeProperties, INodeType } from 'n8n-workflow';

import { root } from '../interface/generate/interface-document';

const load = createRequire(__filename);

/** Uses the file extension, because `X.node` would resolve to `X.node.json`. */
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

/** Name of the npm package, which prefixes node types in saved workflows. */
export const packageName = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string }).name;

export const packageNodes = () => instances<INodeType>('nodes');

export const packageCredentials = () => instances<ICredentialType>('credentials');

/** Returns parameters and all parameters that they contain. */
export const everyParameter = (properties: INodeProperties[]): INodeProperties[] =>
  properties.flatMap((property) => [
    property,
    ...everyParameter(
      (property.options ?? []).flatMap((option) =>
        'values' in option ? option.values : 'type' in option ? [option] : [],
      ),
    ),
  ]);
