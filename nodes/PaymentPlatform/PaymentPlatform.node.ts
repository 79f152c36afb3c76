import {
  NodeConnectionTypes,
  type ILoadOptionsFunctions,
  type INodeListSearchResult,
  type INodePropertyOptions,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';

import { parameters, sensitiveOutputFields, subtitle, toolDescriptions } from './description.data';
import { SEARCHES, type SearchName } from './fields/searches';
import { execute, load, paymentPlatformApiTest } from './load';
import { addToolDescriptions } from './panel/add-tool-descriptions';
import type { optionLists } from './panel/load-options';

/** The node's code loads on the first search, so that n8n starts faster. */
const search = (name: SearchName) =>
  async function (this: ILoadOptionsFunctions, ...asked: [string?, string?]): Promise<INodeListSearchResult> {
    return await (await load(this)).search(this, name, ...asked);
  };

const searches = Object.fromEntries(SEARCHES.map((name) => [name, search(name)]));

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

  execute = execute;
}
