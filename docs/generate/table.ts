const cell = (text: string) => text.replace(/\|/g, '\\|').replace(/\s+/g, ' ').replace(/</g, '&lt;').trim();

/** Formats a Markdown table. */
export const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
