import type { EnvironmentName } from '../../sandbox/state/environment';

/** Keys that an environment accepts: a person may change to the second one. None of them may ever come out. */
export const KEYS: Record<EnvironmentName, [string, string]> = {
  test: ['canary-key-kqzt-one', 'canary-key-kqzt-two'],
  production: ['canary-key-wprd-one', 'canary-key-wprd-two'],
};
export const MERCHANT_ID = '100000000001';
