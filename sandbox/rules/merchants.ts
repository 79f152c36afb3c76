import { GatewayRefusal, PlatformRefusal } from '../core/refusals';
import type { Environment } from '../state/environment';

/**
 * Returns the merchant of a gateway request.
 * @throws GatewayRefusal with rcode 101 if the key may not act for the merchant.
 */
export function gatewayMerchant(environment: Environment, merchantId: string): string {
  if (!environment.serves(merchantId)) throw new GatewayRefusal('101', 'Invalid id or key', 401);
  return merchantId;
}

/**
 * Returns the merchant of a platform request. Defaults to the merchant of the key.
 * @throws PlatformRefusal with code 6 if the key may not act for the merchant.
 */
export function platformMerchant(environment: Environment, merchantId: number | string | undefined): string {
  if (merchantId === undefined) return environment.credentials.merchantId;
  const text = String(merchantId);
  if (!environment.serves(text)) throw new PlatformRefusal(6, 'No access to this merchant', 403);
  return text;
}
