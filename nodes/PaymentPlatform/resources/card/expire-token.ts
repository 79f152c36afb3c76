import { withHint } from '../../fields/bounds';
import { gatewayFields, tokenizedCard } from '../../fields/common';
import { operation } from '../../model/operation';
import { cardIdPattern } from './payment-source';
import * as wire from '../../wire/operations';

const { body, request } = wire.expireToken;

/** No list of the service contains the IDs of cards without a customer, so the node can't look up the outcome. */
export const expireToken = operation({
  value: 'expireToken',
  name: 'Expire Token',
  action: 'Expire token of saved card',
  description: 'Invalidate a card ID permanently, so that new payments can no longer use the ID',
  request,
  fields: [
    withHint(
      tokenizedCard(body.card_id, {
        description: 'Card ID to invalidate, as returned by Card > Tokenize. Workflows that use this ID can fail.',
        required: true,
        pattern: cardIdPattern,
      }),
      "This can't be undone",
    ),
  ],
  additional: gatewayFields(body),
  summary: () => 'Expired the card ID, so the service accepts no new payments with this ID.',
  refusals: [
    {
      pattern: /\b(?:unknown|invalid|expired|not found|no such)\b/i,
      what: 'No active card has this ID. The ID may already have expired',
      advice: 'If the ID is correct, no action is needed, because no active card has this ID.',
    },
  ],
  lookUp:
    "No list shows whether a card ID expired, so the node can't look up the outcome. Running the item again is safe, because the service refuses an expired card ID.",
});
