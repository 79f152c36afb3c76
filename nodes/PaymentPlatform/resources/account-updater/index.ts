import type { Resource } from '../../model/types';
import { getAllDetails, getDetails, getResults } from './details';
import { getAll } from './get-all';
import { getSummary } from './get-summary';
import { submit } from './submit';
import { submitSaved } from './submit-saved';

export const accountUpdater: Resource = {
  value: 'accountUpdater',
  name: 'Account Updater',
  description: 'Updated card details from the card issuers',
  preselected: getSummary.value,
  operations: [submitSaved, getDetails, submit, getResults, getSummary, getAll, getAllDetails],
};
