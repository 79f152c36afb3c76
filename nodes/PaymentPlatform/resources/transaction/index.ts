import type { Resource } from '../../model/types';
import { payout } from './payout';
import { refund } from './refund';
import { capture } from './capture';
import { emailReceipt } from './email-receipt';
import { get } from './get';
import { voidTransaction } from './void';
import { getAll } from './get-all';
import { recharge } from './recharge';
import { sale } from './sale';
import { authorize } from './authorize';
import { credit } from './credit';
import { force } from './force';

export const transaction: Resource = {
  value: 'transaction',
  name: 'Transaction',
  description: 'Card and ACH payments: charges, refunds and their status',
  preselected: get.value,
  operations: [
    ...[sale, authorize, capture, refund, voidTransaction, recharge, payout, get, getAll, emailReceipt],
    ...[credit, force],
  ],
};
