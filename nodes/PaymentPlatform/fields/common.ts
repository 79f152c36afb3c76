import { asText } from '../shared/objects';
import type { IntegerFact, PairsFact, TextFact } from '../wire/facts';
import type { DigitsPattern, Pattern } from '../wire/patterns';
import { locator } from './kinds/locator';
import { nameValuePairs } from './kinds/multiple-values';
import { integer } from './kinds/number';
import { GIVE_AS_TEXT, isRounded } from './detect-mistyped';
import { text } from './kinds/text';
import { CURRENCIES } from './currencies';
import { COUNTRIES } from './countries';
import { codeField, codesOf } from './kinds/choice';
import type { Convert, Field, FieldOptions } from './types';

/** A merchant ID: bodies of the platform take it as a number, everything else as the text of its digits. */
type MerchantFact = (TextFact & { readonly pattern: DigitsPattern }) | IntegerFact;

/**
 * The merchant on whose behalf the request is made; the credential's own merchant unless given
 * (service.md#authentication). Text follows the rule of the number, so that queries and bodies take the same IDs.
 */
export function merchantId(fact: MerchantFact): Field {
  const seen = {
    technical: true,
    label: 'On Behalf of Merchant ID',
    description: 'Merchant on whose behalf the request is sent. Defaults to the merchant of the credential.',
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

/** The gateway profile to use (openapi.yaml#ProfileId). */
export const profileId = (fact: TextFact): Field =>
  text({
    ...fact,
    technical: true,
    label: 'Profile ID',
    notIdentifying: false,
    description: 'Gateway profile to use. Required only if the merchant has more than one profile.',
    placeholder: 'e.g. 12345678901234567890',
  });

/** The lists that the editor asks the node for, by name. */
export const CODE_LISTS = {
  countries: { method: 'getCountries', codes: codesOf(COUNTRIES) },
  currencies: { method: 'getCurrencies', codes: codesOf(CURRENCIES) },
} as const;

type CurrencyOptions = Pick<FieldOptions, 'displayOptions'> & { fallback?: string };

/** What a currency that is left out means, where the service has one of its own (service.md#values). */
export const IN_DOLLARS = 'Defaults to U.S. dollars.';

/**
 * The currency, sent as its three digits (openapi.yaml#CurrencyCode).
 * @param fallback what the service takes when none is given.
 */
export const currency = (
  fact: TextFact,
  { displayOptions, fallback = 'Defaults to the currency of the profile.' }: CurrencyOptions = {},
): Field =>
  codeField(
    {
      ...fact,
      label: 'Currency',
      description: `Currency of all amounts. ${fallback} Expressions can return the code in letters or digits, e.g. USD or 840.`,
      ...(displayOptions && { displayOptions }),
    },
    CODE_LISTS.currencies,
    'must be a currency by its letters or its three digits, e.g. USD or 840',
  );

/** A country, sent as its three digits (openapi.yaml#CountryCode). */
export const country = (fact: TextFact, whose: string, label = 'Country'): Field =>
  codeField(
    {
      ...fact,
      label,
      notIdentifying: true,
      description: `Country ${whose}. Expressions can return the code in letters or digits, e.g. US or 840.`,
    },
    CODE_LISTS.countries,
    'must be a country by its two letters or its three digits, e.g. US or 840',
  );

/** A customer of the vault, picked or by ID (openapi.yaml#CustomerId). */
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

/** A card or bank account that is saved under a card ID, picked or by ID (openapi.yaml#CardId). */
export const savedCard = (
  fact: TextFact,
  options: { description: string; required?: boolean; pattern?: Pattern },
): Field =>
  locator({
    ...fact,
    label: 'Saved Card',
    search: 'searchCards',
    placeholder: 'e.g. cVbF2jXW1zHbq3M0fAeLk9Rs7TuYp5Nd',
    ...options,
  });

/** What every gateway request takes. */
interface GatewayFacts {
  merchant_id: TextFact & { readonly pattern: DigitsPattern };
  profile_id: TextFact;
  loc_id: TextFact;
  developer_id: TextFact;
  vendor_id: IntegerFact;
  echo_fields: PairsFact;
  report_data: PairsFact;
  session_id: TextFact;
  user_id: IntegerFact;
}

/**
 * Fields that every gateway request can carry and that are rarely needed (openapi.yaml#tokenize, openapi.yaml#refund).
 */
export const gatewayFields = (body: GatewayFacts): Field[] => [
  merchantId(body.merchant_id),
  profileId(body.profile_id),
  text({
    ...body.loc_id,
    technical: true,
    label: 'Store Location ID',
    description: 'Store location of the request',
    placeholder: 'e.g. 0001',
  }),
  text({
    ...body.developer_id,
    technical: true,
    label: 'Developer ID',
    notIdentifying: true,
    description: 'ID of the software that sends the request',
  }),
  integer({
    ...body.vendor_id,
    technical: true,
    label: 'Vendor ID',
    description: 'ID of the integrator. Required for integrators.',
  }),
  nameValuePairs({
    ...body.echo_fields,
    technical: true,
    label: 'Echo Fields',
    notIdentifying: true,
    description: 'Names and values that the response returns unchanged',
  }),
  nameValuePairs({
    ...body.report_data,
    technical: true,
    label: 'Report Data',
    notIdentifying: true,
    description: 'Names and values to store for reporting',
  }),
  text({
    ...body.session_id,
    technical: true,
    label: 'Session ID',
    notIdentifying: true,
    description: 'Session ID of the request',
  }),
  integer({
    ...body.user_id,
    technical: true,
    label: 'User ID',
    notIdentifying: true,
    description: 'User ID of the request',
  }),
];
