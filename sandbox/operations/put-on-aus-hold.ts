import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { invalidFields } from '../core/refusals';
import { findVaultCustomer } from '../rules/customers';
import { platformMerchant } from '../rules/merchants';
import { savedSource } from '../rules/updater';
import type { Environment } from '../state/environment';

export const putOnAusHold: Handler<'putOnAusHold'> = ({ environment, body }) => {
  for (const card of cardsOf(environment, body)) environment.heldCards.add(card);
  return success({});
};

export const releaseFromAusHold: Handler<'releaseFromAusHold'> = ({ environment, body }) => {
  for (const card of cardsOf(environment, body)) environment.heldCards.delete(card);
  return success({});
};

function cardsOf(
  environment: Environment,
  { card_id, customer_id = '', merchant_id }: { card_id?: string; customer_id?: string; merchant_id?: number },
): string[] {
  if (card_id === undefined)
    return findVaultCustomer(environment, customer_id, merchant_id).billing_cards.map((card) => card.card_id);
  const merchant = platformMerchant(environment, merchant_id);
  if (!savedSource(environment, merchant, card_id)) throw invalidFields({ card_id: 'is not known' });
  return [card_id];
}
