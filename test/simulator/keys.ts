import type { EnvironmentName } from '../../sandbox/state/environment';

/** API keys that each environment accepts. A user may switch to the second key. */
export const KEYS: Record<EnvironmentName, [string, string]> = {
  test: ['canary-key-kqzt-one', 'canary-key-kqzt-two'],
  production: ['canary-key-wprd-one', 'canary-key-wprd-two'],
};
export const MERCHANT_ID = '100000000001';
/** Another merchant that the API keys may act for. */
export const LINKED_MERCHANT_ID = '100000000002';
