import type { Resource } from '../../model/types';
import { cancel } from './cancel';
import { getAllDetails, getDetails, getResults } from './details';
import { getAll } from './get-all';
import { getSummary } from './get-summary';
import { hold, release } from './hold';
import { submit } from './submit';
import { submitSaved } from './submit-saved';

export const accountUpdater: Resource = {
  value: 'accountUpdater',
  name: 'Account Updater',
  description: 'Updated card details from the card issuers',
  preselected: getSummary.value,
  operations: [submitSaved, getDetails, submit, getResults, getSummary, getAll, getAllDetails, cancel, hold, release],
};
