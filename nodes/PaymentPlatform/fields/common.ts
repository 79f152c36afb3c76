import { locator } from './locator';
import { nameValuePairs } from './multiple-values';
import { integer } from './number';
import { alphanumeric, digits, text } from './text';
import type { Field, FieldOptions, FieldPlace } from './types';

/**
 * The merchant on whose behalf the request is made; the credential's own merchant unless given
 * (docs/service.md#authentication).
 */
export const merchantId = (place: FieldPlace = 'body'): Field =>
  text({
    name: 'merchant_id',
    label: 'On Behalf of Merchant ID',
    description: "Merchant to act for, when it is not the credential's own",
    placeholder: 'e.g. 123456789012',
    place,
    // The gateway knows merchants of up to 12 digits, the platform of up to 16 (docs/service.md#authentication).
    pattern: digits(1, place === 'body' ? 12 : 16),
  });

/**
 * The same merchant as an integer, as platform bodies carry it (openapi.yaml#MerchantId); digits beyond 15 would not
 * be exact.
 */
export const merchantNumber = (): Field =>
  integer({
    name: 'merchant_id',
    label: 'On Behalf of Merchant ID',
    description: "Merchant to act for, when it is not the credential's own",
    placeholder: 'e.g. 123456789012',
    least: 1,
    most: 999_999_999_999_999,
  });

/** The gateway profile to use (openapi.yaml#ProfileId). */
export const profileId = (): Field =>
  text({
    name: 'profile_id',
    label: 'Profile ID',
    description: 'Gateway profile to use, needed only when the merchant has more than one',
    placeholder: 'e.g. 12345678901234567890',
    pattern: digits(1, 20),
  });

/** Three-digit numeric currency code (openapi.yaml#CurrencyCode). */
export const currency = ({ displayOptions }: Pick<FieldOptions, 'displayOptions'> = {}): Field =>
  text({
    name: 'tran_currency',
    label: 'Currency Code',
    description:
      "Three-digit number of the currency, e.g. 840 for US dollars. The profile's own currency unless given.",
    placeholder: 'e.g. 840',
    pattern: digits(3, 3),
    ...(displayOptions && { displayOptions }),
  });

/** A customer of the vault, picked or by ID (openapi.yaml#CustomerId). */
export const customerId = (options: { description: string; required?: boolean; hint?: string }): Field =>
  locator({
    name: 'customer_id',
    label: 'Customer',
    search: 'searchCustomers',
    placeholder: 'e.g. C1001',
    pattern: alphanumeric(32),
    ...options,
  });

/**
 * Fields that every gateway request can carry and that are rarely needed (openapi.yaml#tokenize, openapi.yaml#refund).
 */
export const gatewayFields = (): Field[] => [
  merchantId(),
  profileId(),
  text({
    name: 'loc_id',
    label: 'Store Location ID',
    description: 'Store location that the request belongs to',
    placeholder: 'e.g. 0001',
    pattern: digits(1, 4),
  }),
  text({
    name: 'developer_id',
    label: 'Developer ID',
    wording: true,
    description: 'Identifies the software that sends the request',
    pattern: alphanumeric(32),
  }),
  integer({
    name: 'vendor_id',
    label: 'Vendor ID',
    description: 'ID of the integrator. Required for integrators.',
    most: 999_999_999_999,
  }),
  nameValuePairs({
    name: 'echo_fields',
    label: 'Echo Fields',
    wording: true,
    description: 'Names and values that come back unchanged in the response',
  }),
  nameValuePairs({
    name: 'report_data',
    label: 'Report Data',
    wording: true,
    description: 'Names and values that are kept for reporting',
  }),
  text({ name: 'session_id', label: 'Session ID', wording: true, description: 'Session that the request belongs to' }),
  integer({ name: 'user_id', label: 'User ID', wording: true, description: 'User that the request belongs to' }),
];
