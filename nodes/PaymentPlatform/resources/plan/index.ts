import type { Resource } from '../../model/types';
import { archive } from './archive';
import { create } from './create';
import { deletePlan } from './delete';
import { get } from './get';
import { getAll } from './get-all';
import { update } from './update';
import { upsert } from './upsert';

export const plan: Resource = {
  value: 'plan',
  name: 'Plan',
  description: 'Amount, frequency and duration of subscriptions',
  preselected: getAll.value,
  operations: [getAll, get, create, upsert, update, archive, deletePlan],
};
