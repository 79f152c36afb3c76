import { searchAddresses } from './lists/addresses';
import { searchCards } from './lists/cards';
import { searchCustomers } from './lists/customers';
import { searchDisputes } from './lists/disputes';
import { searchInvoices } from './lists/invoices';
import { searchLabels } from './lists/labels';
import { searchPayees } from './lists/payees';
import { searchPayments } from './lists/payments';
import { searchPlans, searchPlanVersions } from './lists/plans';
import { searchAuthorizations, searchSales } from './lists/sales';
import { searchSubscriptions } from './lists/subscriptions';
import { searchUpdaterRequests } from './lists/updater-requests';
import { searchWebhooks } from './lists/webhooks';

export const listSearch = {
  searchAddresses,
  searchAuthorizations,
  searchCards,
  searchCustomers,
  searchDisputes,
  searchInvoices,
  searchLabels,
  searchPayees,
  searchPayments,
  searchPlans,
  searchPlanVersions,
  searchSales,
  searchSubscriptions,
  searchUpdaterRequests,
  searchWebhooks,
};
