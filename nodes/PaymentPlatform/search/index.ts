import { searchAddresses } from './addresses';
import { searchCards } from './cards';
import { searchCustomers } from './customers';
import { searchInvoices } from './invoices';
import { searchLabels } from './labels';
import { searchPayees } from './payees';
import { searchPayments } from './payments';
import { searchPlans, searchPlanVersions } from './plans';
import { searchSales } from './sales';
import { searchSubscriptions } from './subscriptions';
import { searchUpdaterRequests } from './updater-requests';

/** The list searches behind "From List", by the name that the locators use. */
export const listSearch = {
  searchAddresses,
  searchCards,
  searchCustomers,
  searchInvoices,
  searchLabels,
  searchPayees,
  searchPayments,
  searchPlans,
  searchPlanVersions,
  searchSales,
  searchSubscriptions,
  searchUpdaterRequests,
};
