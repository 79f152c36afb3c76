import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

type Search = (
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** n8n loads all nodes when it starts: a search is loaded when somebody opens its list. */
const loaded = (load: () => Promise<Search>): Search =>
  async function (...asked) {
    return await (await load()).call(this, ...asked);
  };

/** The list searches behind "From List", by the name that the locators use. */
export const listSearch = {
  searchCards: loaded(async () => (await import('./cards')).searchCards),
  searchCustomers: loaded(async () => (await import('./customers')).searchCustomers),
  searchSales: loaded(async () => (await import('./sales')).searchSales),
};
