import type { DateTime } from 'luxon';
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { isExpired } from '../fields/card-formats';
import { rawValue } from '../fields/value';
import { asText, objectsIn, type DataValue } from '../shared/objects';
import { personOf, vault } from './customers';
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
  const chosen = asText(rawValue({ customer_id: chosenCustomer(this) }, 'customer_id')).trim();
  const isChosen = /^[A-Za-z0-9]+$/.test(chosen);
  const cards: Picker = {
    ...vault,
    ...(isChosen && { filters: () => [`customer_id,IS,${chosen}`] }),
    ownWords: new Set([...['until', 'expires', 'expired', 'primary'], ...METHOD_WORDS]),
    entries: (customer, view) => cardEntries(customer, view, !isChosen),
  };
  return await pick(this, cards, search, paginationToken);
}

/** The customer parameter as it stands; an expression can't be resolved in the editor and counts as none. */
function chosenCustomer(context: ILoadOptionsFunctions): DataValue {
  try {
    return context.getCurrentNodeParameter('customer_id');
  } catch {
    return {};
  }
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

const ownerOf = (customer: IDataObject) => [
  words(personOf(customer) || asText(customer.customer_firm_name)),
  id(asText(customer.customer_id)),
];

/** What else a person knows of the owner. */
const moreOf = ({ customer_firm_name: firm, customer_email: email }: IDataObject) =>
  [firm, email].map(asText).join(' ');

/** A card is good to the end of its month; the year has two digits. */
function expiry(written: string, now: DateTime): Part {
  const isOver = isExpired(written, now);
  if (isOver === undefined) return words('');
  const month = `${written.slice(0, 2)}/${written.slice(2)}`;
  return isOver ? words(`expired ${month}`) : words(`until ${month}`, 'expires');
}
