import { isObject } from '../shared/objects';

/** Fields that hold a card number, by the names that they have anywhere in the interface (2.1, 2.4, 2.6, 2.8). */
export const CARD_FIELDS = new Set(['card_number', 'primary_card_number', 'card_number_new', 'card_number_original']);
/** Fields that hold the number of an account or its bank (2.1, 2.4, 2.11). */
export const ACCOUNT_FIELDS = new Set(['dda_number', 'tr_number', 'account_number', 'routing_number']);
/** Fields about a card of which nothing may be seen. */
export const HIDDEN_FIELDS = new Set(['cvv2', 'cvv', 'card_swipe']);
/** Other secrets of requests (2.1, 2.13). */
const OTHER_FIELDS = ['payload_walletA_pay', 'payload_walletB_pay', 'user_password', 'security_key', 'secret'];

const SECRET_FIELDS = new Set([...CARD_FIELDS, ...ACCOUNT_FIELDS, ...HIDDEN_FIELDS, ...OTHER_FIELDS]);

/** Whether a field of this name is secret in every request; every field that is declared as secret is among them. */
export const isSecretField = (name: string): boolean => SECRET_FIELDS.has(name);

/** The values of a request that are secret, by the names of their fields, at any depth. */
export function secretsIn(value: unknown, isSecret = false): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => secretsIn(entry, isSecret));
  if (isObject(value))
    return Object.entries(value).flatMap(([name, inner]) => secretsIn(inner, isSecret || isSecretField(name)));
  return isSecret && (typeof value === 'string' || typeof value === 'number') ? [String(value)] : [];
}
