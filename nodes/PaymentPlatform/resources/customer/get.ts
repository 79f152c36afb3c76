import { customerId, merchantId } from '../../fields/common';
import { operation } from '../../model/operation';
import { mainCustomerFields } from './fields';
import * as wire from '../../wire/operations';

export const get = operation({
  value: 'get',
  name: 'Get',
  action: 'Get customer',
  description: "Retrieve a customer's contact details and primary card number",
  request: wire.getCustomer.request,
  fields: [
    customerId(wire.getCustomer.path.customer_id, {
      description: 'Customer to retrieve. Search by name, email address, phone number or reference, or enter the ID.',
    }),
  ],
  additional: [merchantId(wire.getCustomer.query.merchant_id)],
  simplified: mainCustomerFields,
});
