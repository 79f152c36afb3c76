import { createRequire } from 'node:module';

import type axiosModule from 'axios';

import type * as node from '../../nodes/PaymentPlatform/PaymentPlatform.node';

const load = createRequire(__filename);
const network = load.resolve('@n8n/backend-network', { paths: [load.resolve('n8n-core')] });

/** The copy of axios by which n8n-core makes its requests, not the one of this package. */
export const axios = load(load.resolve('axios', { paths: [network] })) as typeof axiosModule;

// Under this name Node.js itself would find the JSON file beside it.
export const { PaymentPlatform } = load('../../nodes/PaymentPlatform/PaymentPlatform.node.ts') as typeof node;
