import { boolean } from '../../fields/kinds/choice';
import { customerId, merchantId } from '../../fields/common';
import { locator } from '../../fields/kinds/locator';
import type { Field } from '../../fields/types';
import type { BooleanFact, IntegerFact, TextFact } from '../../wire/facts';
import { digits } from '../../wire/patterns';
import { UpdateShippingAddressRequest } from '../../wire/schemas';
import { address, type AddressFacts } from '../customer/address';

export const addressOwner = (fact: TextFact): Field =>
  customerId(fact, {
    description: 'Customer who owns the addresses. Search by name, email address or reference, or enter the ID.',
  });

const ID_LENGTH = String(UpdateShippingAddressRequest.shipping_id.most).length;

export const shippingId = (fact: TextFact | IntegerFact, does: string): Field =>
  locator({
    ...fact,
    ...(fact.type === 'text' && { pattern: digits(1, ID_LENGTH) }),
    label: 'Address',
    description: `Address to ${does}. Select the customer first. The list shows the addresses of that customer.`,
    search: 'searchAddresses',
    placeholder: 'e.g. 6001',
  });

type Facts = AddressFacts<'shipping'> & { readonly primary: BooleanFact; readonly merchant_id: IntegerFact };

/** `fields` are always visible. `more` are under "Additional Fields". */
export function addressFields(facts: Facts): { fields: Field[]; more: Field[] } {
  const owner = 'recipient';
  const { firstName, lastName, street, city, state, zip, ...others } = address(
    facts,
    'shipping',
    owner,
    'Shipping ',
    true,
  );
  return {
    fields: [firstName, lastName, street, city, state, zip],
    more: [
      ...Object.values(others),
      boolean({
        ...facts.primary,
        label: 'Primary',
        description: 'Whether to make this the primary address, which is used by default',
        default: true,
      }),
      merchantId(facts.merchant_id),
    ],
  };
}
