import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { resourcesAt } from '../../nodes/PaymentPlatform/model/resources-in-version';
import { declared } from '../../nodes/PaymentPlatform/resources';
import { NODE_VERSIONS } from '../../nodes/PaymentPlatform/shared/versions';
import { codesPage } from './codes-page';
import { recorded } from './compatibility';
import { root } from './interface-document';
import { operationsPage } from './operations-page';
import { outputSchema } from './output-schema';
import { recordsPage } from './records-page';
import { withOperationsTable } from './readme';
import { storedToday, type Stored } from './stored';
import type { Files } from './written';

/** Text as it stands in a generated JSON file. */
export const asJson = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;

const SCHEMAS = 'nodes/PaymentPlatform/__schema__';

/** n8n looks for schemas in a folder named by the node's version with three numbers: 1 is v1.0.0. */
const versionFolder = (version: number) => `v${String(version).split('.').concat('0', '0').slice(0, 3).join('.')}`;

/** The README, with its table of the operations as they are declared today. */
export const readmeFiles = (): Files => ({
  'README.md': withOperationsTable(readFileSync(join(root, 'README.md'), 'utf8')),
});

/** Returns the page of all operations. */
export const operationFiles = (): Files => ({ 'docs/reference/operations.md': operationsPage() });

/** Returns the page of all response codes. */
export const codeFiles = (): Files => ({ 'docs/reference/codes.md': codesPage() });

/** Returns the page of all output fields. */
export const recordFiles = (): Files => ({ 'docs/reference/records.md': recordsPage() });

/** One output schema for each version and operation, where n8n's editor asks for it. */
export function schemaFiles(): Files {
  const entries = NODE_VERSIONS.flatMap((version) =>
    resourcesAt(declared, version).flatMap((resource) =>
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

const RELEASED = 'test/contract/released.json';

/** What released workflows store, as it was recorded. */
export function releasedDescription(): Stored {
  const path = join(root, RELEASED);
  return existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as Stored)
    : { frozen: false, nodes: {}, credentials: {} };
}

/** The record of what workflows store, with what is new today. */
export const releasedFiles = (): Files => ({ [RELEASED]: asJson(recorded(releasedDescription(), storedToday())) });
