import type { Resource } from '../../pipeline/types';
import { cancel } from './cancel';
import { create } from './create';
import { get } from './get';
import { getAll } from './get-all';
import { pause } from './pause';
import { resume } from './resume';

export const subscription: Resource = {
  value: 'subscription',
  name: 'Subscription',
  description: 'Recurring charges of a customer',
  preselected: get.value,
  operations: [create, get, getAll, pause, resume, cancel],
};
