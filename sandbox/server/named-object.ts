import { maskText } from '../core/redact';

/** Body fields that can name an existing object if the path names none. */
const NAMING_FIELDS = ['card_id', 'customer_id'] as const;

/**
 * Returns the object of a request: its path parameter, or the customer or card in its body.
 * @returns a text such as `pgIdOrig=...` or `customer_id=...`, or null if the request names no object.
 */
export function namedObject(params: unknown, body: unknown): string | null {
  const [parameter] = Object.entries((params ?? {}) as Record<string, unknown>).filter(([name]) => name !== '*');
  if (parameter) return maskText(`${parameter[0]}=${String(parameter[1])}`);
  const fields = (body ?? {}) as Record<string, unknown>;
  const name = NAMING_FIELDS.find((field) => typeof fields[field] === 'string');
  return name === undefined ? null : maskText(`${name}=${String(fields[name])}`);
}
