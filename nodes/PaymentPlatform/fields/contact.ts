import { group } from './group';
import { digits, text } from './text';
import type { Field } from './types';

interface Line {
  name: string;
  label: string;
  maxLength: number;
  placeholder?: string;
  wording: boolean;
}

const line = (options: Line): Field => text({ ...options, description: `${options.label} of the contact` });

/** A contact of an invoice (openapi.yaml#Contact). */
export const contact = (options: { name: string; label: string; description: string; wording?: boolean }): Field => {
  const who = (name: string, label: string, maxLength: number, placeholder?: string) =>
    line({ name, label, maxLength, placeholder, wording: false });
  const where = (name: string, label: string, maxLength: number) => line({ name, label, maxLength, wording: true });
  return group({
    ...options,
    list: false,
    itemLabel: 'Contact',
    fields: [
      who('first_name', 'First Name', 32, 'e.g. Ana'),
      who('last_name', 'Last Name', 32, 'e.g. Silva'),
      who('firm_name', 'Company Name', 64, 'e.g. Silva Bakery'),
      who('email_address', 'Email', 64, 'e.g. ana@example.com'),
      who('phone', 'Phone', 32, 'e.g. 12025550143'),
      where('address1', 'Address Line 1', 128),
      where('address2', 'Address Line 2', 128),
      where('city', 'City', 64),
      where('state', 'State', 64),
      where('zip', 'ZIP or Postal Code', 10),
      text({
        name: 'zip4',
        label: 'ZIP Extension',
        wording: true,
        description: 'Last four digits of a U.S. ZIP code',
        pattern: digits(1, 4),
      }),
      where('country', 'Country', 128),
      text({
        name: 'country_code',
        label: 'Country Code',
        wording: true,
        description: 'Three-digit number of the country, e.g. 840 for the United States',
        pattern: digits(3, 3),
      }),
    ],
  });
};
