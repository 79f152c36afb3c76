import { linkLocator } from '../../fields/link';
import type { Operation } from '../../pipeline/types';
import { status } from './status';

export const get: Operation = {
  value: 'get',
  name: 'Get',
  action: 'Get a checkout link',
  description: 'Look up what became of a checkout link: what was paid, what is left, and every try to pay',
  request: {
    method: 'GET',
    path: '/platform/checkout/{checkoutId}',
    family: 'platform',
    effect: 'reads',
    operationId: 'getCheckout',
  },
  fields: [
    linkLocator({
      name: 'checkoutId',
      label: 'Checkout',
      description: 'The checkout link to look up: its checkout_id, or the link itself as the customer got it',
      placeholder: 'e.g. c0ffee0000000000000000000000d001',
      linkPlaceholder: 'e.g. https://pay.example.com/checkout/c0ffee01',
      parameterNames: ['checkout_id', 'checkoutId'],
      place: 'path',
      required: true,
      pattern: {
        matches: /^[A-Za-z0-9_-]{1,32}$/,
        allowed: 'must be a checkout_id of at most 32 letters and digits, or a checkout link',
      },
    }),
  ],
  summarize: status,
  simplified: [
    'checkout_id',
    'purchase_id',
    'customer_id',
    'paid',
    'amt_tran',
    'amt_paid',
    'amt_balance',
    'tran_currency',
    'expiry_time',
    'transactions',
  ],
};
