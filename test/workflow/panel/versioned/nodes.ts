import type { IExecuteFunctions, INodeType } from 'n8n-workflow';

import { nodeProperties } from '../../../../nodes/PaymentPlatform/panel/node-properties';
import { run } from '../../../../nodes/PaymentPlatform/run/run';
import type { Resource } from '../../../../nodes/PaymentPlatform/model/types';
import { PAYMENT_NODE } from '../../harness';
import { declared, released } from './resources';

const nodeOf = (name: string, resources: Resource[], versions: number[]): INodeType => ({
  description: {
    ...PAYMENT_NODE.description,
    name,
    version: versions,
    defaultVersion: Math.max(...versions),
    properties: nodeProperties(resources, versions),
  },
  async execute(this: IExecuteFunctions) {
    return await run(this, resources);
  },
});

/** Node before and after a release that adds version 1.1. */
export const BEFORE = nodeOf('before', released, [1]);
export const AFTER = nodeOf('after', declared, [1, 1.1]);
