import { GatewayRefusal } from '../core/refusals';
import type { Environment } from '../state/environment';
import type { PrepaidAccount } from '../state/records';

/**
 * Returns a merchant's prepaid account.
 * @throws GatewayRefusal with rcode 100 for an unknown account.
 */
export function findPrepaid(environment: Environment, merchantId: string, fboId: number): PrepaidAccount {
  const account = environment.prepaidAccounts.get(fboId);
  if (account?.merchant_id !== merchantId) throw new GatewayRefusal('100', 'Invalid fbo_id: no such account');
  return account;
}
