import type { Resource } from '../../model/types';
import { cancel } from './cancel';
import { create } from './create';
import { get } from './get';
import { getAll } from './get-all';
import { addLabel, deleteLabel, getLabels, updateLabel } from './labels';
import { pause } from './pause';
import { resume } from './resume';
import { getAllTransactions, getTransactions } from './transactions';
import { update } from './update';

export const subscription: Resource = {
  value: 'subscription',
  name: 'Subscription',
  description: 'Recurring charges to a customer',
  preselected: get.value,
  operations: [
    ...[create, get, getAll, update, pause, resume, cancel, getTransactions, getAllTransactions],
    ...[getLabels, addLabel, updateLabel, deleteLabel],
  ],
};
