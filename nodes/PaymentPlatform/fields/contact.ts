import type { ObjectFact, TextFact } from '../wire/facts';
import { Contact } from '../wire/schemas';
import { email } from './email';
import { group } from './group';
import { phoneText } from './phone';
import { text } from './text';
import type { Field } from './types';

const line = (fact: TextFact, label: string, wording: boolean, placeholder?: string): Field =>
  text({ ...fact, label, wording, description: `${label} of the contact`, ...(placeholder && { placeholder }) });

const who = (fact: TextFact, label: string, placeholder: string) => line(fact, label, false, placeholder);
const where = (fact: TextFact, label: string) => line(fact, label, true);

/** A contact of an invoice (openapi.yaml#Contact). */
export const contact = (
  options: ObjectFact<typeof Contact> & { type: 'object'; label: string; description: string; wording?: boolean },
): Field =>
  group({
    ...options,
    itemLabel: 'Contact',
    fields: [
      who(Contact.first_name, 'First Name', 'e.g. Ana'),
      who(Contact.last_name, 'Last Name', 'e.g. Silva'),
      who(Contact.firm_name, 'Company Name', 'e.g. Silva Bakery'),
      email({
        ...Contact.email_address,
        label: 'Email',
        wording: false,
        description: 'Email address of the contact',
        placeholder: 'e.g. ana@example.com',
      }),
      phoneText({
        ...Contact.phone,
        label: 'Phone',
        wording: false,
        description: 'Phone number of the contact with its country prefix',
      }),
      where(Contact.address1, 'Address Line 1'),
      where(Contact.address2, 'Address Line 2'),
      where(Contact.city, 'City'),
      where(Contact.state, 'State'),
      where(Contact.zip, 'ZIP or Postal Code'),
      text({
        ...Contact.zip4,
        label: 'ZIP Extension',
        wording: true,
        description: 'Last four digits of a U.S. ZIP code',
      }),
      where(Contact.country, 'Country'),
      text({
        ...Contact.country_code,
        label: 'Country Code',
        wording: true,
        description: 'Three-digit number of the country, e.g. 840 for the United States',
      }),
    ],
  });
