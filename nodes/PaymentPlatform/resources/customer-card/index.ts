import type { Resource } from '../../model/types';
import { create } from './create';
import { deleteCard } from './delete';
import { getAll } from './get-all';
import { setPrimary } from './set-primary';
import { update } from './update';

export const customerCard: Resource = {
  value: 'customerCard',
  name: 'Customer Card',
  description: 'Cards and bank accounts saved for a customer',
  preselected: getAll.value,
  operations: [getAll, create, update, setPrimary, deleteCard],
};
