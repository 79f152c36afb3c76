import { digits, text } from '../../fields/text';
import type { Field } from '../../fields/types';

/**
 * The address fields that billing cards and shipping addresses have in common (openapi.yaml#AddBillingCardRequest), by
 * the prefix of their names.
 * @param whose ends the descriptions, e.g. "of the holder".
 */
export function address(prefix: 'billing' | 'shipping', whose: string) {
  const line = (name: string, label: string, maxLength: number, placeholder = '', wording = true): Field =>
    text({
      name: `${prefix}_${name}`,
      label,
      maxLength,
      wording,
      description: `${label} ${whose}`,
      ...(placeholder && { placeholder }),
    });
  return {
    firstName: line('first_name', 'First Name', 32, 'e.g. Ana', false),
    lastName: line('last_name', 'Last Name', 32, 'e.g. Silva', false),
    firmName: line('firm_name', 'Company Name', 64, 'e.g. Silva Bakery', false),
    street: line('addr1', 'Address Line 1', 128, 'e.g. 12 Mill Road'),
    city: line('city', 'City', 64),
    state: line('state', 'State', 3, 'e.g. OR'),
    zip: line('zip', 'ZIP or Postal Code', 10, 'e.g. 97477'),
    secondLine: line('addr2', 'Address Line 2', 128),
    country: line('country', 'Country', 128),
    zipExtension: text({
      name: `${prefix}_zip4`,
      label: 'ZIP Extension',
      wording: true,
      description: 'Last four digits of a U.S. ZIP code',
      pattern: digits(4, 4),
    }),
    countryCode: text({
      name: `${prefix}_country_code`,
      label: 'Country Code',
      wording: true,
      description: 'Three-digit number of the country, e.g. 840 for the United States',
      pattern: digits(3, 3),
    }),
  };
}
