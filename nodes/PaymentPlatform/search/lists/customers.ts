import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { asText, objectsIn } from '../../shared/objects';
import { lastDigits } from '../../shared/privacy';
import { chosenRecord } from '../engine/linked';
import { id, words } from '../engine/line-parts';
import { searchList } from '../engine/list-search';
import type { ListEntry, Picker } from '../engine/picker';

export const vault = {
  of: 'customers',
  path: '/platform/vault/customer',
  identity: 'customer_id',
  searched: {
    words: [
      ...['customer_id', 'customer_first_name', 'customer_last_name', 'customer_firm_name', 'customer_email'],
      ...['customer_phone', 'reference_id'],
    ],
    card: 'primary_card_number',
  },
  ownWords: new Set(['card']),
  add: 'name, email address or ID',
} satisfies Partial<Picker>;

/** Returns no filter for an expression, which the editor can't resolve. */
export function chosenCustomer(context: ILoadOptionsFunctions): Pick<Picker, 'filters'> & { isChosen: boolean } {
  return ofCustomer(chosenRecord(context, 'customer_id'));
}

export const ofCustomer = (known: string | undefined): Pick<Picker, 'filters'> & { isChosen: boolean } => ({
  isChosen: known !== undefined,
  ...(known !== undefined && { filters: () => [`customer_id,IS,${known}`] }),
});

export const ownerParts = (customer: IDataObject) => [
  words(personOf(customer) || asText(customer.customer_firm_name)),
  id(asText(customer.customer_id)),
];

/** The search also matches the company and the email address. */
export const moreOf = ({ customer_firm_name: firm, customer_email: email }: IDataObject) =>
  [firm, email].map(asText).join(' ');

const customers: Picker = { ...vault, entries: customerEntry };

export const personOf = ({ customer_first_name: first, customer_last_name: last }: IDataObject): string =>
  [first, last].map(asText).filter(Boolean).join(' ');

function customerEntry(customer: IDataObject): ListEntry[] {
  const last = lastDigits(customer.primary_card_number);
  const shown = [
    words(personOf(customer)),
    words(last && `card ${last}`),
    words(asText(customer.customer_firm_name)),
    words(asText(customer.customer_email)),
    id(asText(customer.customer_id)),
  ];
  const cards = objectsIn(customer.billing_cards).map(({ card_number: number }) => words(lastDigits(number)));
  const known = [words(asText(customer.customer_phone)), words(asText(customer.reference_id)), ...cards];
  return [{ id: asText(customer.customer_id), shown, known }];
}

export async function searchCustomers(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  return await searchList(this, customers, search, paginationToken);
}
