/** n8n calls a list search by its name. */
export const SEARCHES = [
  ...(['searchAddresses', 'searchAuthorizations', 'searchCards', 'searchCustomers', 'searchDisputes'] as const),
  ...(['searchInvoices', 'searchLabels', 'searchPayees', 'searchPayments', 'searchPlans'] as const),
  ...(['searchPlanVersions', 'searchSales', 'searchSubscriptions', 'searchUpdaterRequests', 'searchWebhooks'] as const),
] as const;

export type SearchName = (typeof SEARCHES)[number];
