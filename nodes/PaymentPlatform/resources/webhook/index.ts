import type { Resource } from '../../model/types';
import { create } from './create';
import { getAll } from './get-all';

export const webhook: Resource = {
  value: 'webhook',
  name: 'Webhook',
  description: 'URLs that the service notifies of events',
  preselected: getAll.value,
  operations: [create, getAll],
};
