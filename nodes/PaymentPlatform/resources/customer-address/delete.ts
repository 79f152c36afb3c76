import { merchantId } from '../../fields/common';
import { withHint } from '../../fields/bounds';
import { operation } from '../../model/operation';
import { addressOwner, shippingId } from './fields';
import * as wire from '../../wire/operations';

const { path, query } = wire.deleteShippingAddress;

export const deleteAddress = operation({
  value: 'delete',
  name: 'Delete',
  action: 'Delete customer address',
  description: "Delete a shipping address permanently. This can't be undone.",
  request: wire.deleteShippingAddress.request,
  fields: [addressOwner(path.customer_id), withHint(shippingId(path.id, 'delete'), "This can't be undone")],
  additional: [merchantId(query.merchant_id)],
  present: () => ({ deleted: true }),
  summary: (_, values) => `Deleted a shipping address of customer ${values.path.customer_id} permanently.`,
  lookUp:
    'Check the addresses of customer {customer_id} in Customer Address > Get Many. If the address is not listed, it was deleted.',
});
