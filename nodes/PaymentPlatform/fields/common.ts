import { asText } from '../shared/objects';
import type { IntegerFact, PairsFact, TextFact } from '../wire/facts';
import type { DigitsPattern, Pattern } from '../wire/patterns';
import { inSentence } from './bounds';
import { locator } from './kinds/locator';
import { nameValuePairs } from './kinds/multiple-values';
import { GIVE_AS_TEXT, integer, isRounded } from './kinds/number';
import { text } from './kinds/text';
import { CURRENCIES } from './currencies';
import { COUNTRIES } from './countries';
import { boolean, codeField, codesOf } from './kinds/choice';
import type { Convert, Field, FieldOptions } from './types';

type MerchantFact = (TextFact & { readonly pattern: DigitsPattern }) | IntegerFact;

/** Defaults to the credential's merchant (service.md#authentication). */
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

/** Gateway profile (openapi.yaml#ProfileId). */
export const profileId = (fact: TextFact): Field =>
  text({
    ...fact,
    technical: true,
    label: 'Profile ID',
    notIdentifying: false,
    description: 'Gateway profile to use, if the merchant has more than one profile',
    placeholder: 'e.g. 12345678901234567890',
  });

export const generateReference = boolean({
  name: 'generateReference',
  label: 'Generate Reference',
  description:
    'Whether to generate a reference of 20 letters and digits if you enter none. Each attempt sends the same reference, so the node can find the record if the response is lost.',
  place: 'node',
  default: true,
});

/** The editor loads these lists from the node on demand. */
export const CODE_LISTS = {
  countries: { method: 'getCountries', codes: codesOf(COUNTRIES) },
  currencies: { method: 'getCurrencies', codes: codesOf(CURRENCIES) },
} as const;

type CurrencyOptions = Pick<FieldOptions, 'displayOptions'> & { fallback?: string };

/** Default currency (service.md#values). */
export const IN_DOLLARS = 'Defaults to U.S. dollars.';

/**
 * Sent as a three-digit code (openapi.yaml#CurrencyCode).
 * @param fallback sentence about the default currency. Missing if no source specifies it.
 */
export const currency = (fact: TextFact, { displayOptions, fallback = '' }: CurrencyOptions = {}): Field =>
  codeField(
    {
      ...fact,
      label: 'Currency',
      description: `Currency of all amounts.${fallback && ` ${fallback}`} Expressions can return a code, e.g. USD or 840.`,
      ...(displayOptions && { displayOptions }),
    },
    CODE_LISTS.currencies,
    'must be a currency code in letters or digits, e.g. USD or 840',
  );

/** Returns text such as "Line 1 of the recipient's address". */
export const ofAddress = (label: string, owner: string): string =>
  `${inSentence(label).replace(/^Address line/, 'Line')} of the ${owner}'s address`;

/** Sent as a three-digit code (openapi.yaml#CountryCode). */
export const country = (fact: TextFact, owner: string, label = 'Country'): Field =>
  codeField(
    {
      ...fact,
      label,
      notIdentifying: true,
      description: `${ofAddress('Country', owner)}. Expressions can return a code, e.g. US or 840.`,
    },
    CODE_LISTS.countries,
    'must be a country code in letters or digits, e.g. US or 840',
  );

/** Saved customer (openapi.yaml#CustomerId). */
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

export const CARD_ID = { search: 'searchCards', placeholder: 'e.g. cVbF2jXW1zHbq3M0fAeLk9Rs7TuYp5Nd' } as const;

/** Saved card or bank account (openapi.yaml#CardId). */
export const savedCard = (
  fact: TextFact,
  options: { description: string; required?: boolean; pattern?: Pattern },
): Field => locator({ ...fact, ...CARD_ID, label: 'Saved Card', ...options });

/** The service has no list of tokenized cards (service.md#card-data). */
export const tokenizedCard = (
  fact: TextFact,
  options: { description: string; required?: boolean; pattern?: Pattern },
): Field =>
  text({
    ...fact,
    parameter: 'tokenized_card_id',
    record: fact.name,
    label: 'Saved Card ID',
    isId: true,
    placeholder: CARD_ID.placeholder,
    ...options,
  });

/** A request accepts only the fields that have constraints here. */
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

const ifAccepted = <Fact>(fact: Fact | undefined, field: (fact: Fact) => Field): Field[] =>
  fact === undefined ? [] : [field(fact)];

/** Returns the rarely needed fields (openapi.yaml#tokenize, openapi.yaml#refund). */
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
      description: 'Session ID that the service uses internally',
    }),
  ),
  ...ifAccepted(body.user_id, (fact) =>
    integer({
      ...fact,
      technical: true,
      label: 'User ID',
      notIdentifying: true,
      description: 'User ID that the service uses internally',
    }),
  ),
];
