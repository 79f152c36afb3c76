import { invalidFields } from '../core/refusals';
import type { Environment } from '../state/environment';
import type { Customer } from '../state/records';

type Address = Customer['shipping_addresses'][number];

/** Creates a vault address with a new ID. */
export function newAddress(environment: Environment, fields: object): Address {
  return { ...addressFields(fields), shipping_id: environment.ids.nextNumber('shipping', 6001) };
}

export const addressFields = (fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'merchant_id'));

/**
 * Returns one of a customer's addresses.
 * @throws PlatformRefusal with code 2 if the address doesn't exist.
 */
export function findAddress(customer: Customer, shippingId: number): Address {
  const found = customer.shipping_addresses.find(({ shipping_id }) => shipping_id === shippingId);
  if (!found) throw invalidFields({ shipping_id: 'does not belong to the customer' });
  return found;
}

/** Saves a customer's addresses. If the changed address is primary, makes all other addresses secondary. */
export function keepAddresses(customer: Customer, addresses: Address[], changed?: Address): void {
  customer.shipping_addresses = addresses.map((one) =>
    changed?.primary === true && one !== changed ? { ...one, primary: false } : one,
  );
}
