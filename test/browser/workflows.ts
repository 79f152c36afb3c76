import type { IDataObject } from 'n8n-workflow';

import { N8nRest } from '../../host/rest';
import { sandboxCredentials } from '../../sandbox/state/environment';
import { node } from '../e2e/workflows';
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

export async function saveNodes(name: string, tested: readonly NodeToTest[]): Promise<string> {
  const { origin } = new URL(demo().crmWorkflow);
  const rest = new N8nRest(origin);
  await rest.signIn(demo().password);
  const credentials = { paymentPlatformApi: { id: await rest.saveCredential(name, values()), name } };
  const nodes = tested.map(({ name: nodeName, parameters }, index) =>
    node(nodeName, TYPE, parameters, { credentials, position: [300, index * DISTANCE] }),
  );
  const stripe = node('Stripe', 'n8n-nodes-base.stripe', { resource: 'charge', operation: 'create' });
  const workflow = await rest.saveWorkflow({
    name,
    nodes: [
      node('Start', 'n8n-nodes-base.manualTrigger'),
      ...nodes,
      { ...stripe, position: [300, nodes.length * DISTANCE] },
    ],
    connections: { Start: { main: [nodes.map((one) => ({ node: one.name, type: 'main', index: 0 }))] } },
    settings: {},
  });
  return `${origin}/workflow/${workflow}`;
}

export async function createCheckout(): Promise<string> {
  const response = await fetch(`${values().baseUrl}/platform/checkout`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${sandboxCredentials('test').token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ amt_tran: 25, customer_id: 'CUST0001', checkout_profile_id: 3001 }),
  });
  const { data } = (await response.json()) as { data: { checkout_link: string } };
  return data.checkout_link;
}
