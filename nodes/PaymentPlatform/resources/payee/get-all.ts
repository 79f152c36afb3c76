import { merchantId } from '../../fields/common';
import { filters, sorting } from '../../fields/kinds/filters-and-sorting';
import { operation, type KnownFields } from '../../model/operation';
import * as wire from '../../wire/operations';

const { query, request } = wire.browsePayees;

const knownFields: KnownFields<'browsePayees'> = [
  { name: 'Email', value: 'payee_email', example: 'ana@example.com' },
  { name: 'Name', value: 'payee_name' },
  { name: 'Payee ID', value: 'payee_id' },
  { name: 'Phone', value: 'payee_phone' },
];

export const getAll = operation({
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many payees',
  description: 'Retrieve a list of payees with their addresses and masked bank accounts',
  request,
  fields: [filters(query.filter, knownFields), sorting(query)],
  additional: [merchantId(query.merchant_id)],
  needsSupport: 'Support must enable payees for your account.',
  list: { identity: 'payee_id', fields: knownFields },
});
