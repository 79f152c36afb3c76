import type { Resource } from '../../pipeline/types';
import { getSettlements } from './getSettlements';
import { getTransactions } from './getTransactions';

export const report: Resource = {
  value: 'report',
  name: 'Report',
  description: 'Transactions and settled batches',
  operations: [getTransactions, getSettlements],
};
