import { readFileSync } from 'node:fs';

/** Part of StrykerJS's report (mutation testing report schema 2). */
interface StrykerReport {
  files: Record<string, { source: string; mutants: Mutant[] }>;
}

interface Mutant {
  status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'RuntimeError' | 'CompileError' | 'Ignored' | 'Pending';
  mutatorName: string;
  replacement?: string;
  location: Record<'start' | 'end', { line: number; column: number }>;
}

export interface Score {
  killed: number;
  timedOut: number;
  survived: number;
  notCovered: number;
}

export interface FileResult {
  file: string;
  score: Score;
  /** Descriptions of the mutants that no test detected. */
  survivors: string[];
}

/**
 * Reads the StrykerJS report of one file.
 * @throws Error if the tests of a mutant didn't finish.
 */
export function readReport(path: string): FileResult {
  const { files } = JSON.parse(readFileSync(path, 'utf8')) as StrykerReport;
  const [entry] = Object.entries(files);
  if (!entry) throw new Error(`${path} names no file`);
  const [file, { source, mutants }] = entry;
  const count = (status: Mutant['status']) => mutants.filter((mutant) => mutant.status === status).length;
  if (count('Pending') + count('Ignored') > 0) throw new Error(`${path} holds mutants that were left out`);
  return {
    file,
    score: {
      killed: count('Killed'),
      timedOut: count('Timeout'),
      survived: count('Survived'),
      notCovered: count('NoCoverage'),
    },
    survivors: mutants
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map((mutant) => describeMutant(file, source.split('\n'), mutant)),
  };
}

function describeMutant(file: string, lines: string[], { location, mutatorName, replacement = '' }: Mutant): string {
  const { start, end } = location;
  const line = lines[start.line - 1] ?? '';
  const original =
    start.line === end.line ? line.slice(start.column - 1, end.column - 1) : line.slice(start.column - 1);
  const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
  return `${file}:${start.line}:${start.column} ${mutatorName}: ${oneLine(original)} => ${oneLine(replacement)}`;
}

export const addUp = (scores: Score[]): Score =>
  scores.reduce(
    (sum, score) => ({
      killed: sum.killed + score.killed,
      timedOut: sum.timedOut + score.timedOut,
      survived: sum.survived + score.survived,
      notCovered: sum.notCovered + score.notCovered,
    }),
    { killed: 0, timedOut: 0, survived: 0, notCovered: 0 },
  );

/** Returns the percentage of mutants that the tests detected. */
export function percentOf({ killed, timedOut, survived, notCovered }: Score): number {
  const all = killed + timedOut + survived + notCovered;
  return all === 0 ? 100 : (100 * (killed + timedOut)) / all;
}

export const summaryLine = (name: string, score: Score): string =>
  [
    name.padEnd(48),
    `${percentOf(score).toFixed(1).padStart(5)} %`,
    `killed ${score.killed}`,
    `timed out ${score.timedOut}`,
    `survived ${score.survived}`,
    `not covered ${score.notCovered}`,
  ].join('  ');
