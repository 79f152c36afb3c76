import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { PaymentPlatform } from '../../nodes/PaymentPlatform/PaymentPlatform.node';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { root } from './interface-document';
import { operationsPage } from './operations-page';
import { outputSchema } from './output-schema';

/** Contents by path from the root of the repository, with forward slashes. */
export type Files = Record<string, string>;

/** Text as it stands in a generated JSON file. */
export const asJson = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;

const SCHEMAS = 'nodes/PaymentPlatform/__schema__';

/** n8n looks for schemas in a folder named by the node's version with three numbers: 1 is v1.0.0. */
const versionFolder = (version: number) => `v${String(version).split('.').concat('0', '0').slice(0, 3).join('.')}`;

/** docs/operations.md. */
export const operationFiles = (): Files => ({ 'docs/operations.md': operationsPage() });

/** One output schema for each version and operation, where n8n's editor asks for it. */
export function schemaFiles(): Files {
  const versions = [new PaymentPlatform().description.version].flat();
  const entries = versions.flatMap((version) =>
    resources.flatMap((resource) =>
      resource.operations.flatMap((operation): Array<[string, string]> => {
        const schema = outputSchema(operation);
        const path = `${SCHEMAS}/${versionFolder(version)}/${resource.value}/${operation.value}.json`;
        return schema ? [[path, asJson(schema)]] : [];
      }),
    ),
  );
  return Object.fromEntries(entries);
}

/** The schema files that exist, by path. */
export function existingSchemaFiles(): Files {
  const folder = join(root, SCHEMAS);
  if (!existsSync(folder)) return {};
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replace(/\\/g, '/'));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** Writes the files; of `existing` those that are not generated any more are removed. */
export function writeFiles(files: Files, existing: Files = {}): void {
  for (const path of Object.keys(existing)) if (!(path in files)) rmSync(join(root, path));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}
