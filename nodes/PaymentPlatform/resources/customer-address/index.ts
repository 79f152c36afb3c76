import type { Resource } from '../../model/types';
import { create } from './create';
import { deleteAddress } from './delete';
import { getAll } from './get-all';
import { setPrimary } from './set-primary';
import { update } from './update';

export const customerAddress: Resource = {
  value: 'customerAddress',
  name: 'Customer Address',
  description: 'Shipping addresses saved for a customer',
  preselected: getAll.value,
  operations: [getAll, create, update, setPrimary, deleteAddress],
};
