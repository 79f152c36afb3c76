import { merchantId } from '../../fields/common';
import { filters, sorting } from '../../fields/kinds/filters-and-sorting';
import { operation } from '../../model/operation';
import { knownFields, mainPlanFields, activePlan } from './fields';
import * as wire from '../../wire/operations';

const { path, query, request } = wire.getPlan;

export const get = operation({
  value: 'get',
  name: 'Get',
  action: 'Get plan',
  description:
    'Retrieve all versions of a plan by the plan code. Each active, archived or deleted version is a separate item.',
  request,
  fields: [
    activePlan(path.plan_code, {
      description:
        'Plan to retrieve. Search active plans by name, code, amount or frequency, or enter the code of any plan.',
    }),
    filters(query.filter, knownFields),
    sorting(query),
  ],
  additional: [merchantId(query.merchant_id)],
  simplified: mainPlanFields,
  list: { identity: 'plan_id', fields: knownFields },
});
