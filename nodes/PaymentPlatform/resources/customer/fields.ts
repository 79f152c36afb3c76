import { email, text } from '../../fields/kinds/text';
import { phoneText } from '../../fields/kinds/phone';
import type { Field, FieldOptions } from '../../fields/types';
import type { Given, RecordOf } from '../../model/operation';
import { asText, fullName, only } from '../../shared/objects';
import type { TextFact } from '../../wire/facts';
import type { Pattern } from '../../wire/patterns';

export type Customer = Given<RecordOf<'getCustomer'>>;

export const mainCustomerFields = (record: Customer) =>
  only(record, [
    'customer_id',
    'customer_first_name',
    'customer_last_name',
    'customer_firm_name',
    'customer_email',
    'customer_phone',
    'reference_id',
    'primary_card_number',
  ]);

/** Returns the name for messages. Defaults to the company name, and then to the ID. */
export function nameCustomer(record: Customer): string {
  const name = fullName(record.customer_first_name, record.customer_last_name);
  return name || asText(record.customer_firm_name) || asText(record.customer_id);
}

/** Returns text such as "Ana Silva (C1)". */
export function namedWithId(record: Customer): string {
  const [name, id] = [nameCustomer(record), asText(record.customer_id)];
  return name === id || id === '' ? name : `${name} (${id})`;
}

interface NameFacts {
  customer_first_name: TextFact;
  customer_last_name: TextFact;
  customer_firm_name: TextFact;
  customer_email: TextFact;
  customer_phone: TextFact;
}

/** @param needs sentence about required fields. */
export const customerContactFields = (facts: NameFacts, needs: string): Field[] => [
  text({
    ...facts.customer_first_name,
    label: 'First Name',
    isName: true,
    notIdentifying: false,
    description: `First name of the customer. ${needs}`,
    placeholder: 'e.g. Ana',
  }),
  text({
    ...facts.customer_last_name,
    label: 'Last Name',
    isName: true,
    notIdentifying: false,
    description: 'Last name of the customer',
    placeholder: 'e.g. Silva',
  }),
  text({
    ...facts.customer_firm_name,
    label: 'Company Name',
    isName: true,
    notIdentifying: false,
    description: 'Company name of the customer',
    placeholder: 'e.g. Silva Bakery',
  }),
  email({
    ...facts.customer_email,
    label: 'Email',
    notIdentifying: false,
    description: 'Email address of the customer',
    placeholder: 'e.g. ana@example.com',
  }),
  phoneText({
    ...facts.customer_phone,
    label: 'Phone',
    notIdentifying: false,
    description: 'Phone number of the customer, with country code',
  }),
];

interface NoteFacts {
  reference_id: TextFact;
  comments: TextFact;
}

export const noteFields = (facts: NoteFacts): Field[] => [
  text({
    ...facts.reference_id,
    label: 'Reference ID',
    isId: true,
    notIdentifying: true,
    description: 'Your reference for the customer, e.g. the ID in your CRM',
  }),
  text({ ...facts.comments, label: 'Comments', notIdentifying: true, description: 'Notes about the customer' }),
];

/** ID that a user assigns to a new customer. */
export const ownCustomerId = (
  fact: TextFact & { pattern: Pattern },
  description: string,
  more: Pick<FieldOptions, 'required' | 'displayOptions'>,
): Field =>
  text({
    ...fact,
    parameter: 'own_customer_id',
    record: 'customer_id',
    label: 'Customer ID',
    isShown: true,
    description,
    placeholder: 'e.g. C1001',
    ...more,
  });

/** ID of the software that sends the request. */
export const developerId = (fact: TextFact): Field =>
  text({
    ...fact,
    technical: true,
    label: 'Developer ID',
    notIdentifying: true,
    description: 'ID of the software that sends the request',
  });
