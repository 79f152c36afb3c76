import type { Resource } from '../../pipeline/types';
import { createTestData } from './createTestData';

export const dispute: Resource = {
  value: 'dispute',
  name: 'Dispute',
  description: 'Chargebacks and retrievals',
  operations: [createTestData],
};
