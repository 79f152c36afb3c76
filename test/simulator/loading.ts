import { createRequire } from 'node:module';

import type axiosModule from 'axios';

import type * as node from '../../nodes/PaymentPlatform/PaymentPlatform.node';

const load = createRequire(__filename);
const network = load.resolve('@n8n/backend-network', { paths: [load.resolve('n8n-core')] });

/** Copy of axios that n8n-core uses for requests. */
export const axios = load(load.resolve('axios', { paths: [network] })) as typeof axiosModule;

// Uses the full file name, because Node.js would otherwise load the JSON file of the same name.
export const { PaymentPlatform } = load('../../nodes/PaymentPlatform/PaymentPlatform.node.ts') as typeof node;
