import type { Handlers } from '../calls/described';
import { toServiceStamp } from '../core/clock';
import { success } from '../core/envelopes';
import { listAnswer } from '../core/lists';
import { invalidFields } from '../core/refusals';
import { addressFields, findAddress, keepAddresses, newAddress } from '../rules/addresses';
import {
  assertNoneTwice,
  cardDetails,
  findCard,
  readBillingCards,
  withOnePrimary,
  withPrimary,
} from '../rules/cards-of-customer';
import { findVaultCustomer, nameProblems, newCustomer, ownFields, saveCustomer } from '../rules/customers';
import { platformMerchant } from '../rules/merchants';
import type { Subscription } from '../state/records';
import { customerView } from '../views/customers';
import { cardIdOf } from '../views/subscriptions';

export const customerHandlers = {
  /** Lists customers, by default by customer_id, highest first (service.md#lists). */
  browseCustomers: (call) => {
    const { environment, query } = call;
    const merchantId = platformMerchant(environment, query?.merchant_id);
    const customers = environment.customers.filter((customer) => customer.merchant_id === merchantId).map(customerView);
    return listAnswer(customers, call, 'customer_id');
  },

  addCustomer: ({ environment, body }) => {
    const merchantId = platformMerchant(environment, body.merchant_id);
    const { billing_cards = [], shipping_addresses = [] } = body;
    const cards = readBillingCards(environment, merchantId, billing_cards, 'billing_cards');
    const customer = newCustomer(environment, merchantId, ownFields(body), cards, shipping_addresses);
    return success(customerView(saveCustomer(environment, customer)));
  },

  getCustomer: ({ environment, path, query }) =>
    success(customerView(findVaultCustomer(environment, path.customer_id, query?.merchant_id))),

  /** Updates the submitted fields. A submitted array replaces the stored array. */
  updateCustomer: ({ environment, path, body }) => {
    const { merchant_id, billing_cards, shipping_addresses, ...fields } = body;
    const customer = findVaultCustomer(environment, path.customer_id, merchant_id);
    const problems = nameProblems({ ...customer, ...fields });
    if (Object.keys(problems).length > 0) throw invalidFields(problems);
    const own = customer.billing_cards;
    const cards =
      billing_cards && readBillingCards(environment, customer.merchant_id, billing_cards, 'billing_cards', own);
    if (cards) assertNoneTwice(cards);
    Object.assign(customer, fields);
    if (cards) customer.billing_cards = withOnePrimary(cards);
    if (shipping_addresses)
      customer.shipping_addresses = shipping_addresses.map((address) => newAddress(environment, address));
    return success(customerView(customer));
  },

  deleteCustomer: ({ environment, path, query }) => {
    environment.removeCustomer(findVaultCustomer(environment, path.customer_id, query?.merchant_id));
    return success({});
  },

  getBillingCards: ({ environment, path, query }) => {
    const { billing_cards } = customerView(findVaultCustomer(environment, path.customer_id, query?.merchant_id));
    return success({ billing_cards });
  },

  /** Adds a card to a customer. The first card becomes primary. */
  addBillingCard: ({ environment, path, body }) => {
    const customer = findVaultCustomer(environment, path.customer_id, body.merchant_id);
    const added = readBillingCards(environment, customer.merchant_id, [body]);
    const cards = [...customer.billing_cards, ...added];
    assertNoneTwice(cards);
    const chosen = added.find(({ primary }) => primary);
    customer.billing_cards = chosen ? withPrimary(cards, chosen.card_id) : withOnePrimary(cards);
    return success(customerView(customer));
  },

  updateBillingCard: ({ environment, path, body }) => {
    const customer = findVaultCustomer(environment, path.customer_id, body.merchant_id);
    const card = findCard(customer, body.card_id);
    card.source = { ...card.source, exp_date: body.exp_date };
    card.details = cardDetails(body);
    if (body.verify) card.verified_date = toServiceStamp(environment.clock.now());
    if (body.primary) customer.billing_cards = withPrimary(customer.billing_cards, card.card_id);
    return success(customerView(customer));
  },

  deleteBillingCard: ({ environment, path, body }) => {
    const customer = findVaultCustomer(environment, path.customer_id, body.merchant_id);
    const { card_id } = findCard(customer, body.card_id);
    const isOf = (one: Subscription) =>
      one.merchant_id === customer.merchant_id && one.customer_id === customer.customer_id;
    const uses = [...environment.subscriptions.values()].some(
      (one) => one.status === 'A' && isOf(one) && cardIdOf(one, customer) === card_id,
    );
    if (uses) throw invalidFields({ card_id: 'is used by an active subscription' });
    customer.billing_cards = withOnePrimary(customer.billing_cards.filter((one) => one.card_id !== card_id));
    return success(customerView(customer));
  },

  setPrimaryBillingCard: ({ environment, path, body }) => {
    const customer = findVaultCustomer(environment, path.customer_id, body.merchant_id);
    customer.billing_cards = withPrimary(customer.billing_cards, findCard(customer, body.card_id).card_id);
    return success(customerView(customer));
  },

  getShippingAddresses: ({ environment, path, query }) => {
    const { shipping_addresses } = findVaultCustomer(environment, path.customer_id, query?.merchant_id);
    return success({ shipping_addresses });
  },

  addShippingAddress: ({ environment, path, body }) => {
    const customer = findVaultCustomer(environment, path.customer_id, body.merchant_id);
    const added = newAddress(environment, body);
    keepAddresses(customer, [...customer.shipping_addresses, added], added);
    return success(customerView(customer));
  },

  updateShippingAddress: ({ environment, path, body }) => {
    const customer = findVaultCustomer(environment, path.customer_id, body.merchant_id);
    const before = findAddress(customer, body.shipping_id);
    const changed = addressFields(body);
    const addresses = customer.shipping_addresses.map((one) => (one === before ? changed : one));
    keepAddresses(customer, addresses, changed);
    return success(customerView(customer));
  },

  setPrimaryShippingAddress: ({ environment, path, body }) => {
    const customer = findVaultCustomer(environment, path.customer_id, body.merchant_id);
    const before = findAddress(customer, body.shipping_id);
    const chosen = { ...before, primary: true };
    const addresses = customer.shipping_addresses.map((one) => (one === before ? chosen : one));
    keepAddresses(customer, addresses, chosen);
    return success(customerView(customer));
  },

  deleteShippingAddress: ({ environment, path, query }) => {
    const customer = findVaultCustomer(environment, path.customer_id, query?.merchant_id);
    const gone = findAddress(customer, path.id);
    keepAddresses(
      customer,
      customer.shipping_addresses.filter((one) => one !== gone),
    );
    return success(customerView(customer));
  },
} satisfies Partial<Handlers>;
