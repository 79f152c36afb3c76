import { GatewayRefusal, PlatformRefusal } from '../core/refusals';
import type { Environment } from '../state/environment';

/**
 * Returns a gateway request's merchant.
 * @throws GatewayRefusal with rcode 101 if the merchant doesn't belong to the API key.
 */
export function gatewayMerchant(environment: Environment, merchantId: string): string {
  if (!environment.serves(merchantId)) throw new GatewayRefusal('101', 'Invalid id or key', 401);
  return merchantId;
}

/**
 * Returns a platform request's merchant. Defaults to the API key's merchant.
 * @throws PlatformRefusal with code 6 for a merchant of another API key.
 */
export function platformMerchant(environment: Environment, merchantId: number | string | undefined): string {
  if (merchantId === undefined) return environment.credentials.merchantId;
  const text = String(merchantId);
  if (!environment.serves(text)) throw new PlatformRefusal(6, 'No access to this merchant', 403);
  return text;
}
