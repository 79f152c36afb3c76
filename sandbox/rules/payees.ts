import { readAccount } from '../core/cards';
import { hasPrefix } from '../core/phones';
import { invalidFields, noSuchResource } from '../core/refusals';
import type { Part } from '../contract/types';
import type { Environment } from '../state/environment';
import type { Payee } from '../state/records';
import { platformMerchant } from './merchants';

/** Code of a personal checking account (openapi.yaml#AchAccountType). */
const DEFAULT_ACCOUNT_TYPE = 'C';

/**
 * Returns a payee of the request's merchant.
 * @throws PlatformRefusal with code 7 for an unknown payee.
 */
export function findPayee(environment: Environment, payeeId: string | number, merchantId: number | undefined): Payee {
  const payee = environment.payees.get(String(payeeId));
  if (!payee || payee.merchant_id !== platformMerchant(environment, merchantId)) throw noSuchResource('Payee');
  return payee;
}

/**
 * Validates a payee's name and phone number.
 * @throws PlatformRefusal with code 2.
 */
export function checkPayee({
  payee_name: name,
  payee_phone: phone,
}: Pick<Payee, 'payee_phone'> & { payee_name?: string }): void {
  if (name?.trim() === '') throw invalidFields({ payee_name: 'is required' });
  if (phone !== undefined && !hasPrefix(phone))
    throw invalidFields({ payee_phone: 'must begin with the country prefix' });
}

/**
 * Reads a payee's account.
 * @param at prefix of the field names in messages.
 */
export function readPayeeAccount(
  environment: Environment,
  { tr_number = '', dda_number = '', type_id, accountholder_name }: Part<'PayeeAccountRequest'>,
  at = '',
): NonNullable<Payee['account']> {
  const source = readAccount(tr_number, dda_number);
  if (!source)
    throw invalidFields({ [`${at}dda_number`]: 'must be an account number, with a tr_number of nine digits' });
  return {
    source,
    type_id: type_id ?? DEFAULT_ACCOUNT_TYPE,
    accountholder_name,
    verified: environment.clock.now(),
  };
}
