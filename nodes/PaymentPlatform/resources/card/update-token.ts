import { tokenizedCard } from '../../fields/common';
import { operation } from '../../model/operation';
import {
  cardIdPattern,
  checkPaymentSource,
  noteExpired,
  paymentSourceFields,
  tokenizeAdditional,
} from './payment-source';
import * as wire from '../../wire/operations';

export const updateToken = operation({
  value: 'updateToken',
  name: 'Update Token',
  action: 'Update saved card or bank account',
  description: 'Replace the details of a saved card or bank account',
  request: { ...wire.tokenize.request, effect: 'repeatsSafely' },
  fields: [
    tokenizedCard(wire.tokenize.body.card_id, {
      description: 'Card ID to update, as returned by Card > Tokenize',
      required: true,
      pattern: cardIdPattern,
    }),
    ...paymentSourceFields(false),
  ],
  additional: tokenizeAdditional(),
  check: checkPaymentSource({ optional: true }),
  notice: noteExpired,
  summary: () => 'Updated the saved card or bank account.',
  sameObject: 'card_id',
  lookUp: 'Repeating the same update has no further effect.',
});
