import type { Resource } from '../../model/types';
import { refund } from './refund';
import { emailReceipt } from './email-receipt';
import { get } from './get';
import { getAll } from './get-all';
import { sale } from './sale';

export const transaction: Resource = {
  value: 'transaction',
  name: 'Transaction',
  description: 'Card and ACH payments: charges, refunds and their status',
  preselected: get.value,
  operations: [sale, refund, get, getAll, emailReceipt],
};
