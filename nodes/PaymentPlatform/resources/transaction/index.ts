import type { Resource } from '../../pipeline/types';
import { refund } from './refund';

export const transaction: Resource = {
  value: 'transaction',
  name: 'Transaction',
  description: 'Captured card and ACH transactions',
  preselected: refund.value,
  operations: [refund],
};
