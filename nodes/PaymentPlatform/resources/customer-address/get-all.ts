import { merchantId } from '../../fields/common';
import { operation, type Given, type RecordOf } from '../../model/operation';
import { only } from '../../shared/objects';
import { addressOwner } from './fields';
import * as wire from '../../wire/operations';

export const getAll = operation({
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many customer addresses',
  description: 'Retrieve all shipping addresses of a customer',
  request: wire.getShippingAddresses.request,
  fields: [addressOwner(wire.getShippingAddresses.path.customer_id)],
  additional: [merchantId(wire.getShippingAddresses.query.merchant_id)],
  present: (record, { path }) => ({ customer_id: path.customer_id, ...record }),
  simplified: (record: Given<RecordOf<'getShippingAddresses'>> & { customer_id?: string }) =>
    only(record, [
      'customer_id',
      'shipping_id',
      'shipping_first_name',
      'shipping_last_name',
      'shipping_firm_name',
      'shipping_addr1',
      'shipping_city',
      'shipping_state',
      'shipping_zip',
      'primary',
    ]),
});
