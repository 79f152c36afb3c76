import type { Resource } from '../../model/types';
import { create } from './create';
import { get } from './get';

export const checkout: Resource = {
  value: 'checkout',
  name: 'Checkout',
  description: 'Links to a hosted page that takes a payment or saves a payment method',
  preselected: get.value,
  operations: [create, get],
};
