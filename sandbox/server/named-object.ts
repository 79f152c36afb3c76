import { maskText } from '../core/redact';

/** Body fields that can identify the object of a request without a path parameter. */
const NAMING_FIELDS = ['card_id', 'customer_id'] as const;

/**
 * Returns the object that a request concerns. A path parameter takes precedence over a customer or card in the body.
 * @returns text such as `pgIdOrig=...` or `customer_id=...`, or null if the request identifies no object.
 */
export function namedObject(params: unknown, body: unknown): string | null {
  const [parameter] = Object.entries((params ?? {}) as Record<string, unknown>).filter(([name]) => name !== '*');
  if (parameter) return maskText(`${parameter[0]}=${String(parameter[1])}`);
  const fields = (body ?? {}) as Record<string, unknown>;
  const name = NAMING_FIELDS.find((field) => typeof fields[field] === 'string');
  return name === undefined ? null : maskText(`${name}=${String(fields[name])}`);
}
