import type { Resource } from '../../model/types';
import { create } from './create';
import { deleteCustomer } from './delete';
import { get } from './get';
import { getAll } from './get-all';
import { update } from './update';
import { upsert } from './upsert';

export const customer: Resource = {
  value: 'customer',
  name: 'Customer',
  description: 'Customers in the vault, with their cards and addresses',
  preselected: getAll.value,
  operations: [getAll, get, create, upsert, update, deleteCustomer],
};
