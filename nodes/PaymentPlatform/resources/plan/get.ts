import { merchantId } from '../../fields/common';
import { filters, sorting } from '../../fields/kinds/filters-and-sorting';
import { operation } from '../../model/operation';
import { knownFields, mainFields, plan } from './fields';
import * as wire from '../../wire/operations';

const { path, query, request } = wire.getPlan;

export const get = operation({
  value: 'get',
  name: 'Get',
  action: 'Get plan',
  description:
    'Look up a plan by its code. Each version of it is an item: the active one, and those that are archived or deleted. Filter by status to get one kind.',
  request,
  fields: [
    plan(path.plan_code, {
      description:
        'Search the list of active plans by name, code, amount or frequency, or give the code of any plan, active or not',
    }),
    filters(query.filter, knownFields),
    sorting(query, knownFields),
  ],
  additional: [merchantId(query.merchant_id)],
  simplified: mainFields,
  list: { identity: 'plan_id', fields: knownFields },
});
