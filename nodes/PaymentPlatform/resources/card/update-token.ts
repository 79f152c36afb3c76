import { savedCard } from '../../fields/common';
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
  description: 'Replace the details that are saved under an existing card ID',
  request: { ...wire.tokenize.request, effect: 'repeatsSafely' },
  fields: [
    savedCard(wire.tokenize.body.card_id, {
      description:
        'The saved card or bank account to update: pick one of a customer, or give the card ID that a tokenize answer gave',
      required: true,
      pattern: cardIdPattern,
    }),
    ...paymentSourceFields(false),
  ],
  additional: tokenizeAdditional(),
  check: checkPaymentSource(true),
  notice: noteExpired,
  summary: () => 'Updated the saved card or bank account. Nothing was charged.',
  sameObject: 'card_id',
  lookUp: 'Updating the card once more with the same data changes nothing else.',
});
