/**
 * Value of a row that names the records that users can't choose. A click on it replaces the earlier choice, which would
 * otherwise remain unnoticed. The node refuses the value, because an empty value could mean another record.
 */
export const NOT_SHOWN = '(not shown)';

/** n8n calls a list search by its name. */
export const SEARCHES = [
  ...(['searchAddresses', 'searchAuthorizations', 'searchCards', 'searchCustomers', 'searchDisputes'] as const),
  ...(['searchInvoices', 'searchLabels', 'searchPayees', 'searchPayments', 'searchPlans'] as const),
  ...(['searchPlanVersions', 'searchSales', 'searchSubscriptions', 'searchUpdaterRequests', 'searchWebhooks'] as const),
] as const;

export type SearchName = (typeof SEARCHES)[number];
