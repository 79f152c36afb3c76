import type { Resource } from '../../model/types';
import { create } from './create';
import { getAll } from './get-all';

export const webhook: Resource = {
  value: 'webhook',
  name: 'Webhook',
  description: 'Addresses that the service calls when something happens',
  preselected: getAll.value,
  operations: [create, getAll],
};
