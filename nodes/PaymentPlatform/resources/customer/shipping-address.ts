import { boolean } from '../../fields/kinds/choice';
import { merchantId } from '../../fields/common';
import { group } from '../../fields/kinds/group';
import type { Field } from '../../fields/types';
import { address } from './address';
import { AddCustomerRequest, AddShippingAddressRequest } from '../../wire/schemas';

const { shipping_first_name: first, shipping_last_name: last } = AddShippingAddressRequest;

/** A new address needs a recipient (openapi.yaml#addShippingAddress). */
export const newAddressFacts = {
  ...AddShippingAddressRequest,
  shipping_first_name: { ...first, required: true },
  shipping_last_name: { ...last, required: true },
} as const;

const { shipping_first_name: newFirst, shipping_last_name: newLast } = newAddressFacts;
const LISTED_FACTS = {
  ...newAddressFacts,
  shipping_first_name: { ...newFirst, unmarked: true },
  shipping_last_name: { ...newLast, unmarked: true },
} as const;

/** Shipping addresses (openapi.yaml#AddShippingAddressRequest). */
export const shippingAddresses = (): Field => {
  const { firstName, lastName, street, city, state, zip, ...others } = address(LISTED_FACTS, 'shipping', 'recipient');
  return group({
    ...AddCustomerRequest.shipping_addresses,
    label: 'Shipping Addresses',
    notIdentifying: true,
    description:
      'Shipping addresses of the customer. "Create or Update" ignores the addresses if the customer already exists.',
    itemLabel: 'Shipping Address',
    topLevel: true,
    fields: [firstName, lastName, street, city, state, zip],
    additional: [
      ...Object.values(others),
      boolean({
        ...AddShippingAddressRequest.primary,
        label: 'Primary',
        description: 'Whether this is the primary shipping address of the customer',
        default: true,
      }),
      merchantId(AddShippingAddressRequest.merchant_id),
    ],
  });
};
