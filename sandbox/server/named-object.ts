import { maskText } from '../core/redact';

/** Body fields that name an existing object, when the path names none. */
const NAMING_FIELDS = ['card_id', 'customer_id'] as const;

/**
 * Which object a request is about: its path parameter, else the customer or card its body names.
 * @returns such as `pgIdOrig=...` or `customer_id=...`, or null when it names none.
 */
export function namedObject(params: unknown, body: unknown): string | null {
  const [parameter] = Object.entries((params ?? {}) as Record<string, unknown>).filter(([name]) => name !== '*');
  if (parameter) return maskText(`${parameter[0]}=${String(parameter[1])}`);
  const fields = (body ?? {}) as Record<string, unknown>;
  const name = NAMING_FIELDS.find((field) => typeof fields[field] === 'string');
  return name === undefined ? null : maskText(`${name}=${String(fields[name])}`);
}
