import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode, INodeParameterResourceLocator } from 'n8n-workflow';

import { examplesFolder } from './paths';
import type { WorkflowJson } from './rest';
import { TABLE_NAMES, type DataTables } from './tables';

/** Example that converts CRM rows to invoices and sends them. */
export const MAIN_JOB = 'crm-invoices.json';

/** Example that records the payment of a sent invoice. */
export const PAID_JOB = 'invoice-paid.json';

const PACKAGE_PREFIX = 'n8n-nodes-payment-platform.';
const DATA_TABLE = 'n8n-nodes-base.dataTable';
const NOTE = 'n8n-nodes-base.stickyNote';
/** Link to the sandbox on its usual port in the notes of the examples. */
const SANDBOX_LINK = 'http://127.0.0.1:4010/';
/** Name of a Data Table in a note. */
const TABLE_NAME = new RegExp(`_(${TABLE_NAMES.join('|')})_`, 'g');

export const exampleFiles = (): string[] => readdirSync(examplesFolder).filter((name) => name.endsWith('.json'));

/** Replacements for the placeholders of an example. */
export interface ImportValues {
  typePrefix: string;
  credential: { id: string; name: string };
  tables: Pick<DataTables, 'idOf' | 'pageOf'>;
  /** Address of the sandbox's page, if the sandbox doesn't use its usual port. */
  sandbox?: string;
}

export function readExample(file: string, values: ImportValues): WorkflowJson {
  const workflow = JSON.parse(readFileSync(join(examplesFolder, file), 'utf8')) as WorkflowJson;
  return { ...workflow, nodes: workflow.nodes.map((node) => withValues(node, values)) };
}

function withValues(node: INode, { typePrefix, credential, tables, sandbox = SANDBOX_LINK }: ImportValues): INode {
  if (node.type === NOTE) {
    const content = (node.parameters.content as string)
      .replaceAll(SANDBOX_LINK, sandbox)
      .replace(TABLE_NAME, (_text, name: string) => `[${name}](${tables.pageOf(name)})`);
    return { ...node, parameters: { ...node.parameters, content } };
  }
  if (node.type === DATA_TABLE) {
    const table = node.parameters.dataTableId as INodeParameterResourceLocator;
    const dataTableId = { ...table, value: tables.idOf(table.cachedResultName ?? '') };
    return { ...node, parameters: { ...node.parameters, dataTableId } };
  }
  if (!node.type.startsWith(PACKAGE_PREFIX)) return node;
  const type = `${typePrefix}${node.type.slice(PACKAGE_PREFIX.length)}`;
  return { ...node, type, credentials: { paymentPlatformApi: credential } };
}
