/** Returns the kind of the first violation without numbers and IDs. Seeds with the same cause have the same kind. */
export function kindOf([first]: string[]): string | undefined {
  return first
    ?.replace(/\b(?=\w*\d)\w{20,}\b/g, 'ID')
    .replace(/\(.*\)/, '')
    .replace(/\d+/g, 'n');
}
