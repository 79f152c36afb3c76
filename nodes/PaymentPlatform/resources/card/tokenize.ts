import type { Operation } from '../../pipeline/types';
import { checkPaymentSource, paymentSourceFields, tokenizeAdditional } from './payment-source';

export const tokenize: Operation = {
  value: 'tokenize',
  name: 'Tokenize',
  action: 'Tokenize a card or bank account',
  description: 'Save a card or bank account under a new card ID that can be charged later',
  request: {
    method: 'POST',
    path: '/pg/tokenize',
    family: 'gateway',
    effect: 'writesOnce',
    operationId: 'tokenize',
    merchant: { place: 'body', name: 'merchant_id' },
  },
  fields: paymentSourceFields(),
  additional: tokenizeAdditional(),
  check: checkPaymentSource(false),
  lookUp:
    'Nothing was charged. The card may be stored under a card ID that did not arrive; tokenizing once more stores it a second time.',
};
