import type { Resource } from '../../model/types';
import { getSettlements } from './get-settlements';
import { getTransactions } from './get-transactions';

export const report: Resource = {
  value: 'report',
  name: 'Report',
  description: 'Transactions and settled batches',
  preselected: getTransactions.value,
  operations: [getTransactions, getSettlements],
};
