import type { ObjectFact, TextFact } from '../../wire/facts';
import { Contact } from '../../wire/schemas';
import { inSentence } from '../bounds';
import { country, ofAddress } from '../common';
import { email, text } from './text';
import { group } from './group';
import { phoneText } from './phone';
import type { Field } from '../types';

type Part = keyof typeof Contact;

interface ContactOptions extends ObjectFact<typeof Contact> {
  type: 'object';
  label: string;
  description: string;
  notIdentifying?: boolean;
  needed: readonly Part[];
}

/** Invoice contact (openapi.yaml#Contact). */
export function contact({ needed, ...options }: ContactOptions): Field {
  const labelOf = (part: Part, label: string) => (needed.includes(part) ? `${label} (Required)` : label);
  const line = (part: Part, label: string, notIdentifying: boolean, placeholder?: string): Field => {
    const fact: TextFact = Contact[part];
    const description = notIdentifying ? ofAddress(label, 'contact') : `${inSentence(label)} of the contact`;
    return text({
      ...fact,
      label: labelOf(part, label),
      notIdentifying,
      ...(!notIdentifying && { isName: true }),
      description,
      ...(placeholder && { placeholder }),
    });
  };
  const who = (part: Part, label: string, placeholder: string) => line(part, label, false, placeholder);
  const where = (part: Part, label: string, placeholder?: string) => line(part, label, true, placeholder);
  return group({
    ...options,
    itemLabel: options.label,
    open: true,
    fields: [
      who('first_name', 'First Name', 'e.g. Ana'),
      who('last_name', 'Last Name', 'e.g. Silva'),
      who('firm_name', 'Company Name', 'e.g. Silva Bakery'),
      email({
        ...Contact.email_address,
        label: labelOf('email_address', 'Email'),
        notIdentifying: false,
        description: 'Email address of the contact',
        placeholder: 'e.g. ana@example.com',
      }),
      phoneText({
        ...Contact.phone,
        label: labelOf('phone', 'Phone'),
        notIdentifying: false,
        description: 'Phone number of the contact, with country code',
      }),
    ],
    additional: [
      where('address1', 'Address Line 1', 'e.g. 12 Mill Road'),
      where('address2', 'Address Line 2'),
      where('city', 'City'),
      where('state', 'State', 'e.g. OR'),
      where('zip', 'ZIP or Postal Code', 'e.g. 97477'),
      country(Contact.country_code, 'contact'),
      text({
        ...Contact.zip4,
        label: 'ZIP Extension',
        notIdentifying: true,
        description: 'ZIP+4 extension, e.g. 1234',
      }),
      where('country', 'Country Name'),
    ],
  });
}
