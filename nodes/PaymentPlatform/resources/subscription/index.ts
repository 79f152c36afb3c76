import type { Resource } from '../../pipeline/types';
import { create } from './create';

export const subscription: Resource = {
  value: 'subscription',
  name: 'Subscription',
  description: 'Recurring charges of a customer',
  preselected: create.value,
  operations: [create],
};
