import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';

import { nodeProperties } from './pipeline/description';
import { resources } from './resources';
import { listSearch } from './search';
import { SECRET_OUTPUT } from './wire/marks';

export class PaymentPlatform implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Payment Platform',
    name: 'paymentPlatform',
    icon: { light: 'file:../../icons/payment-platform.svg', dark: 'file:../../icons/payment-platform.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Tokenize, refund, invoice and report with a card and ACH payment service',
    defaults: { name: 'Payment Platform' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'paymentPlatformApi', required: true }],
    properties: nodeProperties(resources),
    sensitiveOutputFields: [...SECRET_OUTPUT],
  };

  methods = { listSearch };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    // n8n loads all nodes when it starts: what only a run needs is loaded with the first one.
    const { run } = await import('./pipeline/run');
    return await run(this, resources);
  }
}
