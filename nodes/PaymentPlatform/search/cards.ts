import type { DateTime } from 'luxon';
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { isExpired } from '../fields/card-formats';
import { asText, objectsIn } from '../shared/objects';
import { chosenCustomer, moreOf, ownerOf, vault } from './customers';
import { id, words, type Part } from './parts';
import { METHOD_WORDS, paymentMethod } from './payment-method';
import { pick } from './pick';
import type { Entry, Picker, View } from './picker';

/**
 * Saved cards for "From List": those of the customer that is chosen in the node, or of all customers as long as none is.
 * The service shows card numbers masked only (openapi.yaml#MaskedNumber).
 */
export async function searchCards(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  const { isChosen, ...ofCustomer } = chosenCustomer(this);
  const cards: Picker = {
    ...vault,
    ...ofCustomer,
    ownWords: new Set([...['until', 'expires', 'expired', 'primary'], ...METHOD_WORDS]),
    entries: (customer, view) => cardEntries(customer, view, !isChosen),
  };
  return await pick(this, cards, search, paginationToken);
}

function cardEntries(customer: IDataObject, { now }: View, withOwner: boolean): Entry[] {
  return objectsIn(customer.billing_cards).map((card) => {
    const shown = [
      paymentMethod(card.card_type, card.card_number),
      expiry(asText(card.exp_date), now),
      words(card.primary ? 'primary' : ''),
      ...(withOwner ? ownerOf(customer) : []),
    ];
    return { id: asText(card.card_id), shown, known: [id(asText(card.card_id)), words(moreOf(customer))] };
  });
}

/** A card is good to the end of its month; the year has two digits. */
function expiry(written: string, now: DateTime): Part {
  const isOver = isExpired(written, now);
  if (isOver === undefined) return words('');
  const month = `${written.slice(0, 2)}/${written.slice(2)}`;
  return isOver ? words(`expired ${month}`) : words(`until ${month}`, 'expires');
}
