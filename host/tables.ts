import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { poll } from './executions';
import { examplesFolder } from './paths';
import { RestError, type RestSession } from './rest-session';

type Cell = string | number | null;
export type Row = Record<string, Cell>;

/** Data Table of the examples. A CSV file contains its columns and initial rows. */
interface Table {
  name: string;
  file: string;
  /** Names of numeric columns. All other columns contain text. */
  numbers: string[];
}

const TABLES: Table[] = [
  { name: 'CRM', file: 'crm.csv', numbers: ['quantity', 'unit_cost', 'paid'] },
  { name: 'Members', file: 'members.csv', numbers: [] },
  { name: 'Disputes', file: 'disputes.csv', numbers: ['amount'] },
  { name: 'Daily Totals', file: 'daily-totals.csv', numbers: ['transactions', 'amount', 'refunded'] },
];
export const TABLE_NAMES = TABLES.map(({ name }) => name);

/** Matches every row, because n8n numbers rows from 1. */
const ALL_ROWS = { type: 'and', filters: [{ columnName: 'id', condition: 'gt', value: 0 }] };

interface StoredTable {
  id: string;
  name: string;
  columns: Array<{ name: string; type: string }>;
}

/** Data Tables of the examples, in the owner's personal project. */
export class DataTables {
  private constructor(
    private readonly session: RestSession,
    private readonly path: string,
    private readonly ids: ReadonlyMap<string, string>,
  ) {}

  /** Creates the tables with their initial rows. Keeps a table whose columns match, because workflows use its ID. */
  static async create(session: RestSession): Promise<DataTables> {
    const { id: projectId } = await session.get<{ id: string }>('/projects/personal');
    const path = `/projects/${projectId}/data-tables`;
    const { data: stored } = await session.get<{ data: StoredTable[] }>(path, { take: 250 });
    const ids = new Map<string, string>();
    for (const table of TABLES) {
      const { name } = table;
      const columns = columnsOf(table);
      const known = stored.find((one) => one.name === name);
      const isSame = known !== undefined && listColumns(known.columns) === listColumns(columns);
      if (known && !isSame) await session.delete(`${path}/${known.id}`);
      ids.set(name, isSame ? known.id : (await session.post<StoredTable>(path, { name, columns })).id);
    }
    const tables = new DataTables(session, path, ids);
    await tables.restore();
    return tables;
  }

  async restore(): Promise<void> {
    for (const table of TABLES) {
      const filter = encodeURIComponent(JSON.stringify(ALL_ROWS));
      await this.session.delete(`${this.path}/${this.idOf(table.name)}/rows?filter=${filter}`);
      await this.insert(table.name, readRows(table));
    }
  }

  idOf(name: string): string {
    const id = this.ids.get(name);
    if (id === undefined) throw new RangeError(`No Data Table is named "${name}"`);
    return id;
  }

  pageOf(name: string): string {
    return `${this.path.replace('data-tables', 'datatables')}/${this.idOf(name)}`;
  }

  async rows(name: string): Promise<Row[]> {
    const path = `${this.path}/${this.idOf(name)}/rows`;
    const read = async () => {
      const answer = this.session.get<{ data: Row[] }>(path, { take: 250, sortBy: 'id:asc' });
      return (await answer.catch(ignoreOverlap))?.data;
    };
    return await poll(`The rows of ${name}`, read, 5_000);
  }

  async insert(name: string, rows: Row[]): Promise<void> {
    await this.session.post(`${this.path}/${this.idOf(name)}/insert`, { data: rows, returnType: 'count' });
  }

  async update(name: string, column: string, value: string, changes: Row): Promise<void> {
    const filter = { type: 'and', filters: [{ columnName: column, condition: 'eq', value }] };
    await this.session.patch(`${this.path}/${this.idOf(name)}/rows`, { filter, data: changes });
  }
}

/** All transactions of n8n 1 share one SQLite connection, so n8n 1 may refuse a read during another transaction. */
function ignoreOverlap(error: unknown): undefined {
  if (!(error instanceof RestError) || !error.message.includes('Transaction is not started')) throw error;
}

function readLines({ file }: Table): string[][] {
  const text = readFileSync(join(examplesFolder, 'tables', file), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => line.split(','));
}

const columnsOf = (table: Table) =>
  (readLines(table)[0] ?? []).map((name) => ({ name, type: table.numbers.includes(name) ? 'number' : 'string' }));

const listColumns = (columns: Array<{ name: string; type: string }>) =>
  columns
    .map(({ name, type }) => `${name} ${type}`)
    .sort()
    .join();

/** An empty cell becomes null. */
function readRows(table: Table): Row[] {
  const [columns = [], ...lines] = readLines(table);
  const cell = (column: string, text = ''): Cell => {
    if (text === '') return null;
    return table.numbers.includes(column) ? Number(text) : text;
  };
  return lines.map((line) => Object.fromEntries(columns.map((column, index) => [column, cell(column, line[index])])));
}
