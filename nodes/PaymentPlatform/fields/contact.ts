import { group } from './group';
import { digits, text } from './text';
import type { Field } from './types';

const line = (name: string, label: string, maxLength: number, placeholder?: string): Field =>
  text({ name, label, maxLength, description: `${label} of the contact`, ...(placeholder && { placeholder }) });

/** A contact of an invoice (section 2.7); lengths as the reference gives them. */
export const contact = (options: { name: string; label: string; description: string }): Field =>
  group({
    ...options,
    list: false,
    itemLabel: 'Contact',
    fields: [
      line('first_name', 'First Name', 32, 'e.g. Ana'),
      line('last_name', 'Last Name', 32, 'e.g. Silva'),
      line('firm_name', 'Company Name', 64, 'e.g. Silva Bakery'),
      line('email_address', 'Email', 64, 'e.g. ana@example.com'),
      line('phone', 'Phone', 32, 'e.g. 12025550143'),
      line('address1', 'Address Line 1', 128),
      line('address2', 'Address Line 2', 128),
      line('city', 'City', 64),
      line('state', 'State', 64),
      line('zip', 'ZIP or Postal Code', 10),
      text({
        name: 'zip4',
        label: 'ZIP Extension',
        description: 'Last four digits of a U.S. ZIP code',
        pattern: digits(1, 4),
      }),
      line('country', 'Country', 128),
      text({
        name: 'country_code',
        label: 'Country Code',
        description: 'Three-digit number of the country, e.g. 840 for the United States',
        pattern: digits(3, 3),
      }),
    ],
  });
