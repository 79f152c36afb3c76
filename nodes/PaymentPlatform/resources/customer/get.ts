import { customerId, merchantId } from '../../fields/common';
import { operation } from '../../model/operation';
import { mainFields } from './fields';
import * as wire from '../../wire/operations';

export const get = operation({
  value: 'get',
  name: 'Get',
  action: 'Get customer',
  description: 'Look up one customer of the vault: names, saved cards and shipping addresses',
  request: wire.getCustomer.request,
  fields: [
    customerId(wire.getCustomer.path.customer_id, {
      description: 'Search the list by name, email address, phone number or reference, or give the ID of the customer',
    }),
  ],
  additional: [merchantId(wire.getCustomer.query.merchant_id)],
  simplified: mainFields,
});
