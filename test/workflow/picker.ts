import { LoadOptionsContext } from 'n8n-core';
import { Workflow, type INode, type INodeListSearchResult, type INodeParameters } from 'n8n-workflow';

import type { SearchName } from '../../nodes/PaymentPlatform/fields/searches';
import type { CredentialData } from '../credential';
import { additionalDataFor, nodeTypes, PAYMENT_NODE } from './harness';

/** Runs a list search as n8n's server does. */
export async function searchList(
  name: SearchName,
  credential: CredentialData,
  { typed, parameters = {}, token }: { typed?: string; parameters?: INodeParameters; token?: string } = {},
): Promise<INodeListSearchResult> {
  const node: INode = {
    id: 'uuid-1234',
    name: 'Temp-Node',
    type: 'paymentPlatform',
    typeVersion: 1,
    position: [0, 0],
    parameters: { resource: 'transaction', operation: 'refund', ...parameters },
    credentials: { paymentPlatformApi: { id: '1', name: 'Sandbox' } },
  };
  const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
  const own = workflow.getNode('Temp-Node') ?? node;
  const additional = { ...additionalDataFor(credential), currentNodeParameters: node.parameters };
  const context = new LoadOptionsContext(workflow, own, additional, 'parameters.pg_id');
  const method = PAYMENT_NODE.methods?.listSearch?.[name];
  if (!method) throw new Error(`The node has no ${name}`);
  return await method.call(context, typed, token);
}
