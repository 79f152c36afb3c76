import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { CREDENTIAL_NAME, readAccount } from '../pipeline/account';
import { toSearchError } from '../pipeline/errors';
import { asRecords } from '../pipeline/fetch-pages';
import { maskRecord } from '../pipeline/mask';
import { send } from '../pipeline/send';

const PAGE_SIZE = 50;
const TIMEOUT_MS = 20_000;

/** A list of the service that stands behind "From List". */
export interface SearchedList {
  path: string;
  /** Filters that always hold; each a triple `field,CONDITION,value`. */
  filters?: string[];
  /** Fields that the typed text is searched in. */
  searched: string[];
  /** The entries that one record gives. */
  entries: (record: IDataObject) => INodeListSearchResult['results'];
}

/**
 * One page of the list, as n8n's editor asks for it: the typed text must occur in one of the searched fields.
 * @throws NodeApiError in the service's own words when the list can't be had.
 */
export async function searchPage(
  context: ILoadOptionsFunctions,
  list: SearchedList,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  const account = readAccount(await context.getCredentials(CREDENTIAL_NAME), context.getNode());
  const page = Number(paginationToken ?? 0);
  const wanted = search?.replace(/[|,]/g, ' ').trim();
  const filter = [
    ...(list.filters ?? []),
    ...(wanted ? [list.searched.map((field) => `${field},CONTAINS,${wanted}`).join('|')] : []),
  ];
  const answer = await send(context, account, {
    method: 'GET',
    path: list.path,
    family: 'platform',
    query: { count: PAGE_SIZE, page, ...(filter.length > 0 && { filter }) },
    timeoutMs: TIMEOUT_MS,
  });
  if (!answer.ok) throw toSearchError(context.getNode(), answer.failure);
  return {
    results: asRecords(answer.record).map(maskRecord).flatMap(list.entries),
    ...((answer.totalPages ?? 0) > page + 1 && { paginationToken: String(page + 1) }),
  };
}
