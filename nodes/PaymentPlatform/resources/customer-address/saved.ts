import type { IDataObject } from 'n8n-workflow';

import type { Given, RecordOf } from '../../model/operation';
import { asText, objectsIn, only } from '../../shared/objects';

type Customer = Given<RecordOf<'addShippingAddress'>>;
type Address = Given<RecordOf<'getShippingAddresses'>>;

export const mainAddressFields = (record: Customer & Pick<Address, 'shipping_id'>) =>
  only(record, ['customer_id', 'shipping_id', 'customer_first_name', 'customer_last_name', 'customer_firm_name']);

/** Returns the new address's ID if exactly one of the customer's addresses equals the sent address. */
export function addedAddress({ shipping_addresses: all }: Customer, sent: object): IDataObject {
  const told = Object.entries(sent).filter(([name]) => name.startsWith('shipping_'));
  const alike = objectsIn(all).filter((one) => told.every(([name, value]) => asText(one[name]) === asText(value)));
  return alike.length === 1 ? only(alike[0] ?? {}, ['shipping_id']) : {};
}
