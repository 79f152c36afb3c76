import { boolean, choice } from '../../fields/kinds/choice';
import { customerId, merchantId } from '../../fields/common';
import { email, text } from '../../fields/kinds/text';
import { group } from '../../fields/kinds/group';
import { phoneText } from '../../fields/kinds/phone';
import type { Field, Problem } from '../../fields/types';
import { when } from '../../fields/kinds/when';
import type { ValuesOf } from '../../model/operation';
import { isObject } from '../../shared/objects';
import { billingCards } from '../customer/billing-card';
import { checkNewCustomer } from '../customer/new';
import { shippingAddresses } from '../customer/shipping-address';
import { AddCustomerRequest, AddSubscriptionRequest } from '../../wire/schemas';

/** The service derives this choice from the other fields (service.md#subscriptions). */
const source = choice({
  name: 'customerSource',
  label: 'Subscriber',
  description: 'Existing or new customer',
  options: [
    { name: 'Existing Customer', value: 'existing', description: 'Customer who is already in the vault' },
    { name: 'New Customer', value: 'new', description: 'Customer to save in the vault with the subscription' },
  ],
  required: true,
  place: 'node',
});

const newCustomer = (): Field =>
  group({
    ...AddSubscriptionRequest.customer,
    label: 'New Customer',
    description: 'Customer to save in the vault. Enter a first and last name or a company name, and a payment method.',
    itemLabel: 'New Customer',
    topLevel: true,
    open: true,
    fields: [
      text({
        ...AddCustomerRequest.customer_first_name,
        label: 'First Name',
        isName: true,
        notIdentifying: false,
        description: 'First name of the customer. First and last name are required unless you enter a company name.',
        placeholder: 'e.g. Ana',
      }),
      text({
        ...AddCustomerRequest.customer_last_name,
        label: 'Last Name',
        isName: true,
        notIdentifying: false,
        description: 'Last name of the customer',
        placeholder: 'e.g. Silva',
      }),
      text({
        ...AddCustomerRequest.customer_firm_name,
        label: 'Company Name',
        isName: true,
        notIdentifying: false,
        description: 'Company name of the customer',
        placeholder: 'e.g. Silva Bakery',
      }),
      email({
        ...AddCustomerRequest.customer_email,
        label: 'Email',
        notIdentifying: false,
        description: 'Email address of the customer',
        placeholder: 'e.g. ana@example.com',
      }),
      boolean({
        ...AddCustomerRequest.auto_generate_customer_id,
        label: 'Generate Customer ID',
        description: 'Whether the service generates the customer ID',
        default: true,
      }),
      text({
        ...AddCustomerRequest.customer_id,
        isShown: true,
        label: 'Customer ID',
        description: 'Unique ID of the new customer',
        placeholder: 'e.g. C1001',
        displayOptions: { show: { auto_generate_customer_id: [false] } },
      }),
      billingCards(),
      shippingAddresses(),
    ],
    additional: [
      phoneText({
        ...AddCustomerRequest.customer_phone,
        label: 'Phone',
        notIdentifying: false,
        description: 'Phone number of the customer, with country code',
      }),
      text({
        ...AddCustomerRequest.reference_id,
        label: 'Reference ID',
        notIdentifying: true,
        description: 'Your reference for the customer, e.g. the ID in your CRM',
      }),
      text({
        ...AddCustomerRequest.comments,
        label: 'Comments',
        notIdentifying: true,
        description: 'Notes about the customer',
      }),
      text({
        ...AddCustomerRequest.developer_id,
        technical: true,
        label: 'Developer ID',
        notIdentifying: true,
        description: 'ID of the software that sends the request',
      }),
      merchantId(AddCustomerRequest.merchant_id),
    ],
  });

/** Existing or new customer (openapi.yaml#AddSubscriptionRequest). */
export const customerFields = (): Field[] => [
  source,
  when(
    source,
    ['existing'],
    customerId(AddSubscriptionRequest.customer_id, { description: 'Existing customer to subscribe' }),
    { required: true },
  ),
  when(source, ['new'], newCustomer(), { required: true }),
];

export const checkCustomer = ({ body: { customer } }: ValuesOf<'addSubscription'>): Problem[] =>
  isObject(customer)
    ? checkNewCustomer(customer, {
        id: 'New Customer > Customer ID',
        name: 'New Customer > First Name',
        place: 'New Customer > ',
      })
    : [];
