import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
  type INodeExecutionData,
  type INodeListSearchResult,
  type INodePropertyOptions,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';

import { parameters, sensitiveOutputFields, subtitle, toolDescriptions } from './description.data';
import { execute, load, paymentPlatformApiTest } from './load';
import { addToolDescriptions } from './panel/add-tool-descriptions';
import type { optionLists } from './panel/load-options';
import type { listSearch } from './search';

type Searches = typeof listSearch;

/** The node's code loads on the first search, so that n8n starts faster. */
const search = (name: keyof Searches) =>
  async function (this: ILoadOptionsFunctions, ...asked: [string?, string?]): Promise<INodeListSearchResult> {
    return await (await load(this)).listSearch[name].call(this, ...asked);
  };

const searches: Record<keyof Searches, ReturnType<typeof search>> = {
  searchAddresses: search('searchAddresses'),
  searchAuthorizations: search('searchAuthorizations'),
  searchCards: search('searchCards'),
  searchCustomers: search('searchCustomers'),
  searchDisputes: search('searchDisputes'),
  searchInvoices: search('searchInvoices'),
  searchLabels: search('searchLabels'),
  searchPayees: search('searchPayees'),
  searchPayments: search('searchPayments'),
  searchPlans: search('searchPlans'),
  searchPlanVersions: search('searchPlanVersions'),
  searchSales: search('searchSales'),
  searchSubscriptions: search('searchSubscriptions'),
  searchUpdaterRequests: search('searchUpdaterRequests'),
  searchWebhooks: search('searchWebhooks'),
};

const list = (name: keyof typeof optionLists) =>
  async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
    const { declared, loadOptions } = await load(this);
    return loadOptions(name, declared, this);
  };

const lists: Record<keyof typeof optionLists, ReturnType<typeof list>> = {
  getCountries: list('getCountries'),
  getCurrencies: list('getCurrencies'),
  getEvents: list('getEvents'),
  getOutputFields: list('getOutputFields'),
  getRecordFields: list('getRecordFields'),
  getSingleEvents: list('getSingleEvents'),
};

export class PaymentPlatform implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Payment Platform',
    name: 'paymentPlatform',
    icon: { light: 'file:../../icons/payment-platform.svg', dark: 'file:../../icons/payment-platform.dark.svg' },
    group: ['output'],
    version: [1],
    defaultVersion: 1,
    subtitle: subtitle(),
    description: 'Create invoices and payment links, refund payments, bill subscriptions, save cards and read reports',
    defaults: { name: 'Payment Platform' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'paymentPlatformApi', required: true, testedBy: 'paymentPlatformApiTest' }],
    properties: addToolDescriptions(parameters(), toolDescriptions()),
    sensitiveOutputFields: sensitiveOutputFields(),
  };

  methods = { listSearch: searches, loadOptions: lists, credentialTest: { paymentPlatformApiTest } };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await execute(this);
  }
}
