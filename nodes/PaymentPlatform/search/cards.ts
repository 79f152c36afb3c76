import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { rawValue } from '../fields/value';
import { asText, objectsIn, type DataValue } from '../shared/objects';
import { customerName, CUSTOMERS } from './customers';
import { searchPage } from './page';

/**
 * Saved cards for "From List": those of the customer that is chosen in the node, or of all customers as long as none is.
 * The service shows card numbers masked only (openapi.yaml#MaskedNumber).
 */
export async function searchCards(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  const customerId = asText(rawValue({ customer_id: chosenCustomer(this) }, 'customer_id')).trim();
  const chosen = /^[A-Za-z0-9]+$/.test(customerId);
  const words = search?.toLowerCase().trim() ?? '';
  const { results, ...rest } = await searchPage(
    this,
    {
      path: CUSTOMERS,
      ...(chosen && { filters: [`customer_id,IS,${customerId}`] }),
      searched: [],
      entries: (customer) => cardsOf(customer, !chosen),
    },
    undefined,
    paginationToken,
  );
  return { ...rest, results: results.filter(({ name }) => name.toLowerCase().includes(words)) };
}

/** The customer parameter as it stands; an expression can't be resolved in the editor and counts as none. */
function chosenCustomer(context: ILoadOptionsFunctions): DataValue {
  try {
    return context.getCurrentNodeParameter('customer_id');
  } catch {
    return {};
  }
}

function cardsOf(customer: IDataObject, withName: boolean) {
  return objectsIn(customer.billing_cards).map((card) => {
    const parts = [
      asText(card.card_type),
      asText(card.card_number),
      asText(card.exp_date),
      card.primary ? 'primary' : '',
    ];
    const name = parts.filter(Boolean).join(' ');
    return { name: withName ? `${name}, ${customerName(customer)}` : name, value: asText(card.card_id) };
  });
}
