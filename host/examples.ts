import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { examplesFolder } from './paths';
import type { WorkflowJson } from './rest';

/** Example file of the main job: it turns CRM rows into sent invoices. */
export const MAIN_JOB = 'crm-invoices.json';

const PACKAGE_PREFIX = 'n8n-nodes-payment-platform.';

/** Lists the file names of all examples. */
export const exampleFiles = (): string[] => readdirSync(examplesFolder).filter((name) => name.endsWith('.json'));

/** Returns an example that is ready to import: with the host's node type prefix and a credential. */
export function readExample(file: string, typePrefix: string, credential: { id: string; name: string }): WorkflowJson {
  const workflow = JSON.parse(readFileSync(join(examplesFolder, file), 'utf8')) as WorkflowJson;
  return {
    ...workflow,
    nodes: workflow.nodes.map((node) =>
      node.type.startsWith(PACKAGE_PREFIX)
        ? {
            ...node,
            type: `${typePrefix}${node.type.slice(PACKAGE_PREFIX.length)}`,
            credentials: { paymentPlatformApi: credential },
          }
        : node,
    ),
  };
}
