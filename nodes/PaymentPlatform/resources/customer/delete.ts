import { customerId, merchantId } from '../../fields/common';
import { withHint } from '../../fields/with-hint';
import { operation } from '../../model/operation';
import * as wire from '../../wire/operations';

export const deleteCustomer = operation({
  value: 'delete',
  name: 'Delete',
  action: 'Delete customer',
  description:
    'Delete a customer for good, with all saved cards, addresses and subscriptions: nothing is charged any more. This can not be undone.',
  request: wire.deleteCustomer.request,
  fields: [
    withHint(
      customerId(wire.deleteCustomer.path.customer_id, {
        description:
          'Who is deleted, with all saved cards, addresses and subscriptions. This can not be undone. Search the list by name, email address or reference, or give the ID.',
      }),
      'This can not be undone: cards, addresses and subscriptions are deleted too',
    ),
  ],
  additional: [merchantId(wire.deleteCustomer.query.merchant_id)],
  present: () => ({ deleted: true }),
  summary: (_, { path }) =>
    `Deleted customer ${path.customer_id} for good, with all saved cards, addresses and subscriptions.`,
  lookUp: 'Look for the customer {customer_id} in Customer > Get Many: who is not there any more was deleted.',
});
