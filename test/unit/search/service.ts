import type { IDataObject, IHttpRequestOptions, ILoadOptionsFunctions } from 'n8n-workflow';

import { listPage, type ListQuery } from '../../../sandbox/core/lists';

export const credential = {
  environment: 'test',
  baseUrl: 'https://pay.example.com',
  merchantId: '990000000001',
  authMethod: 'apiKey',
  apiKey: 'canary-key',
};

const SALE_FIELDS = [
  ...['rec_id', 'pg_id', 'pg_id_linked', 'request_type', 'tran_status', 'tran_time', 'amt_tran', 'amt_refunded'],
  ...['tran_currency', 'purchase_id', 'merch_ref_num', 'cardholder_first_name', 'cardholder_last_name', 'card_type'],
  ...['card_number', 'auth_code', 'dispute_flag'],
];
const CUSTOMER_FIELDS = [
  ...['customer_id', 'customer_first_name', 'customer_last_name', 'customer_firm_name', 'customer_email'],
  ...['customer_phone', 'reference_id', 'primary_card_number', 'billing_cards'],
];

const LISTS = {
  customers: { path: '/vault/customer', fields: CUSTOMER_FIELDS, order_on: 'customer_id' },
  plans: { path: '/plan', fields: ['plan_id', 'plan_code', 'plan_name', 'amt_tran', 'status'], order_on: 'plan_id' },
  subscriptions: {
    path: '/subscription',
    fields: ['subscription_id', 'customer_id', 'plan_name', 'plan_code', 'plan_desc', 'recur_amt', 'purchase_id'],
    order_on: 'subscription_id',
  },
  sales: { path: '', fields: SALE_FIELDS, order_on: 'tran_time' },
} as const;
type ListName = keyof typeof LISTS;

export function editor(
  lists: Partial<Record<ListName | 'invoices', IDataObject[]>>,
  { customer = '', timezone = 'America/New_York' }: { customer?: unknown; timezone?: string } = {},
) {
  const asked: Array<{ url: string; query: ListQuery }> = [];
  const answer = ({ url = '', qs = {} }: IHttpRequestOptions) => {
    const query = Object.fromEntries(
      Object.entries(qs).map(([name, value]) => [name, ['count', 'page'].includes(name) ? Number(value) : value]),
    ) as ListQuery;
    asked.push({ url, query });
    const name = (Object.keys(LISTS) as ListName[]).find((one) => url.endsWith(LISTS[one].path)) ?? 'sales';
    const { fields, order_on } = LISTS[name];
    const rules = { fields: [...fields], order_on, order_by: 'desc' as const };
    return { code: 0, message: 'Success', ...listPage(lists[name] ?? [], query, rules) };
  };
  const context = contextOf((request) => ({ statusCode: 200, body: answer(request) }), customer, timezone);
  return { context, asked };
}

/** Creates the editor's context for list searches with custom responses. */
export const contextOf = (
  answer: (request: IHttpRequestOptions) => { statusCode: number; body: unknown },
  customer: unknown = '',
  timezone = 'America/New_York',
): ILoadOptionsFunctions =>
  ({
    getCredentials: async () => await Promise.resolve(credential),
    getNode: () => ({ name: 'Payment Platform', type: 'paymentPlatform', parameters: {}, credentials: {} }),
    getCurrentNodeParameter: () => customer,
    getTimezone: () => timezone,
    helpers: {
      httpRequestWithAuthentication: async (_type: string, request: IHttpRequestOptions) => {
        const { statusCode, body } = answer(request);
        return await Promise.resolve({ statusCode, headers: {}, body: JSON.stringify(body) });
      },
    },
  }) as unknown as ILoadOptionsFunctions;
