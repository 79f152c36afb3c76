import { boolean } from '../../fields/choice';
import { merchantId } from '../../fields/common';
import { text } from '../../fields/text';
import { operation } from '../../pipeline/operation';
import { billingCards, TWICE } from './billing-card';
import { calledBy, mainFields, nameFields, noteFields } from './fields';
import { checkNewCustomer } from './new';
import { noteExpiredCards } from './past';
import { shippingAddresses } from './shipping-address';
import * as wire from '../../wire/operations';

const { body } = wire.addCustomer;

export const create = operation({
  value: 'create',
  name: 'Create',
  action: 'Create customer',
  description: 'Save a new customer to the vault, with cards, bank accounts and addresses. Nothing is charged.',
  request: wire.addCustomer.request,
  fields: [
    ...nameFields(body, 'A new customer needs a first and last name, or a company name.'),
    boolean({
      ...body.auto_generate_customer_id,
      label: 'Generate Customer ID',
      description: 'Whether the service makes up the ID of the customer',
      default: true,
    }),
    text({
      ...body.customer_id,
      parameter: 'own_customer_id',
      record: 'customer_id',
      label: 'Customer ID',
      description: 'Your own ID of the customer: up to 32 letters and digits that no other customer has',
      placeholder: 'e.g. C1001',
      displayOptions: { show: { auto_generate_customer_id: [false] } },
    }),
    billingCards(),
    shippingAddresses(),
  ],
  additional: [
    ...noteFields(body),
    text({
      ...body.developer_id,
      technical: true,
      label: 'Developer ID',
      wording: true,
      description: 'Identifies the software that saves the customer',
    }),
    merchantId(body.merchant_id),
  ],
  check: (values) => checkNewCustomer(values.body, { id: 'Customer ID', name: 'First Name' }),
  note: noteExpiredCards,
  simplified: mainFields,
  says: (record) => `Saved ${calledBy(record)} to the vault. Nothing was charged.`,
  refusals: [
    {
      says: /"?customer_id"?.*(?:taken|exist|in use)/i,
      what: 'There is a customer with this ID already',
      advice: 'Give another ID: the customer who has this one stays as it is.',
    },
    TWICE,
  ],
  lookUp:
    'Nothing was charged. Look for the customer in Customer > Get Many by name: creating once more saves a second customer.',
});
