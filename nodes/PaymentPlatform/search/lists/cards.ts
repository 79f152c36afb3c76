import type { DateTime } from 'luxon';
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { isExpired } from '../../fields/kinds/card';
import { asText, objectsIn } from '../../shared/objects';
import { chosenRecord } from '../engine/linked';
import { chosenCustomer, moreOf, ofCustomer, ownerParts, vault } from './customers';
import { id, words, type Part } from '../engine/line-parts';
import { METHOD_WORDS, paymentMethodPart } from '../engine/payment-method';
import { searchList } from '../engine/list-search';
import type { ListEntry, Picker, View } from '../engine/picker';
import { ListService } from '../engine/service';

/**
 * Limited to the selected customer or subscription, if any. The service returns only masked card numbers
 * (openapi.yaml#MaskedNumber).
 */
export async function searchCards(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  const chosen = chosenCustomer(this);
  const { isChosen, ...filters } = chosen.isChosen ? chosen : ofCustomer(await customerOfSubscription(this));
  const cards: Picker = {
    ...vault,
    ...filters,
    ownWords: new Set([...['until', 'expires', 'expired', 'primary'], ...METHOD_WORDS]),
    entries: (customer, view) => cardEntries(customer, view, !isChosen),
  };
  return await searchList(this, cards, search, paginationToken);
}

/** If the node can't read the subscription, the list shows the cards of all customers. */
async function customerOfSubscription(context: ILoadOptionsFunctions): Promise<string | undefined> {
  const subscription = chosenRecord(context, 'subscription_id');
  if (subscription === undefined) return undefined;
  const picker: Picker = {
    ...{ of: 'subscriptions', path: '/platform/subscription', identity: 'subscription_id', add: '' },
    filters: () => [`subscription_id,IS,${subscription}`],
    searched: { words: [] },
    entries: () => [],
  };
  const read = await (await ListService.open(context, picker)).page(0, 1);
  const customer = 'records' in read ? asText(read.records[0]?.customer_id) : '';
  return customer === '' ? undefined : customer;
}

function cardEntries(customer: IDataObject, { now }: View, withOwner: boolean): ListEntry[] {
  return objectsIn(customer.billing_cards).map((card) => {
    const shown = [
      paymentMethodPart(card.card_type, card.card_number),
      expiry(asText(card.exp_date), now),
      words(card.primary ? 'primary' : ''),
      ...(withOwner ? ownerParts(customer) : []),
    ];
    return { id: asText(card.card_id), shown, known: [id(asText(card.card_id)), words(moreOf(customer))] };
  });
}

/** A card is valid until the end of its expiration month. */
function expiry(written: string, now: DateTime): Part {
  const isOver = isExpired(written, now);
  if (isOver === undefined) return words('');
  const month = `${written.slice(0, 2)}/${written.slice(2)}`;
  return isOver ? words(`expired ${month}`) : words(`until ${month}`, 'expires');
}
