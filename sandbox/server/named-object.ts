import { maskText } from '../core/redact';

const NAMING_FIELDS = ['card_id', 'customer_id'] as const;

/**
 * Returns the object that a request concerns, for example `customer_id=...`. A path parameter takes precedence over the
 * body.
 */
export function namedObject(params: unknown, body: unknown): string | null {
  const [parameter] = Object.entries((params ?? {}) as Record<string, unknown>).filter(([name]) => name !== '*');
  if (parameter) return maskText(`${parameter[0]}=${String(parameter[1])}`);
  const fields = (body ?? {}) as Record<string, unknown>;
  const name = NAMING_FIELDS.find((field) => typeof fields[field] === 'string');
  return name === undefined ? null : maskText(`${name}=${String(fields[name])}`);
}
