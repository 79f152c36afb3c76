import { text } from '../../fields/text';
import { operation } from '../../pipeline/operation';
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
    text({
      ...wire.tokenize.body.card_id,
      label: 'Card ID',
      description: 'ID of the saved card or bank account to update',
      placeholder: 'e.g. cVbF2jXW1zHbq3M0fAeLk9Rs7TuYp5Nd',
      required: true,
      pattern: cardIdPattern,
    }),
    ...paymentSourceFields(false),
  ],
  additional: tokenizeAdditional(),
  check: checkPaymentSource(true),
  note: noteExpired,
  says: () => 'Updated the saved card or bank account. Nothing was charged.',
  sameObject: 'card_id',
  lookUp: 'Updating the card once more with the same data changes nothing else.',
});
