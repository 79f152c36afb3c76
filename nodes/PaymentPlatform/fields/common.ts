import { asText } from '../shared/objects';
import type { IntegerFact, PairsFact, TextFact } from '../wire/facts';
import type { DigitsPattern, Pattern } from '../wire/patterns';
import { locator } from './kinds/locator';
import { nameValuePairs } from './kinds/multiple-values';
import { GIVE_AS_TEXT, integer, isRounded } from './kinds/number';
import { text } from './kinds/text';
import { CURRENCIES } from './currencies';
import { COUNTRIES } from './countries';
import { boolean, codeField, codesOf } from './kinds/choice';
import type { Convert, Field, FieldOptions } from './types';

/**
 * Merchant ID in a request. Platform bodies contain the ID as a number. Paths, queries and other bodies contain text.
 */
type MerchantFact = (TextFact & { readonly pattern: DigitsPattern }) | IntegerFact;

/**
 * Field for the ID of the merchant that the request acts for. Defaults to the credential's merchant
 * (service.md#authentication). IDs sent as text pass the same checks as IDs sent as numbers, so queries and bodies
 * accept the same values.
 */
export function merchantId(fact: MerchantFact): Field {
  const seen = {
    technical: true,
    label: 'On Behalf of Merchant ID',
    description: "Merchant for whom you send the request. Defaults to the credential's merchant.",
    placeholder: 'e.g. 123456789012',
    least: 1,
  } as const;
  if (fact.type === 'integer') return integer({ ...fact, ...seen });
  const { pattern, ...about } = fact;
  const number = integer({
    ...about,
    ...seen,
    type: 'integer',
    most: Math.min(10 ** pattern.longest - 1, Number.MAX_SAFE_INTEGER),
  });
  const convert: Convert = (value, problem, context) => {
    if (isRounded(value)) return problem(GIVE_AS_TEXT);
    const whole = number.convert(value, problem, context);
    return whole === undefined ? undefined : asText(whole);
  };
  return { ...number, convert };
}

/** Field for the gateway profile of the request (openapi.yaml#ProfileId). */
export const profileId = (fact: TextFact): Field =>
  text({
    ...fact,
    technical: true,
    label: 'Profile ID',
    notIdentifying: false,
    description: 'Gateway profile to use. Required only if the merchant has more than one profile.',
    placeholder: 'e.g. 12345678901234567890',
  });

/** Switch for generating a record's reference (`Footprint.reference`) if the user enters no reference. */
export const generateReference = boolean({
  name: 'generateReference',
  label: 'Generate Reference',
  description:
    'Whether the node generates a reference of 20 letters and digits if you leave the number or reference empty. Each attempt sends the same reference, so the node can find the record if the response is lost.',
  place: 'node',
  default: true,
});

/** Lists of codes that the editor loads from the node. */
export const CODE_LISTS = {
  countries: { method: 'getCountries', codes: codesOf(COUNTRIES) },
  currencies: { method: 'getCurrencies', codes: codesOf(CURRENCIES) },
} as const;

type CurrencyOptions = Pick<FieldOptions, 'displayOptions'> & { fallback?: string };

/** Sentence for requests that default to U.S. dollars instead of the profile's currency (service.md#values). */
export const IN_DOLLARS = 'Defaults to U.S. dollars.';

/**
 * Currency field, sent as a three-digit code (openapi.yaml#CurrencyCode).
 * @param fallback sentence about the service's default currency.
 */
export const currency = (
  fact: TextFact,
  { displayOptions, fallback = 'Defaults to the currency of the profile.' }: CurrencyOptions = {},
): Field =>
  codeField(
    {
      ...fact,
      label: 'Currency',
      description: `Currency of all amounts. ${fallback} Expressions can return a code, e.g. USD or 840.`,
      ...(displayOptions && { displayOptions }),
    },
    CODE_LISTS.currencies,
    'must be a currency code in letters or digits, e.g. USD or 840',
  );

/** Country field, sent as a three-digit code (openapi.yaml#CountryCode). */
export const country = (fact: TextFact, whose: string, label = 'Country'): Field =>
  codeField(
    {
      ...fact,
      label,
      notIdentifying: true,
      description: `Country ${whose}. Expressions can return a code, e.g. US or 840.`,
    },
    CODE_LISTS.countries,
    'must be a country code in letters or digits, e.g. US or 840',
  );

/** Field for a customer in the vault, selected from a list or entered by ID (openapi.yaml#CustomerId). */
export const customerId = (
  fact: TextFact,
  options: { description: string; required?: boolean; hint?: string },
): Field =>
  locator({
    ...fact,
    label: 'Customer',
    search: 'searchCustomers',
    placeholder: 'e.g. C1001',
    ...options,
  });

/** Search method and example for card ID fields. */
export const CARD_ID = { search: 'searchCards', placeholder: 'e.g. cVbF2jXW1zHbq3M0fAeLk9Rs7TuYp5Nd' } as const;

/** Field for a saved card or bank account, selected from a list or entered by card ID (openapi.yaml#CardId). */
export const savedCard = (
  fact: TextFact,
  options: { description: string; required?: boolean; pattern?: Pattern },
): Field => locator({ ...fact, ...CARD_ID, label: 'Saved Card', ...options });

/**
 * Interface constraints on the rarely needed fields of a gateway request. If a constraint is missing, the request
 * doesn't accept the field.
 */
interface GatewayFacts {
  merchant_id: TextFact & { readonly pattern: DigitsPattern };
  profile_id?: TextFact;
  loc_id?: TextFact;
  developer_id?: TextFact;
  vendor_id?: IntegerFact;
  echo_fields?: PairsFact;
  report_data?: PairsFact;
  session_id?: TextFact;
  user_id?: IntegerFact;
}

/** Returns a list with the field, or an empty list if the request doesn't accept the field. */
const ifAccepted = <Fact>(fact: Fact | undefined, field: (fact: Fact) => Field): Field[] =>
  fact === undefined ? [] : [field(fact)];

/** Returns the rarely needed fields that a gateway request accepts (openapi.yaml#tokenize, openapi.yaml#refund). */
export const gatewayFields = (body: GatewayFacts): Field[] => [
  merchantId(body.merchant_id),
  ...ifAccepted(body.profile_id, profileId),
  ...ifAccepted(body.loc_id, (fact) =>
    text({
      ...fact,
      technical: true,
      label: 'Store Location ID',
      description: 'ID of your store location',
      placeholder: 'e.g. 0001',
    }),
  ),
  ...ifAccepted(body.developer_id, (fact) =>
    text({
      ...fact,
      technical: true,
      label: 'Developer ID',
      notIdentifying: true,
      description: 'ID of the software that sends the request',
    }),
  ),
  ...ifAccepted(body.vendor_id, (fact) =>
    integer({
      ...fact,
      technical: true,
      label: 'Vendor ID',
      description: 'ID of the integrator. Required only for integrators.',
    }),
  ),
  ...ifAccepted(body.echo_fields, (fact) =>
    nameValuePairs({
      ...fact,
      technical: true,
      label: 'Echo Fields',
      notIdentifying: true,
      description: 'Names and values that the response returns unchanged',
    }),
  ),
  ...ifAccepted(body.report_data, (fact) =>
    nameValuePairs({
      ...fact,
      technical: true,
      label: 'Report Data',
      notIdentifying: true,
      description: 'Names and values to store for reporting',
    }),
  ),
  ...ifAccepted(body.session_id, (fact) =>
    text({
      ...fact,
      technical: true,
      label: 'Session ID',
      notIdentifying: true,
      description: 'Session ID, for internal use by the service',
    }),
  ),
  ...ifAccepted(body.user_id, (fact) =>
    integer({
      ...fact,
      technical: true,
      label: 'User ID',
      notIdentifying: true,
      description: 'User ID, for internal use by the service',
    }),
  ),
];
