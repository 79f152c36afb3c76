import type { Resource } from '../../model/types';
import { getAll } from './get-all';
import { getSummary } from './get-summary';
import { submit } from './submit';

export const accountUpdater: Resource = {
  value: 'accountUpdater',
  name: 'Account Updater',
  description: 'Updated card details from the card issuers',
  preselected: getSummary.value,
  operations: [submit, getSummary, getAll],
};
