import { linkLocator } from '../../fields/kinds/link';
import { operation } from '../../model/operation';
import { status } from './status';
import * as wire from '../../wire/operations';

export const get = operation({
  value: 'get',
  name: 'Get',
  action: 'Get status of checkout payment link',
  description: 'Look up what became of a checkout link: what was paid, what is left, and every try to pay',
  request: wire.getCheckout.request,
  fields: [
    linkLocator({
      ...wire.getCheckout.path.checkoutId,
      label: 'Checkout',
      description: 'The checkout link to look up: its checkout_id, or the link itself as the customer got it',
      placeholder: 'e.g. c0ffee0000000000000000000000d001',
      linkPlaceholder: 'e.g. https://pay.example.com/checkout/c0ffee01',
      parameterNames: ['checkout_id', 'checkoutId'],
    }),
  ],
  simplified: status,
  addedBySimplify: ['paid', 'amt_paid', 'transactions_text'],
});
