import type { Resource } from '../../model/types';
import { create } from './create';
import { deletePayee } from './delete';
import { get } from './get';
import { getAll } from './get-all';
import { update } from './update';
import { updateAccount } from './update-account';

export const payee: Resource = {
  value: 'payee',
  name: 'Payee',
  description: 'People and companies you pay by ACH',
  preselected: get.value,
  operations: [create, updateAccount, update, get, getAll, deletePayee],
};
