import type { Resource } from '../../model/types';
import { refund } from './refund';
import { get } from './get';

export const transaction: Resource = {
  value: 'transaction',
  name: 'Transaction',
  description: 'Captured card and ACH transactions',
  preselected: get.value,
  operations: [refund, get],
};
