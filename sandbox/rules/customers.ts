import { toServiceStamp } from '../core/clock';
import { isExpirationDate, readAccount, readCardNumber, type PaymentSource } from '../core/cards';
import { hasPrefix } from '../core/phones';
import { invalidFields } from '../core/refusals';
import type { Body } from '../contract/types';
import type { Environment } from '../state/environment';
import type { BillingCard, Customer } from '../state/records';

type CustomerRequest = NonNullable<Body<'addSubscription'>['customer']>;
type CardRequest = NonNullable<CustomerRequest['billing_cards']>[number];

export interface CustomerFields {
  customer_id?: string;
  auto_generate_customer_id?: boolean;
  customer_first_name?: string;
  customer_last_name?: string;
  customer_firm_name?: string;
  customer_phone?: string;
  customer_email?: string;
  reference_id?: string;
  comments?: string;
  developer_id?: string;
}

/** Card fields that the vault keeps as received; the payment data itself is kept masked only. */
const CARD_DETAILS = /^billing_/;

/**
 * Checks what a new customer needs (docs/service.md#vault): an ID of up to 32 letters and digits that is not taken,
 * or auto_generate_customer_id; and a first and last name, or a firm name.
 * @returns field names with messages; empty when all is well.
 */
export function newCustomerProblems(
  environment: Environment,
  merchantId: string,
  fields: CustomerFields,
): Record<string, string> {
  const problems: Record<string, string> = {};
  if (fields.customer_id === undefined && !fields.auto_generate_customer_id)
    problems.customer_id = 'is required unless auto_generate_customer_id is true';
  else if (fields.customer_id !== undefined && !/^[A-Za-z0-9]{1,32}$/.test(fields.customer_id))
    problems.customer_id = 'must be 1 to 32 letters and digits';
  else if (fields.customer_id !== undefined && environment.findCustomer(merchantId, fields.customer_id))
    problems.customer_id = 'is already taken';
  if (fields.customer_phone !== undefined && !hasPrefix(fields.customer_phone))
    problems.customer_phone = 'must begin with the country prefix';
  const hasPersonName = fields.customer_first_name && fields.customer_last_name;
  if (!hasPersonName && !fields.customer_firm_name)
    problems.customer_firm_name = 'is required unless a first and last name are given';
  return problems;
}

/**
 * Makes a new customer without keeping it yet.
 * @throws PlatformRefusal code 2 naming the fields.
 */
export function newCustomer(
  environment: Environment,
  merchantId: string,
  fields: CustomerFields,
  cards: BillingCard[] = [],
  shippingAddresses: ReadonlyArray<object> = [],
): Customer {
  const problems = newCustomerProblems(environment, merchantId, fields);
  if (Object.keys(problems).length > 0) throw invalidFields(problems);
  const { auto_generate_customer_id: generate, ...details } = fields;
  const generated = generate && details.customer_id === undefined;
  return {
    ...details,
    rec_id: environment.ids.nextNumber('customer', 3001),
    merchant_id: merchantId,
    customer_id: generated ? environment.ids.nextText('customer_id') : (details.customer_id ?? ''),
    shipping_addresses: shippingAddresses.map((address) => ({
      ...address,
      shipping_id: environment.ids.nextNumber('shipping', 6001),
    })),
    billing_cards: withOnePrimary(cards),
  };
}

/** Keeps a customer. */
export function saveCustomer(environment: Environment, customer: Customer): Customer {
  environment.addCustomer(customer);
  return customer;
}

function withOnePrimary(cards: BillingCard[]): BillingCard[] {
  const chosen = cards.findIndex((card) => card.primary);
  return cards.map((card, index) => ({ ...card, primary: index === Math.max(0, chosen) }));
}

/** A billing card from its payment source and billing_... fields. */
export function billingCard(environment: Environment, source: PaymentSource, details: object = {}): BillingCard {
  const fields = Object.entries(details).filter(([name]) => CARD_DETAILS.test(name));
  return {
    card_id: environment.ids.nextText('card_id'),
    source,
    primary: 'primary' in details && details.primary === true,
    details: Object.fromEntries(fields),
  };
}

/**
 * Reads the billing cards of a new customer.
 * @throws PlatformRefusal code 2 naming the card and field that cannot be used.
 */
export function readBillingCards(
  environment: Environment,
  merchantId: string,
  cards: readonly CardRequest[],
  parent: string,
): BillingCard[] {
  return cards.map((card, index) => {
    const source = readSource(environment, merchantId, card, `${parent}[${index}]`);
    const saved = billingCard(environment, source, card);
    return card.verify ? { ...saved, verified_date: toServiceStamp(environment.clock.now()) } : saved;
  });
}

function readSource(environment: Environment, merchantId: string, card: CardRequest, field: string): PaymentSource {
  if (card.exp_date !== undefined && !isExpirationDate(card.exp_date))
    throw invalidFields({ [`${field}.exp_date`]: 'must be MMYY' });
  const sources = [card.card_number, card.card_id, card.tr_number ?? card.dda_number].filter(
    (one) => one !== undefined,
  );
  if (sources.length > 1) throw invalidFields({ [field]: 'must hold one way to pay only' });
  if (card.card_number !== undefined) {
    if (card.exp_date === undefined) throw invalidFields({ [`${field}.exp_date`]: 'is required with a card_number' });
    const source = readCardNumber(card.card_number, card.exp_date);
    if (!source) throw invalidFields({ [`${field}.card_number`]: 'is not a valid card number' });
    return source;
  }
  if (card.card_id !== undefined) {
    const token = environment.tokens.get(card.card_id);
    if (!token || token.merchant_id !== merchantId) throw invalidFields({ [`${field}.card_id`]: 'is not known' });
    return token.source;
  }
  const source = readAccount(card.tr_number ?? '', card.dda_number ?? '');
  if (!source) throw invalidFields({ [field]: 'needs a card_number, a card_id, or tr_number with dda_number' });
  return source;
}
