import type { Resource } from '../../pipeline/types';
import { create } from './create';
import { get } from './get';

export const subscription: Resource = {
  value: 'subscription',
  name: 'Subscription',
  description: 'Recurring charges of a customer',
  preselected: get.value,
  operations: [create, get],
};
