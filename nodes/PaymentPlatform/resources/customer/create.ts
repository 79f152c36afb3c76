import { boolean } from '../../fields/kinds/choice';
import { merchantId } from '../../fields/common';
import { operation } from '../../model/operation';
import { billingCards, TWICE } from './billing-card';
import {
  developerId,
  mainCustomerFields,
  namedWithId,
  customerContactFields,
  noteFields,
  ownCustomerId,
} from './fields';
import { checkNewCustomer } from './new';
import { noteExpiredCards } from './past';
import { shippingAddresses } from './shipping-address';
import * as wire from '../../wire/operations';

const { body } = wire.addCustomer;

export const create = operation({
  value: 'create',
  name: 'Create',
  action: 'Create customer',
  description: 'Save a customer to the vault with cards, bank accounts and addresses. Nothing is charged.',
  moneyEffect: '',
  request: wire.addCustomer.request,
  fields: [
    ...customerContactFields(body, 'A new customer needs a first and last name or a company name.'),
    boolean({
      ...body.auto_generate_customer_id,
      label: 'Generate Customer ID',
      description: 'Whether the service generates the customer ID',
      default: true,
    }),
    ownCustomerId(body.customer_id, 'Unique ID of the customer', {
      displayOptions: { show: { auto_generate_customer_id: [false] } },
    }),
    billingCards(),
    shippingAddresses(),
  ],
  additional: [...noteFields(body), developerId(body.developer_id), merchantId(body.merchant_id)],
  check: (values) => checkNewCustomer(values.body, { id: 'Customer ID', name: 'First Name' }),
  notice: noteExpiredCards,
  simplified: mainCustomerFields,
  summary: (record) => `Created customer ${namedWithId(record)}.`,
  refusals: [
    {
      pattern: /"?customer_id"?.*(?:taken|exist|in use)/i,
      what: 'A customer with this ID already exists',
      advice: 'Enter another ID, or use Customer > Create or Update to update the existing customer.',
    },
    TWICE,
  ],
  creates: 'customer_id',
  lookUp:
    'Nothing was charged. Look for the customer by name in Customer > Get Many. If you create the customer again, the service may save a duplicate.',
});
