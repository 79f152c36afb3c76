import type { Resource } from '../../model/types';
import { close } from './close';

export const batch: Resource = {
  value: 'batch',
  name: 'Batch',
  description: 'Captured transactions that settle together',
  preselected: close.value,
  operations: [close],
};
