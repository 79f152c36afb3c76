import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode, INodeParameterResourceLocator } from 'n8n-workflow';

import { examplesFolder } from './paths';
import type { WorkflowJson } from './rest';
import type { DataTables } from './tables';

/** Example file of the main job: it turns CRM rows into sent invoices. */
export const MAIN_JOB = 'crm-invoices.json';

/** Example file that records the payment of an invoice of the main job. */
export const PAID_JOB = 'invoice-paid.json';

const PACKAGE_PREFIX = 'n8n-nodes-payment-platform.';
const DATA_TABLE = 'n8n-nodes-base.dataTable';

/** Lists the file names of all examples. */
export const exampleFiles = (): string[] => readdirSync(examplesFolder).filter((name) => name.endsWith('.json'));

/** Values of the n8n that imports examples. */
export interface ImportValues {
  /** Prefix of the package's node types. */
  typePrefix: string;
  credential: { id: string; name: string };
  /** The Data Tables. An example names each of its tables. */
  tables: Pick<DataTables, 'idOf'>;
}

/** Returns an example that is ready to run: with the host's node type prefix, a credential and its Data Tables. */
export function readExample(file: string, values: ImportValues): WorkflowJson {
  const workflow = JSON.parse(readFileSync(join(examplesFolder, file), 'utf8')) as WorkflowJson;
  return { ...workflow, nodes: workflow.nodes.map((node) => withValues(node, values)) };
}

function withValues(node: INode, { typePrefix, credential, tables }: ImportValues): INode {
  if (node.type === DATA_TABLE) {
    const table = node.parameters.dataTableId as INodeParameterResourceLocator;
    const dataTableId = { ...table, value: tables.idOf(table.cachedResultName ?? '') };
    return { ...node, parameters: { ...node.parameters, dataTableId } };
  }
  if (!node.type.startsWith(PACKAGE_PREFIX)) return node;
  const type = `${typePrefix}${node.type.slice(PACKAGE_PREFIX.length)}`;
  return { ...node, type, credentials: { paymentPlatformApi: credential } };
}
