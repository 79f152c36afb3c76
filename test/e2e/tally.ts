import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Installation } from '../../host/install';
import type { N8n } from '../../host/n8n';
import type { Postgres } from '../../host/services';
import { AFTER_TRIGGER, type Delivery } from './load';

export interface Run {
  id: string;
  times: string;
  status: string;
  mark: string | undefined;
  /** Whether the trigger's next node ran. */
  worked: boolean;
}

export type ReadRuns = (workflowId: string) => Run[];

/** Numbers of deliveries by outcome. */
export interface Tally {
  sent: number;
  acknowledged: number;
  executed: number;
  /** Deliveries with only failed executions. */
  failed: number;
  /** Acknowledged deliveries with neither a successful nor a failed execution. */
  lost: number;
  /** Lost deliveries that n8n acknowledged with its start page. A node can't prevent this loss. */
  'start page': number;
  /** Deliveries that several executions processed. */
  doubled: number;
}

const UNFINISHED = ['new', 'running', 'waiting'];
const MARK = /^load-\d{6}$/;
const MARK_LENGTH = 11;
/** Text in the data of an execution that reached the node after the trigger. */
const WORKED = `"${AFTER_TRIGGER}"`;

export function sqliteRuns(n8n: N8n, installation: Installation): ReadRuns {
  const file = join(dirname(n8n.logFile), '.n8n', 'database.sqlite');
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const [file, workflowId] = process.argv.slice(1);
    const sql = \`SELECT e.id, e.status, coalesce(e.startedAt, '') || ' ' || coalesce(e.stoppedAt, '') AS times,
      substr(d.data, instr(d.data, 'load-'), ${MARK_LENGTH}) AS mark, coalesce(instr(d.data, '${WORKED}'), 0) > 0 AS worked FROM execution_entity e
      LEFT JOIN execution_data d ON d."executionId" = e.id WHERE e."workflowId" = ?\`;
    console.log(JSON.stringify(new DatabaseSync(file, { readOnly: true, timeout: 10_000 }).prepare(sql).all(workflowId)));`;
  return (workflowId) => {
    const args = ['--no-warnings', '-e', script, file, workflowId];
    const output = execFileSync(installation.node, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
    return (JSON.parse(output) as Row[]).map(run);
  };
}

export function postgresRuns(database: Postgres): ReadRuns {
  database.query(`
    CREATE TABLE noted (id integer, mark text);
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO noted SELECT NEW."executionId", substr(NEW.data, strpos(NEW.data, 'load-'), ${MARK_LENGTH});
      RETURN NEW;
    END $$;
    CREATE TRIGGER note AFTER INSERT ON execution_data FOR EACH ROW EXECUTE FUNCTION note();`);
  return (workflowId) =>
    database
      .query(
        `SELECT e.id, concat(e."startedAt"::time, ' ', e."stoppedAt"::time), e.status, n.mark,
           coalesce(strpos(d.data, '${WORKED}'), 0) > 0 FROM execution_entity e
         LEFT JOIN noted n ON n.id = e.id LEFT JOIN execution_data d ON d."executionId" = e.id
         WHERE e."workflowId" = '${workflowId}'`,
      )
      .map(([id = '', times = '', status = '', mark = '', worked]) =>
        run({ id, times, status, mark, worked: Number(worked === 't') }),
      );
}

interface Row extends Omit<Run, 'id' | 'mark' | 'worked'> {
  id: string | number;
  mark: string | null;
  worked: number;
}

const run = ({ id, mark, worked, ...rest }: Row): Run => ({
  ...rest,
  id: String(id),
  mark: mark !== null && MARK.test(mark) ? mark : undefined,
  worked: worked > 0,
});

/** Returns whether all executions of a workflow ended within the time limit in milliseconds. */
export async function allEnded(read: ReadRuns, workflowId: string, limitMs: number): Promise<boolean> {
  const until = Date.now() + limitMs;
  for (;;) {
    if (!read(workflowId).some(({ status }) => UNFINISHED.includes(status))) return true;
    if (Date.now() > until) return false;
    await sleep(1000);
  }
}

export function fates(deliveries: Delivery[], runs: Run[]) {
  const started = new Map<string, Run[]>();
  for (const one of runs) if (one.mark !== undefined) started.set(one.mark, [...(started.get(one.mark) ?? []), one]);
  return deliveries.map((delivery) => {
    const own = started.get(delivery.mark) ?? [];
    const done = own.filter(({ status, worked }) => status === 'success' && worked).length;
    return { delivery, runs: own, done, failed: done === 0 && own.some(({ status }) => status !== 'success') };
  });
}

export function tally(deliveries: Delivery[], runs: Run[]): Tally {
  const all = fates(deliveries, runs);
  const gone = all.filter(({ delivery, done, failed }) => delivery.acknowledged && done === 0 && !failed);
  return {
    sent: all.length,
    acknowledged: deliveries.filter(({ acknowledged }) => acknowledged).length,
    executed: all.filter(({ done }) => done > 0).length,
    failed: all.filter(({ failed }) => failed).length,
    lost: gone.filter(({ delivery }) => !delivery.startPage).length,
    'start page': gone.filter(({ delivery }) => delivery.startPage).length,
    doubled: all.filter(({ done }) => done > 1).length,
  };
}
