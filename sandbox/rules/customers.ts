import { hasPrefix } from '../core/phones';
import { invalidFields, noSuchResource } from '../core/refusals';
import type { Body } from '../contract/types';
import type { Environment } from '../state/environment';
import type { BillingCard, Customer } from '../state/records';
import { assertNoneTwice, withOnePrimary } from './cards-of-customer';
import { newAddress } from './addresses';
import { platformMerchant } from './merchants';

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

/**
 * Returns a customer of the request's merchant.
 * @throws PlatformRefusal with code 7 for an unknown customer.
 */
export function findVaultCustomer(environment: Environment, id: string, merchantId: number | undefined): Customer {
  const customer = environment.findCustomer(platformMerchant(environment, merchantId), id);
  if (!customer) throw noSuchResource('Customer');
  return customer;
}

/** Returns a request's customer fields without cards and addresses. */
export function ownFields(customer: Body<'addCustomer'>): CustomerFields {
  return {
    customer_id: customer.customer_id,
    auto_generate_customer_id: customer.auto_generate_customer_id,
    customer_first_name: customer.customer_first_name,
    customer_last_name: customer.customer_last_name,
    customer_firm_name: customer.customer_firm_name,
    customer_phone: customer.customer_phone,
    customer_email: customer.customer_email,
    reference_id: customer.reference_id,
    comments: customer.comments,
    developer_id: customer.developer_id,
  };
}

export function nameProblems(fields: CustomerFields): Record<string, string> {
  const isPerson = fields.customer_first_name && fields.customer_last_name;
  return {
    ...(fields.customer_phone !== undefined &&
      !hasPrefix(fields.customer_phone) && { customer_phone: 'must begin with the country prefix' }),
    ...(!isPerson &&
      !fields.customer_firm_name && { customer_firm_name: 'is required unless a first and last name are given' }),
  };
}

/**
 * Validates a new customer's name and ID (service.md#vault).
 * @returns problems by field.
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
  return { ...problems, ...nameProblems(fields) };
}

/**
 * Returns a new customer without saving the customer.
 * @throws PlatformRefusal with code 2 for invalid fields.
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
  assertNoneTwice(cards);
  const { auto_generate_customer_id: generate, ...details } = fields;
  const generated = generate && details.customer_id === undefined;
  return {
    ...details,
    rec_id: environment.ids.nextNumber('customer', 3001),
    merchant_id: merchantId,
    customer_id: generated ? environment.ids.nextText('customer_id') : (details.customer_id ?? ''),
    shipping_addresses: shippingAddresses.map((address) => newAddress(environment, address)),
    billing_cards: withOnePrimary(cards),
  };
}

export function saveCustomer(environment: Environment, customer: Customer): Customer {
  environment.addCustomer(customer);
  return customer;
}
