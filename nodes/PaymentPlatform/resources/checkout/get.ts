import { linkLocator } from '../../fields/kinds/link';
import { operation } from '../../model/operation';
import { status } from './status';
import * as wire from '../../wire/operations';

export const get = operation({
  value: 'get',
  name: 'Get',
  action: 'Get status of checkout payment link',
  description: "Retrieve the status, payments and remaining amount of a checkout link. The service can't list links.",
  request: wire.getCheckout.request,
  fields: [
    linkLocator({
      ...wire.getCheckout.path.checkoutId,
      label: 'Checkout',
      description: 'Checkout to retrieve. Enter the checkout_id or the link that the customer received.',
      placeholder: 'e.g. c0ffee0000000000000000000000d001',
      linkPlaceholder: 'e.g. https://pay.example.com/checkout/c0ffee01',
      parameterNames: ['checkout_id', 'checkoutId'],
    }),
  ],
  simplified: status,
  addedBySimplify: ['paid', 'amt_paid', 'transactions_text'],
});
