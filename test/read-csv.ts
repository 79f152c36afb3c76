import { parse } from 'csv-parse/sync';

/** Returns the rows of a CSV file. Fails if the file doesn't follow RFC 4180. */
export const readCsv = (content: string | Buffer): string[][] =>
  parse(content, { bom: false, record_delimiter: '\r\n', relax_quotes: false });
