import { operation } from '../../model/operation';
import { newAddressFacts } from '../customer/shipping-address';
import { addressFields, addressOwner } from './fields';
import { addedAddress, mainAddressFields } from './saved';
import * as wire from '../../wire/operations';

const { path } = wire.addShippingAddress;
const { fields, more } = addressFields(newAddressFacts);

export const create = operation({
  value: 'create',
  name: 'Add',
  action: 'Add customer address',
  description: 'Save a shipping address for a customer',
  request: wire.addShippingAddress.request,
  fields: [addressOwner(path.customer_id), ...fields],
  additional: more,
  present: (record, values) => ({ ...record, ...addedAddress(record, values.body) }),
  simplified: mainAddressFields,
  addedBySimplify: ['shipping_id'],
  summary: (_, values) => `Saved a shipping address for customer ${values.path.customer_id}.`,
  lookUp:
    'Check the addresses of customer {customer_id} in Customer Address > Get Many. If you add the address again, the service may save a duplicate.',
});
