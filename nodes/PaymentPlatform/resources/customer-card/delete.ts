import { merchantId } from '../../fields/common';
import { withHint } from '../../fields/bounds';
import { operation } from '../../model/operation';
import { cardOfCustomer, cardOwner } from './fields';
import * as wire from '../../wire/operations';

const { body, path } = wire.deleteBillingCard;

export const deleteCard = operation({
  value: 'delete',
  name: 'Delete',
  action: 'Delete customer card',
  description:
    "Delete a card or bank account permanently. This can't be undone. You can't delete a payment method that an active subscription uses.",
  request: wire.deleteBillingCard.request,
  fields: [cardOwner(path.customer_id), withHint(cardOfCustomer(body.card_id), "This can't be undone")],
  additional: [merchantId(body.merchant_id)],
  present: (_, values) => ({ card_id: values.body.card_id, deleted: true }),
  summary: (_, values) => `Deleted a saved card of customer ${values.path.customer_id} permanently.`,
  refusals: [
    {
      pattern: /active subscription/i,
      what: 'An active subscription uses this card',
      advice: 'Assign another card to the subscription or cancel the subscription, and then delete the card.',
    },
    {
      pattern: /"?card_id"?.*not belong/i,
      what: 'The customer has no saved card with this ID',
      advice: 'Select the customer first, and then choose the card from the list.',
    },
  ],
  lookUp:
    'Check the cards of customer {customer_id} in Customer Card > Get Many. If the card is not listed, it was deleted.',
});
