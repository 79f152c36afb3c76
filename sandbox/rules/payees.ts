import { noSuchResource } from '../core/refusals';
import type { Environment } from '../state/environment';
import type { Payee } from '../state/records';
import { platformMerchant } from './merchants';

/** Returns a payee of the request's merchant, or throws code 7 at HTTP 404. */
export function findPayee(environment: Environment, payeeId: string | number, merchantId: number | undefined): Payee {
  const payee = environment.payees.get(String(payeeId));
  if (!payee || payee.merchant_id !== platformMerchant(environment, merchantId)) throw noSuchResource('Payee');
  return payee;
}
