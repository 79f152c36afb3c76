import { merchantId } from '../../fields/common';
import { operation } from '../../model/operation';
import { addressOwner, shippingId } from './fields';
import { mainAddressFields } from './saved';
import * as wire from '../../wire/operations';

const { body, path } = wire.setPrimaryShippingAddress;

export const setPrimary = operation({
  value: 'setPrimary',
  name: 'Set Primary',
  action: 'Set primary customer address',
  description: 'Set the primary shipping address of a customer',
  request: wire.setPrimaryShippingAddress.request,
  fields: [addressOwner(path.customer_id), shippingId(body.shipping_id, 'use by default')],
  additional: [merchantId(body.merchant_id)],
  simplified: mainAddressFields,
  summary: (_, values) => `Changed the primary shipping address of customer ${values.path.customer_id}.`,
  lookUp: 'Setting the same address again has no further effect.',
});
