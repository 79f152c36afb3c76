import { GatewayRefusal, PlatformRefusal } from '../core/refusals';
import type { Environment } from '../state/environment';

/** The merchant that a gateway body names: one that the key belongs to or may act for, else rcode 101. */
export function gatewayMerchant(environment: Environment, merchantId: string): string {
  if (!environment.serves(merchantId)) throw new GatewayRefusal('101', 'Invalid id or key', 401);
  return merchantId;
}

/** The merchant a platform request is for: the key's own unless it names another that the key may act for, else code 6. */
export function platformMerchant(environment: Environment, merchantId: number | string | undefined): string {
  if (merchantId === undefined) return environment.credentials.merchantId;
  const text = String(merchantId);
  if (!environment.serves(text)) throw new PlatformRefusal(6, 'No access to this merchant', 403);
  return text;
}
