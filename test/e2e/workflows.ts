import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import type { WorkflowJson } from '../../host/rest';
import { CREDENTIAL, type Host } from './host';

export const node = (name: string, type: string, parameters: object = {}, more: Partial<INode> = {}): INode => ({
  id: name.toLowerCase().replace(/\W+/g, '-'),
  name,
  type,
  typeVersion: 1,
  position: [0, 0],
  parameters: parameters as INodeParameters,
  ...more,
});

export const own = (host: Host, name: string, parameters: object, more: Partial<INode> = {}): INode =>
  node(name, `${host.n8n.typePrefix}paymentPlatform`, parameters, {
    credentials: { paymentPlatformApi: { id: host.credentialId, name: CREDENTIAL } },
    ...more,
  });

/** Connects nodes in sequence through their first outputs. */
export const inLine = (...names: string[]): WorkflowJson['connections'] =>
  Object.fromEntries(
    names
      .slice(0, -1)
      .map((name, index) => [name, { main: [[{ node: names[index + 1] ?? '', type: 'main', index: 0 }]] }]),
  );

export const rowsNodes = (rows: IDataObject[]): INode[] => [
  node('Start', 'n8n-nodes-base.manualTrigger'),
  node(
    'Data',
    'n8n-nodes-base.set',
    { mode: 'raw', jsonOutput: JSON.stringify({ rows }), options: {} },
    { typeVersion: 3.4 },
  ),
  node('Rows', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'rows', options: {} }),
];

/**
 * Builds a workflow whose webhook passes rows to a node.
 * @param batchSize number of rows per loop iteration. Defaults to all.
 */
export function calledRowsInto(path: string, rows: IDataObject[], last: INode, batchSize?: number): WorkflowJson {
  const call = { path, httpMethod: 'POST' };
  const start = node('Start', 'n8n-nodes-base.webhook', call, { typeVersion: 2, webhookId: path });
  const [, ...source] = rowsNodes(rows);
  const loop = node('Loop', 'n8n-nodes-base.splitInBatches', { batchSize, options: {} }, { typeVersion: 3 });
  const looped = {
    ...inLine('Start', 'Data', 'Rows', 'Loop'),
    Loop: { main: [[], [{ node: last.name, type: 'main' as const, index: 0 }]] },
    ...inLine(last.name, 'Loop'),
  };
  return {
    name: path,
    nodes: [start, ...source, ...(batchSize === undefined ? [] : [loop]), last],
    connections: batchSize === undefined ? inLine('Start', 'Data', 'Rows', last.name) : looped,
    settings: { executionOrder: 'v1' },
  };
}

/** Builds a workflow that passes rows to the last node. */
export function rowsInto(name: string, rows: IDataObject[], last: INode, settings: object = {}): WorkflowJson {
  const nodes = [...rowsNodes(rows), last];
  const connections = inLine(...nodes.map((one) => one.name));
  return { name, nodes, connections, settings: { executionOrder: 'v1', ...settings } };
}
