import type { Resource } from '../../pipeline/types';
import { create } from './create';
import { get } from './get';
import { getAll } from './get-all';

export const subscription: Resource = {
  value: 'subscription',
  name: 'Subscription',
  description: 'Recurring charges of a customer',
  preselected: get.value,
  operations: [create, get, getAll],
};
