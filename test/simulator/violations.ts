/** The kind of the first violation, without its numbers and IDs: what seeds with the same cause have in common. */
export function kindOf([first]: string[]): string | undefined {
  return first
    ?.replace(/\b(?=\w*\d)\w{20,}\b/g, 'ID')
    .replace(/\(.*\)/, '')
    .replace(/\d+/g, 'n');
}
