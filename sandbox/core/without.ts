/** Copies an object without the named fields. */
export function without<Value extends object, Name extends keyof Value & string>(
  value: Value,
  ...names: readonly Name[]
): Omit<Value, Name> {
  const left = Object.entries(value).filter(([name]) => !names.some((one) => one === name));
  return Object.fromEntries(left) as Omit<Value, Name>;
}
