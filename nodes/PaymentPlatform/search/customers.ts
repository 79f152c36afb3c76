import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { CREDENTIAL_NAME, readAccount } from '../pipeline/account';
import { toSearchError } from '../pipeline/errors';
import { asRecords } from '../pipeline/list';
import { asText } from '../pipeline/objects';
import { send } from '../pipeline/send';

const PAGE_SIZE = 50;
const TIMEOUT_MS = 20_000;
const SEARCHED = ['customer_id', 'customer_first_name', 'customer_last_name', 'customer_firm_name', 'customer_email'];

/** Customers of the vault for "From List": a page at a time, searched by ID, name, company and email. */
export async function searchCustomers(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  const account = readAccount(await this.getCredentials(CREDENTIAL_NAME), this.getNode());
  const page = Number(paginationToken ?? 0);
  const wanted = search?.replace(/[|,]/g, ' ').trim();
  const answer = await send(this, account, {
    method: 'GET',
    path: '/platform/vault/customer',
    family: 'platform',
    query: {
      count: PAGE_SIZE,
      page,
      ...(wanted && { filter: SEARCHED.map((field) => `${field},CONTAINS,${wanted}`).join('|') }),
    },
    timeoutMs: TIMEOUT_MS,
  });
  if (!answer.ok) throw toSearchError(this.getNode(), answer.failure);
  return {
    results: asRecords(answer.record).map((customer) => ({
      name: displayName(customer),
      value: asText(customer.customer_id),
    })),
    ...((answer.totalPages ?? 0) > page + 1 && { paginationToken: String(page + 1) }),
  };
}

function displayName(customer: IDataObject): string {
  const person = [customer.customer_first_name, customer.customer_last_name].map(asText).filter(Boolean).join(' ');
  const name = person || asText(customer.customer_firm_name);
  return name ? `${name} (${asText(customer.customer_id)})` : asText(customer.customer_id);
}
