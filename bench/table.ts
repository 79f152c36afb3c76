/** Prints a row of a Markdown table, and the heading before the first row. */
export function print(row: Record<string, string | number>, first: boolean): void {
  const line = (cells: Array<string | number>) => process.stdout.write(`| ${cells.join(' | ')} |\n`);
  if (first) {
    line(Object.keys(row));
    line(Object.keys(row).map(() => '---'));
  }
  line(Object.values(row));
}
