import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';

import type { Installation } from '../host/install';
import type { N8n } from '../host/n8n';
import type { Execution } from '../host/rest';
import type { Postgres } from '../host/services';
import { entryKeys } from '../nodes/PaymentPlatform/once/journal-keys';

/** The database row of a workflow with a single node that uses the journal. */
export interface Row {
  keys: string[];
  /** Size of its JSON in the database. */
  bytes: number;
}

export type ReadRow = (workflowId: string) => Row;

/** Reads the database of a single-process n8n. Uses that n8n's Node.js, which includes an SQLite reader. */
export function sqliteRow(n8n: N8n, installation: Installation): ReadRow {
  const file = join(dirname(n8n.logFile), '.n8n', 'database.sqlite');
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const [file, workflowId] = process.argv.slice(1);
    const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
    const row = database.prepare('SELECT value FROM processed_data WHERE "workflowId" = ?').get(workflowId);
    process.stdout.write(row?.value ?? '');`;
  return (workflowId) => {
    const args = ['--no-warnings', '-e', script, file, workflowId];
    return rowOf(execFileSync(installation.node, args, { encoding: 'utf8', maxBuffer: 2 ** 28 }));
  };
}

/** Reads the database of an n8n in queue mode. */
export function postgresRow(database: Postgres): ReadRow {
  return (workflowId) =>
    rowOf(database.query(`SELECT value FROM processed_data WHERE "workflowId" = '${workflowId}'`)[0]?.[0]);
}

function rowOf(value = ''): Row {
  const { data } = JSON.parse(value || '{ "data": [] }') as { data: string[] };
  return { keys: data, bytes: Buffer.byteLength(value) };
}

/** Contents of a row after executions of the same workflow, each with `items` completed writes. */
export interface Kept {
  /** Expected number of keys according to journal-keys.ts: two marks per execution and two keys per write. */
  expected: number;
  kept: number;
  /** Number of executions with a write missing from the row. */
  incomplete: number;
  /**
   * Number of incomplete executions whose first mark is present. A retry would treat the missing write as never
   * started.
   */
  untold: number;
}

export function keptOf({ keys }: Row, executions: Execution[], items: number): Kept {
  const there = new Set(keys);
  const has = (key: string) => there.has(createHash('md5').update(key).digest('base64'));
  // Executions that started in the same millisecond have the same name.
  const names = [...new Set(executions.map(nameOf))];
  const incomplete = names.filter(
    (name) => !Array.from({ length: items }, (_, item) => placeKey(name, item)).every(has),
  );
  return {
    expected: names.length * (2 + 2 * items),
    kept: keys.length,
    incomplete: incomplete.length,
    untold: incomplete.filter((name) => has(`first ${name}`)).length,
  };
}

function nameOf({ id, data }: Execution): string {
  const { establishedAt } = data.executionData?.runtimeData ?? {};
  if (establishedAt === undefined) throw new Error(`n8n does not say when execution ${id} began`);
  return `context ${establishedAt}`;
}

function placeKey(name: string, item: number): string {
  const [entry] = entryKeys([name], { bare: [], content: '', place: `run 0 ${item}.0`, attempt: '0.0' }).names;
  return entry?.place ?? '';
}
