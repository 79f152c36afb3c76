import { boolean, choice } from '../../fields/kinds/choice';
import { customerId, merchantId } from '../../fields/common';
import { email } from '../../fields/kinds/email';
import { group } from '../../fields/kinds/group';
import { phoneText } from '../../fields/kinds/phone';
import { text } from '../../fields/kinds/text';
import type { Field, Problem } from '../../fields/types';
import { when } from '../../fields/kinds/when';
import type { ValuesOf } from '../../model/operation';
import { isObject } from '../../shared/objects';
import { billingCards } from '../customer/billing-card';
import { checkNewCustomer } from '../customer/new';
import { shippingAddresses } from '../customer/shipping-address';
import { AddCustomerRequest, AddSubscriptionRequest } from '../../wire/schemas';

/** customer_id or customer (service.md#subscriptions). The service has no field for the choice itself. */
const source = choice({
  name: 'customerSource',
  label: 'Subscribing Customer',
  description: 'Whether the customer is in the vault already or is new',
  options: [
    { name: 'Existing Customer', value: 'existing', description: 'A customer who is in the vault already' },
    { name: 'New Customer', value: 'new', description: 'A customer who is saved to the vault with the subscription' },
  ],
  required: true,
  place: 'node',
});

const newCustomer = (): Field =>
  group({
    ...AddSubscriptionRequest.customer,
    label: 'New Customer',
    description: 'Who is saved to the vault: a first and last name, or a company name, and how this customer pays',
    itemLabel: 'New Customer',
    topLevel: true,
    open: true,
    fields: [
      text({
        ...AddCustomerRequest.customer_first_name,
        label: 'First Name (or Company)',
        wording: false,
        description: 'First name of the customer. Needed together with the last name, unless there is a company name.',
        placeholder: 'e.g. Ana',
      }),
      text({
        ...AddCustomerRequest.customer_last_name,
        label: 'Last Name (or Company)',
        wording: false,
        description: 'Last name of the customer',
        placeholder: 'e.g. Silva',
      }),
      text({
        ...AddCustomerRequest.customer_firm_name,
        label: 'Company Name (or Full Name)',
        wording: false,
        description: 'Company of the customer',
        placeholder: 'e.g. Silva Bakery',
      }),
      email({
        ...AddCustomerRequest.customer_email,
        label: 'Email',
        wording: false,
        description: 'Email address of the customer',
        placeholder: 'e.g. ana@example.com',
      }),
      boolean({
        ...AddCustomerRequest.auto_generate_customer_id,
        label: 'Generate Customer ID',
        description: 'Whether the service makes up the ID of the customer',
        default: true,
      }),
      text({
        ...AddCustomerRequest.customer_id,
        isShown: true,
        label: 'Customer ID',
        description: 'Your own ID of the new customer, which no other customer has',
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
        wording: false,
        description: 'Phone number of the customer with its country prefix',
      }),
      text({
        ...AddCustomerRequest.reference_id,
        label: 'Reference ID',
        wording: true,
        description: 'Your own reference to the customer, e.g. the ID in the CRM',
      }),
      text({
        ...AddCustomerRequest.comments,
        label: 'Comments',
        wording: true,
        description: 'Notes about the customer',
      }),
      text({
        ...AddCustomerRequest.developer_id,
        technical: true,
        label: 'Developer ID',
        wording: true,
        description: 'Identifies the software that saves the customer',
      }),
      merchantId(AddCustomerRequest.merchant_id),
    ],
  });

/** Who subscribes: a customer of the vault or a new one (openapi.yaml#AddSubscriptionRequest). */
export const customerFields = (): Field[] => [
  source,
  when(
    source,
    ['existing'],
    customerId(AddSubscriptionRequest.customer_id, { description: 'Customer of the vault who subscribes' }),
    { required: true },
  ),
  when(source, ['new'], newCustomer(), { required: true }),
];

/** What is wrong with the new customer, if there is one. */
export const checkCustomer = ({ body: { customer } }: ValuesOf<'addSubscription'>): Problem[] =>
  isObject(customer)
    ? checkNewCustomer(customer, {
        id: 'New Customer > Customer ID',
        name: 'New Customer > First Name (or Company)',
        place: 'New Customer > ',
      })
    : [];
