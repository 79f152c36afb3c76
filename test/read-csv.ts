import { execFileSync } from 'node:child_process';

const READ = `
import csv, io, json, sys
text = sys.stdin.buffer.read().decode('utf-8')
print(json.dumps(list(csv.reader(io.StringIO(text, newline=''), strict=True))))
`;

/** Returns the rows of a CSV file, read by Python's parser. */
export const readCsv = (content: string | Buffer): string[][] =>
  JSON.parse(execFileSync('python3', ['-c', READ], { input: content, encoding: 'utf8' })) as string[][];
