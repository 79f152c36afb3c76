import { boolean } from '../../fields/kinds/choice';
import { group } from '../../fields/kinds/group';
import { phoneText } from '../../fields/kinds/phone';
import { email, text } from '../../fields/kinds/text';
import type { Field } from '../../fields/types';
import { GatewayCustomer, GatewayShippingAddress, GatewayTransactionRequest } from '../../wire/schemas';
import { address } from '../customer/address';

const { shipping_first_name: first, shipping_last_name: last, ...place } = GatewayShippingAddress;

/** In a list, the editor marks no field as required, because n8n would reject saved workflows without a value. */
const RECIPIENT = {
  ...place,
  shipping_first_name: { ...first, unmarked: true },
  shipping_last_name: { ...last, unmarked: true },
  shipping_addr1: { ...place.shipping_addr1, unmarked: true },
  shipping_city: { ...place.shipping_city, unmarked: true },
  shipping_state: { ...place.shipping_state, unmarked: true },
  shipping_zip: { ...place.shipping_zip, unmarked: true },
} as const;

const shippingAddresses = (): Field => {
  const { firstName, lastName, street, city, state, zip, ...others } = address(RECIPIENT, 'shipping', 'recipient');
  return group({
    ...GatewayCustomer.shipping_addresses,
    label: 'Shipping Addresses',
    notIdentifying: true,
    description: 'Addresses to which the order is delivered',
    itemLabel: 'Shipping Address',
    fields: [firstName, lastName, street, city, state, zip],
    additional: [
      ...Object.values(others),
      boolean({
        ...GatewayShippingAddress.primary,
        label: 'Primary',
        description: 'Whether this is the primary shipping address of the customer',
        default: true,
      }),
    ],
  });
};

/** Omits names, which belong to the customer and not to the billing address. */
function billingLines(): Field[] {
  const name = GatewayCustomer.customer_first_name;
  const facts = { ...GatewayCustomer, billing_first_name: name, billing_last_name: name, billing_firm_name: name };
  const { street, secondLine, city, state, zip, zipExtension, country, countryName } = address(
    facts,
    'billing',
    'customer',
  );
  return [street, secondLine, city, state, zip, zipExtension, country, countryName];
}

/** The service stores the name and the addresses with the transaction. */
export const customerDetails = (): Field =>
  group({
    ...GatewayTransactionRequest.customer,
    label: 'Customer Details',
    description: 'Name, billing address and shipping addresses to store with the transaction',
    itemLabel: 'Customer Detail',
    fields: [
      text({
        ...GatewayCustomer.customer_first_name,
        label: 'First Name',
        isName: true,
        notIdentifying: false,
        description: 'First name of the customer',
        placeholder: 'e.g. Ana',
      }),
      text({
        ...GatewayCustomer.customer_last_name,
        label: 'Last Name',
        isName: true,
        notIdentifying: false,
        description: 'Last name of the customer',
        placeholder: 'e.g. Silva',
      }),
      text({
        ...GatewayCustomer.customer_firm_name,
        label: 'Company Name',
        isName: true,
        notIdentifying: false,
        description: 'Company name of the customer',
        placeholder: 'e.g. Silva Bakery',
      }),
      email({
        ...GatewayCustomer.customer_email,
        label: 'Email',
        notIdentifying: false,
        description: 'Email address of the customer',
        placeholder: 'e.g. ana@example.com',
      }),
      phoneText({
        ...GatewayCustomer.customer_phone,
        label: 'Phone',
        notIdentifying: false,
        description: 'Phone number of the customer, with country code',
      }),
      ...billingLines(),
      shippingAddresses(),
    ],
  });
