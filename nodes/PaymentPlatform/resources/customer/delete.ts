import { customerId, merchantId } from '../../fields/common';
import { withHint } from '../../fields/bounds';
import { operation } from '../../model/operation';
import * as wire from '../../wire/operations';

export const deleteCustomer = operation({
  value: 'delete',
  name: 'Delete',
  action: 'Delete customer',
  description:
    "Delete a customer permanently, with all saved cards, addresses and subscriptions. This can't be undone.",
  request: wire.deleteCustomer.request,
  fields: [
    withHint(
      customerId(wire.deleteCustomer.path.customer_id, {
        description: 'Customer to delete. Search by name, email address or reference, or enter the ID.',
      }),
      "This can't be undone. Cards, addresses and subscriptions are deleted too.",
    ),
  ],
  additional: [merchantId(wire.deleteCustomer.query.merchant_id)],
  present: () => ({ deleted: true }),
  summary: (_, { path }) => `Deleted customer ${path.customer_id} with all saved cards, addresses and subscriptions.`,
  lookUp:
    'Look for customer {customer_id} in Customer > Get Many. If the customer is not listed, the customer was deleted.',
});
