import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { examplesFolder } from './paths';
import type { WorkflowJson } from './rest';

/** The file of the main job: CRM rows become sent invoices. */
export const MAIN_JOB = 'crm-invoices.json';

const PACKAGE_PREFIX = 'n8n-nodes-payment-platform.';

/** File names of all examples. */
export const exampleFiles = (): string[] => readdirSync(examplesFolder).filter((name) => name.endsWith('.json'));

/** An example as it can be imported: its node types under the host's prefix, its credential filled in. */
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
