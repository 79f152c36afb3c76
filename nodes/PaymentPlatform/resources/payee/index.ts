import type { Resource } from '../../model/types';
import { deletePayee } from './delete';
import { get } from './get';
import { updateAccount } from './update-account';

export const payee: Resource = {
  value: 'payee',
  name: 'Payee',
  description: 'People and companies you pay by ACH',
  preselected: get.value,
  operations: [updateAccount, get, deletePayee],
};
