import { inSentence } from '../../fields/bounds';
import { country } from '../../fields/common';
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
/**
 * The editor doesn't mark required fields in a list as required, because n8n would reject saved workflows that lack a
 * value.
 */
type AddressFact = TextFact & { readonly unmarked?: true; readonly requiredFor?: string };
export type AddressFacts<P extends Prefix> = { readonly [Name in `${P}_${Line}`]: AddressFact };

/**
 * Returns the address fields that billing cards and shipping addresses share (openapi.yaml#AddBillingCardRequest).
 * @param prefix prefix of the field names.
 * @param whose end of the descriptions, such as "of the holder".
 * @param before prefix of the labels, such as "Billing ". Needed only if no surrounding group names the owner.
 * @param isWhole whether the address is a complete record and not a part of a card or a payment.
 */
export function address<P extends Prefix>(
  facts: AddressFacts<P>,
  prefix: P,
  whose: string,
  before = '',
  isWhole = false,
) {
  const line = (name: Line, label: string, placeholder = '', notIdentifying = !isWhole): Field => {
    const fact = facts[`${prefix}_${name}`];
    return text({
      ...fact,
      label: `${before}${label}`,
      notIdentifying,
      description: `${inSentence(label)} ${whose}${fact.unmarked ? `. Required${fact.requiredFor ?? ''}.` : ''}`,
      ...(placeholder && { placeholder }),
    });
  };
  return {
    firstName: line('first_name', 'First Name', 'e.g. Ana', false),
    lastName: line('last_name', 'Last Name', 'e.g. Silva', false),
    firmName: line('firm_name', 'Company Name', 'e.g. Silva Bakery', false),
    street: line('addr1', 'Address Line 1', 'e.g. 12 Mill Road'),
    city: line('city', 'City', 'e.g. Springfield'),
    state: line('state', 'State', 'e.g. OR'),
    zip: line('zip', 'ZIP or Postal Code', 'e.g. 97477'),
    country: country(facts[`${prefix}_country_code`], whose, `${before}Country`),
    secondLine: line('addr2', 'Address Line 2'),
    countryName: line('country', 'Country Name'),
    zipExtension: text({
      ...facts[`${prefix}_zip4`],
      label: `${before}ZIP Extension`,
      notIdentifying: !isWhole,
      description: 'Last four digits of a U.S. ZIP code',
    }),
  };
}
