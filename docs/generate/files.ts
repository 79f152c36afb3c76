import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { resourcesAt } from '../../nodes/PaymentPlatform/model/operation';
import { declared } from '../../nodes/PaymentPlatform/resources';
import { NODE_VERSIONS } from '../../nodes/PaymentPlatform/shared/versions';
import { codesPage } from './codes-page';
import { recorded } from './compatibility';
import { root } from './interface-document';
import { messagesPage } from './messages-page';
import { operationsPage } from './operations-page';
import { outputSchema } from './output-schema';
import { recordsPage } from './records-page';
import { withOperationsTable } from './readme';
import { storedToday, type Stored } from './stored';
import type { Files } from './written';

export const asJson = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;

const SCHEMAS = 'nodes/PaymentPlatform/__schema__';

/** Returns a node version in n8n's three-part form, for example v1.0.0. */
const versionFolder = (version: number) => `v${String(version).split('.').concat('0', '0').slice(0, 3).join('.')}`;

export const readmeFiles = (): Files => ({
  'README.md': withOperationsTable(readFileSync(join(root, 'README.md'), 'utf8')),
});

export const operationFiles = (): Files => ({ 'docs/reference/operations.md': operationsPage() });

export const codeFiles = (): Files => ({ 'docs/reference/codes.md': codesPage() });

export const messageFiles = (): Files => ({ 'docs/reference/messages.md': messagesPage() });

export const recordFiles = (): Files => ({ 'docs/reference/records.md': recordsPage() });

/** Returns one output schema per node version and operation, by the path from which n8n's editor loads it. */
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

export function existingSchemaFiles(): Files {
  const folder = join(root, SCHEMAS);
  if (!existsSync(folder)) return {};
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replace(/\\/g, '/'));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

const RELEASED = 'test/contract/released.json';

/** Returns the recorded parameters and outputs of the released nodes. */
export function releasedDescription(): Stored {
  const path = join(root, RELEASED);
  return existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as Stored)
    : { frozen: false, nodes: {}, credentials: {} };
}

/** Returns the file of released names and values, plus unreleased additions. */
export const releasedFiles = (): Files => ({ [RELEASED]: asJson(recorded(releasedDescription(), storedToday())) });
