import { invalidFields } from '../core/refusals';
import type { Environment } from '../state/environment';
import type { Customer } from '../state/records';

type Address = Customer['shipping_addresses'][number];

/** An address as the vault keeps it: under an ID of its own. */
export function newAddress(environment: Environment, fields: object): Address {
  return { ...addressFields(fields), shipping_id: environment.ids.nextNumber('shipping', 6001) };
}

/** What of a request belongs to the address. */
export const addressFields = (fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'merchant_id'));

/** A saved address of the customer, or code 2 naming the field. */
export function findAddress(customer: Customer, shippingId: number): Address {
  const found = customer.shipping_addresses.find(({ shipping_id }) => shipping_id === shippingId);
  if (!found) throw invalidFields({ shipping_id: 'does not belong to the customer' });
  return found;
}

/** Keeps the addresses of a customer; one that is the main one leaves no other so. */
export function keepAddresses(customer: Customer, addresses: Address[], changed?: Address): void {
  customer.shipping_addresses = addresses.map((one) =>
    changed?.primary === true && one !== changed ? { ...one, primary: false } : one,
  );
}
