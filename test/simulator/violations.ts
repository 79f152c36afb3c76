/** Returns the first violation's text, without numbers or IDs. */
export function kindOf([first]: string[]): string | undefined {
  return first
    ?.replace(/\b(?=\w*\d)\w{20,}\b/g, 'ID')
    .replace(/\(.*\)/, '')
    .replace(/\d+/g, 'n');
}
