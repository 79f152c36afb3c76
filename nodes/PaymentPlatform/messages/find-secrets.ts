import { isObject } from '../shared/objects';
import { SECRET } from '../wire/marks';

const SECRET_FIELDS: ReadonlySet<string> = new Set(SECRET);

/** Whether a field of this name is secret in every request; every field that is declared as secret is among them. */
export const isSecretField = (name: string): boolean => SECRET_FIELDS.has(name);

/** The values of a request that are secret, by the names of their fields, at any depth. */
export function findSecrets(value: unknown, isSecret = false): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => findSecrets(entry, isSecret));
  if (isObject(value))
    return Object.entries(value).flatMap(([name, inner]) => findSecrets(inner, isSecret || isSecretField(name)));
  return isSecret && (typeof value === 'string' || typeof value === 'number') ? [String(value)] : [];
}
