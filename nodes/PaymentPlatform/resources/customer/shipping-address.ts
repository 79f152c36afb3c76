import { boolean } from '../../fields/choice';
import { merchantId } from '../../fields/common';
import { group } from '../../fields/group';
import type { Field } from '../../fields/types';
import { address } from './address';
import { AddCustomerRequest, AddShippingAddressRequest } from '../../wire/schemas';

/** Where a customer gets deliveries (openapi.yaml#AddShippingAddressRequest). */
export const shippingAddresses = (description = 'Where the customer gets deliveries'): Field => {
  const { firstName, lastName, street, city, state, zip, ...others } = address(
    AddShippingAddressRequest,
    'shipping',
    'of the recipient',
  );
  return group({
    ...AddCustomerRequest.shipping_addresses,
    label: 'Shipping Addresses',
    wording: true,
    description,
    itemLabel: 'Shipping Address',
    topLevel: true,
    fields: [firstName, lastName, street, city, state, zip],
    additional: [
      ...Object.values(others),
      boolean({
        ...AddShippingAddressRequest.primary,
        label: 'Primary',
        description: 'Whether this is the main shipping address of the customer',
        default: true,
      }),
      merchantId(AddShippingAddressRequest.merchant_id),
    ],
  });
};
