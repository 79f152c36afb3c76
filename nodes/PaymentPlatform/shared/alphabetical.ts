/** The order of English labels, upper and lower case alike. The rules of a locale would take n8n longer to load than the node. */
export function alphabetically(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a === b ? 0 : a < b ? -1 : 1;
}
