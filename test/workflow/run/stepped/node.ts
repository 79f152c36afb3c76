import type { IExecuteFunctions, INodeType } from 'n8n-workflow';

import { nodeProperties } from '../../../../nodes/PaymentPlatform/panel/node-properties';
import { run } from '../../../../nodes/PaymentPlatform/run/run';
import { PAYMENT_NODE } from '../../harness';
import { stepped } from './operations';

/** Payment node with test operations that send several requests per item. */
export const STEPPED_NODE: INodeType = {
  description: { ...PAYMENT_NODE.description, name: 'stepped', properties: nodeProperties([stepped]) },
  async execute(this: IExecuteFunctions) {
    return await run(this, [stepped]);
  },
};
