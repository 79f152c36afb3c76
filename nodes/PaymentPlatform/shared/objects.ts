/** Whether a value is an object with named fields: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value as text: text and numbers as they are, nothing as empty text, anything else as JSON. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return String(value);
  if (value === undefined || value === null) return '';
  // JSON has nothing for a function or a symbol.
  return (JSON.stringify(value) as string | undefined) ?? typeof value;
}
