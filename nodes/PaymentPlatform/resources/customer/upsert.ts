import type { IDataObject } from 'n8n-workflow';

import { merchantId } from '../../fields/common';
import { operation, type ValuesOf } from '../../model/operation';
import type { Step } from '../../model/types';
import { asText } from '../../shared/objects';
import { filterOn } from '../filter-on';
import { lookAt } from '../merge-with-current';
import { billingCards, checkBillingCards, TWICE } from './billing-card';
import {
  developerId,
  mainCustomerFields,
  namedWithId,
  customerContactFields,
  noteFields,
  ownCustomerId,
  type Customer,
} from './fields';
import { hasName } from './new';
import { noteExpiredCards } from './past';
import { shippingAddresses } from './shipping-address';
import * as wire from '../../wire/operations';

const { body, request } = wire.addCustomer;
const change = wire.updateCustomer;

/** Fields that Create or Update can change. Cards and addresses have their own operations. */
const CHANGED: ReadonlySet<string> = new Set(
  Object.keys(change.body).filter(
    (name) =>
      change.body.billing_cards.name !== name &&
      change.body.shipping_addresses.name !== name &&
      change.body.merchant_id.name !== name,
  ),
);

const isOther = (customer: IDataObject, name: string, value: unknown) =>
  CHANGED.has(name) && asText(customer[name]) !== asText(value);

/**
 * Only the list of customers proves that a customer doesn't exist. Compares the IDs again, because the service may
 * ignore the filter.
 */
const createOrChange: Step<ValuesOf<'addCustomer'>, Customer> = {
  look: (values) => {
    const { query, ...look } = lookAt(wire.browseCustomers.request, values);
    const filter = filterOn('customer_id', values.body.customer_id);
    return { ...look, query: { ...query, filter }, list: { identity: 'customer_id' } };
  },
  decide: (found, values) => {
    const { customer_id: id, merchant_id: merchant } = values.body;
    const customer = found.find((one) => asText(one.customer_id) === asText(id));
    if (!customer && !hasName(values.body))
      return {
        refuse: 'No customer has this ID. A new customer needs a first and last name or a company name',
      };
    if (!customer) return { request: { to: request, body: values.body } };
    const other = Object.entries(values.body).filter(([name, value]) => isOther(customer, name, value));
    if (other.length === 0) return { done: customer };
    const changes = { ...Object.fromEntries(other), ...(merchant !== undefined && { merchant_id: merchant }) };
    return { request: { to: change.request, path: { customer_id: id }, body: changes } };
  },
};

export const upsert = operation({
  value: 'upsert',
  name: 'Create or Update',
  action: 'Create or update customer',
  description: 'Create a new record, or update the current one if it already exists (upsert)',
  request,
  fields: [
    ownCustomerId(
      body.customer_id,
      'ID of the customer. If a customer has this ID, the node updates that customer. Otherwise, the node creates a customer.',
      { required: true },
    ),
    ...customerContactFields(
      body,
      'A new customer needs a first and last name or a company name. For an existing customer, empty fields keep their current values.',
    ),
    billingCards(),
    shippingAddresses(),
  ],
  additional: [...noteFields(body), developerId(body.developer_id), merchantId(body.merchant_id)],
  check: (values) => checkBillingCards(values.body.billing_cards),
  notice: noteExpiredCards,
  steps: { sends: [request, change.request], each: [createOrChange] },
  setsState: true,
  simplified: mainCustomerFields,
  summary: (record, { path }: { path: IDataObject }, came) => {
    const customer = `customer ${namedWithId(record)}`;
    if (came === 'unchanged') return `No change was sent, because ${customer} already has these values.`;
    const did = came === 'found' ? 'Created or updated' : path.customer_id === undefined ? 'Created' : 'Updated';
    return `${did} ${customer}.`;
  },
  refusals: [TWICE],
  sameObject: 'customer_id',
  lookUp:
    'Look for customer {customer_id} in Customer > Get Many. Running this item again is safe, because the node checks the customer first.',
});
