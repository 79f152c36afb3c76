import type { Resource } from '../../model/types';
import { createTestData } from './create-test-data';

export const dispute: Resource = {
  value: 'dispute',
  name: 'Dispute',
  description: 'Chargebacks and retrieval requests',
  preselected: createTestData.value,
  operations: [createTestData],
};
