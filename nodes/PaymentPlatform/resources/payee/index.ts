import type { Resource } from '../../pipeline/types';
import { deletePayee } from './delete';
import { updateAccount } from './update-account';

export const payee: Resource = {
  value: 'payee',
  name: 'Payee',
  description: 'People and companies that are paid by ACH',
  preselected: updateAccount.value,
  operations: [updateAccount, deletePayee],
};
