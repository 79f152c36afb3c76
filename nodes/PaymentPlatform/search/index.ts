import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { SearchName } from '../fields/searches';
import { searchList } from './engine/list-search';
import type { Picker } from './engine/picker';
import { addresses, cards, customers, payees } from './lists/customers';
import { invoices, payments } from './lists/invoices';
import { labels, plans, planVersions, subscriptions } from './lists/plans';
import { authorizations, disputes, sales } from './lists/sales';
import { updaterRequests, webhooks } from './lists/settings';

const PICKERS: Readonly<Record<SearchName, Picker>> = {
  searchAddresses: addresses,
  searchAuthorizations: authorizations,
  searchCards: cards,
  searchCustomers: customers,
  searchDisputes: disputes,
  searchInvoices: invoices,
  searchLabels: labels,
  searchPayees: payees,
  searchPayments: payments,
  searchPlans: plans,
  searchPlanVersions: planVersions,
  searchSales: sales,
  searchSubscriptions: subscriptions,
  searchUpdaterRequests: updaterRequests,
  searchWebhooks: webhooks,
};

/** @param asked the typed text and the pagination token. */
export const search = async (
  context: ILoadOptionsFunctions,
  name: SearchName,
  ...asked: [string?, string?]
): Promise<INodeListSearchResult> => await searchList(context, PICKERS[name], ...asked);
