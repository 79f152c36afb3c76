import type { Resource } from '../../pipeline/types';
import { create } from './create';

export const webhook: Resource = {
  value: 'webhook',
  name: 'Webhook',
  description: 'Addresses that the service calls when something happens',
  preselected: create.value,
  operations: [create],
};
