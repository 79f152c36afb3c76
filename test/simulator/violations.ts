/**
 * Returns the text of the first violation without numbers and IDs. Seeds that fail for the same reason usually return
 * the same text.
 */
export function kindOf([first]: string[]): string | undefined {
  return first
    ?.replace(/\b(?=\w*\d)\w{20,}\b/g, 'ID')
    .replace(/\(.*\)/, '')
    .replace(/\d+/g, 'n');
}
