import type { Resource } from '../../model/types';
import { refund } from './refund';
import { emailReceipt } from './email-receipt';
import { get } from './get';
import { getAll } from './get-all';

export const transaction: Resource = {
  value: 'transaction',
  name: 'Transaction',
  description: 'Captured card and ACH transactions',
  preselected: get.value,
  operations: [refund, get, getAll, emailReceipt],
};
