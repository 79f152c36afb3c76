import type { Resource } from '../../model/types';
import { accept } from './accept';
import { createTestData } from './create-test-data';
import { getAll } from './get-all';
import { getCreditedTransactions, getNonDisputedTransactions, getResponse } from './related';
import { respond } from './respond';
import { reset } from './reset';

export const dispute: Resource = {
  value: 'dispute',
  name: 'Dispute',
  description: 'Chargebacks and retrieval requests',
  preselected: getAll.value,
  operations: [
    getAll,
    accept,
    respond,
    getResponse,
    getCreditedTransactions,
    getNonDisputedTransactions,
    reset,
    createTestData,
  ],
};
