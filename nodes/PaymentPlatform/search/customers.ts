import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { asText, objectsIn } from '../shared/objects';
import { id, words } from './parts';
import { lastDigits } from './payment-method';
import { pick } from './pick';
import type { Entry, Picker } from './picker';

/** Customers of the vault, by what the service finds them. */
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
  add: 'name, email address or ID',
} satisfies Partial<Picker>;

const customers: Picker = { ...vault, entries: customerEntry };

/** First and last name of a customer. */
export const personOf = ({ customer_first_name: first, customer_last_name: last }: IDataObject): string =>
  [first, last].map(asText).filter(Boolean).join(' ');

function customerEntry(customer: IDataObject): Entry[] {
  const shown = [
    words(personOf(customer)),
    words(asText(customer.customer_firm_name)),
    words(asText(customer.customer_email)),
    id(asText(customer.customer_id)),
  ];
  const cards = objectsIn(customer.billing_cards).map(({ card_number: number }) => words(lastDigits(number)));
  const known = [words(asText(customer.customer_phone)), words(asText(customer.reference_id)), ...cards];
  return [{ id: asText(customer.customer_id), shown, known }];
}

/** Customers for "From List". */
export async function searchCustomers(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  return await pick(this, customers, search, paginationToken);
}
