import type { IDataObject } from 'n8n-workflow';

import { N8nRest } from '../../host/rest';
import { sandboxCredentials } from '../../sandbox/state/environment';
import { inLine, node } from '../e2e/workflows';
import { demo } from './demo';

const TYPE = 'n8n-nodes-payment-platform.paymentPlatform';
const DISTANCE = 200;

export function values() {
  const { merchantId, apiKey } = sandboxCredentials('test');
  return { environment: 'test', baseUrl: `${demo().service}test`, merchantId, authMethod: 'apiKey', apiKey };
}

export interface NodeToTest {
  name: string;
  parameters: IDataObject;
}

/** @param rows code of n8n's Code node that returns the input items. By default, each node receives an empty item. */
export async function saveNodes(name: string, tested: readonly NodeToTest[], rows?: string): Promise<string> {
  const { origin } = new URL(demo().crmWorkflow);
  const rest = new N8nRest(origin);
  await rest.signIn(demo().password);
  const credentials = { paymentPlatformApi: { id: await rest.saveCredential(name, values()), name } };
  const nodes = tested.map(({ name: nodeName, parameters }, index) =>
    node(nodeName, TYPE, parameters, { credentials, position: [300, index * DISTANCE] }),
  );
  const stripe = node('Stripe', 'n8n-nodes-base.stripe', { resource: 'charge', operation: 'create' });
  const code = node('Rows', 'n8n-nodes-base.code', { jsCode: rows }, { typeVersion: 2, position: [150, 0] });
  const toNodes = { main: [nodes.map((one) => ({ node: one.name, type: 'main' as const, index: 0 }))] };
  const workflow = await rest.saveWorkflow({
    name,
    nodes: [
      node('Start', 'n8n-nodes-base.manualTrigger'),
      ...(rows === undefined ? [] : [code]),
      ...nodes,
      { ...stripe, position: [300, nodes.length * DISTANCE] },
    ],
    connections: rows === undefined ? { Start: toNodes } : { ...inLine('Start', 'Rows'), Rows: toNodes },
    settings: {},
  });
  return `${origin}/workflow/${workflow}`;
}
