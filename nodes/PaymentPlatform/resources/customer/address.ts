import { inSentence } from '../../fields/bounds';
import { country, ofAddress } from '../../fields/common';
import { text } from '../../fields/kinds/text';
import type { Field } from '../../fields/types';
import type { TextFact } from '../../wire/facts';

type Prefix = 'billing' | 'shipping';
type Line =
  | 'first_name'
  | 'last_name'
  | 'firm_name'
  | 'addr1'
  | 'addr2'
  | 'city'
  | 'state'
  | 'zip'
  | 'zip4'
  | 'country'
  | 'country_code';
/** In a list, the editor marks no field as required, because n8n would reject saved workflows without a value. */
type AddressFact = TextFact & { readonly unmarked?: true; readonly requiredFor?: string };
export type AddressFacts<P extends Prefix> = { readonly [Name in `${P}_${Line}`]: AddressFact };

/**
 * Fields of openapi.yaml#AddBillingCardRequest.
 * @param owner person in the descriptions, such as "holder".
 * @param before prefix of the labels, such as "Billing ".
 * @param isWhole whether the address is a complete record.
 */
export function address<P extends Prefix>(
  facts: AddressFacts<P>,
  prefix: P,
  owner: string,
  before = '',
  isWhole = false,
) {
  const line = (name: Line, label: string, placeholder = '', isName = false): Field => {
    const fact = facts[`${prefix}_${name}`];
    const description = isName ? `${inSentence(label)} of the ${owner}` : ofAddress(label, owner);
    return text({
      ...fact,
      label: `${before}${label}`,
      ...(isName && { isName }),
      notIdentifying: !isName && !isWhole,
      description: `${description}${fact.unmarked ? `. Required${fact.requiredFor ?? ''}.` : ''}`,
      ...(placeholder && { placeholder }),
    });
  };
  return {
    firstName: line('first_name', 'First Name', 'e.g. Ana', true),
    lastName: line('last_name', 'Last Name', 'e.g. Silva', true),
    firmName: line('firm_name', 'Company Name', 'e.g. Silva Bakery', true),
    street: line('addr1', 'Address Line 1', 'e.g. 12 Mill Road'),
    city: line('city', 'City', 'e.g. Springfield'),
    state: line('state', 'State', 'e.g. OR'),
    zip: line('zip', 'ZIP or Postal Code', 'e.g. 97477'),
    country: country(facts[`${prefix}_country_code`], owner, `${before}Country`),
    secondLine: line('addr2', 'Address Line 2'),
    countryName: line('country', 'Country Name'),
    zipExtension: text({
      ...facts[`${prefix}_zip4`],
      label: `${before}ZIP Extension`,
      notIdentifying: !isWhole,
      description: 'ZIP+4 extension, e.g. 1234',
    }),
  };
}
