import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';
import type { Account } from '../model/types';

type EnvironmentName = Account['environment'];

const WORDS: Readonly<Record<EnvironmentName, readonly string[]>> = {
  test: ['test', 'testing', 'sandbox', 'staging', 'stage', 'uat', 'demo', 'dev'],
  production: ['production', 'prod', 'live'],
};

/** Which environment an address names by a whole word of it, such as "sandbox"; nothing is said where it names none or both. */
export function environmentNamedBy(baseUrl: string): { environment: EnvironmentName; word: string } | undefined {
  const inAddress = baseUrl.toLowerCase().split(/[^a-z]+/);
  const named = (['test', 'production'] as const).flatMap((environment) => {
    const word = WORDS[environment].find((one) => inAddress.includes(one));
    return word === undefined ? [] : [{ environment, word }];
  });
  return named.length === 1 ? named[0] : undefined;
}

const TEST_CODE = /^T\d{5}$/;
/** So few could begin with T and go on in digits by chance. */
const ENOUGH = 3;

/**
 * Which environment the approvals of a report come from (service.md#test-environment); nothing where there are too
 * few to tell.
 */
export function shownEnvironment(records: IDataObject[]): EnvironmentName | undefined {
  const codes = records.map(({ auth_code }) => asText(auth_code).trim()).filter((code) => code !== '');
  if (codes.some((code) => !TEST_CODE.test(code))) return 'production';
  return codes.length >= ENOUGH ? 'test' : undefined;
}
