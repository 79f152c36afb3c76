import { merchantId } from '../../fields/common';
import { filters, sorting } from '../../fields/kinds/filters-and-sorting';
import { operation } from '../../model/operation';
import { knownFields, mainPlanFields } from './fields';
import * as wire from '../../wire/operations';

const { query, request } = wire.browsePlans;

export const getAll = operation({
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many plans',
  description: 'Retrieve a list of active, archived and deleted plans',
  request,
  fields: [filters(query.filter, knownFields), sorting(query)],
  additional: [merchantId(query.merchant_id)],
  simplified: mainPlanFields,
  list: { identity: 'plan_id', fields: knownFields },
});
