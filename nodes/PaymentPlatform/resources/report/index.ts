import type { Resource } from '../../model/types';
import { getBatches } from './get-batches';
import { getSettlements } from './get-settlements';
import { getTransactions } from './get-transactions';

export const report: Resource = {
  value: 'report',
  name: 'Report',
  description: 'Transactions, batches and settlements',
  preselected: getTransactions.value,
  operations: [getTransactions, getBatches, getSettlements],
};
