import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { searchPage } from './page';

export const CUSTOMERS = '/platform/vault/customer';
const SEARCHED = ['customer_id', 'customer_first_name', 'customer_last_name', 'customer_firm_name', 'customer_email'];

/** Customers of the vault for "From List": a page at a time, searched by ID, name, company and email. */
export async function searchCustomers(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  const entries = (customer: IDataObject) => [{ name: customerName(customer), value: asText(customer.customer_id) }];
  return await searchPage(this, { path: CUSTOMERS, searched: SEARCHED, entries }, search, paginationToken);
}

/** A customer as a person knows it: name, company or nothing, and the ID. */
export function customerName(customer: IDataObject): string {
  const person = [customer.customer_first_name, customer.customer_last_name].map(asText).filter(Boolean).join(' ');
  const name = person || asText(customer.customer_firm_name);
  return name ? `${name} (${asText(customer.customer_id)})` : asText(customer.customer_id);
}
