import { operation } from '../../model/operation';
import { checkPaymentSource, noteExpired, paymentSourceFields, tokenizeAdditional } from './payment-source';
import * as wire from '../../wire/operations';

export const tokenize = operation({
  value: 'tokenize',
  name: 'Tokenize',
  action: 'Tokenize and save card or bank account',
  description: 'Save a card or bank account and get a card ID for later charges',
  request: wire.tokenize.request,
  fields: paymentSourceFields(true),
  additional: tokenizeAdditional(),
  check: checkPaymentSource(),
  notice: noteExpired,
  creates: 'card_id',
  summary: () => 'Saved the card or bank account under a new card ID.',
  lookUp:
    'Nothing was charged. The card may be saved under a card ID that the node did not receive. If you tokenize again, the card may be saved twice.',
});
