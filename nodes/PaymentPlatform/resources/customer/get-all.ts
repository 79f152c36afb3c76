import { filters, sorting } from '../../fields/kinds/filters-and-sorting';
import { merchantId } from '../../fields/common';
import { operation, type KnownFields } from '../../model/operation';
import { mainCustomerFields } from './fields';
import * as wire from '../../wire/operations';

const knownFields: KnownFields<'browseCustomers'> = [
  { name: 'Company Name', value: 'customer_firm_name' },
  { name: 'Customer ID', value: 'customer_id' },
  { name: 'Email', value: 'customer_email', example: 'ana@example.com' },
  { name: 'First Name', value: 'customer_first_name' },
  { name: 'Last Name', value: 'customer_last_name' },
  { name: 'Phone', value: 'customer_phone' },
  { name: 'Record ID', value: 'rec_id' },
  { name: 'Reference ID', value: 'reference_id' },
];

export const getAll = operation({
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many customers from vault',
  description: 'Retrieve a list of customers from the vault',
  request: wire.browseCustomers.request,
  fields: [filters(wire.browseCustomers.query.filter, knownFields), sorting(wire.browseCustomers.query)],
  additional: [merchantId(wire.browseCustomers.query.merchant_id)],
  simplified: mainCustomerFields,
  list: { identity: 'customer_id', fields: knownFields },
});
