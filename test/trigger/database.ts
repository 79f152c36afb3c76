import type {
  ICheckProcessedContextData,
  ICheckProcessedOptions,
  IDataDeduplicator,
  IDeduplicationOutput,
  IRunExecutionData,
} from 'n8n-workflow';

import { useDeduplicator } from '../processed-data';

export class Database {
  /** Static data of the workflow as n8n would save it. */
  stored = '{}';
  readonly executions = new Map<string, IRunExecutionData>();
  /** Decides which accesses fail, by their number. n8n 1 refuses an access during another transaction. */
  refuses: (access: number) => boolean = () => false;
  /** Duration of a half of an access in simulated milliseconds. */
  accessMs: () => number = () => 3;
  /** Number of accesses to keys. */
  accesses = 0;
  private lastId = 0;
  private readonly rows = new Map<string, string[]>();
  /** Workflows of killed processes, which can't write to the database. */
  private readonly dead = new WeakSet<object>();

  newExecution(data: IRunExecutionData): string {
    this.lastId += 1;
    this.executions.set(String(this.lastId), structuredClone(data));
    return String(this.lastId);
  }

  own(workflow: object): void {
    databases.set(workflow, this);
  }

  kill(workflows: Iterable<object>): void {
    for (const workflow of workflows) this.dead.add(workflow);
  }

  isDead(workflow: object): boolean {
    return this.dead.has(workflow);
  }

  get marks(): string[] {
    return [...this.rows.values()].flat();
  }

  async fill(count: number): Promise<void> {
    for (const row of this.rows.keys())
      await this.check(
        Array.from({ length: count }, (_, index) => `taken ${index}`),
        row,
        { mode: 'entries' },
      );
  }

  /** Reads and replaces a node's whole row, as n8n does. */
  async check(items: string[], row: string, { maxEntries }: ICheckProcessedOptions): Promise<IDeduplicationOutput> {
    this.refuse();
    const before = this.rows.get(row);
    await this.access();
    const output: IDeduplicationOutput = { new: [], processed: [] };
    const marks = [...(before ?? [])];
    const known = new Set(before);
    for (const item of items)
      if (known.has(item)) output.processed.push(item);
      else {
        output.new.push(item);
        marks.push(item);
      }
    if (before === undefined && this.rows.has(row)) throw new Error('UNIQUE constraint failed');
    this.rows.set(row, maxEntries ? marks.slice(-maxEntries) : marks);
    await this.access();
    return output;
  }

  count(row: string): number {
    this.refuse();
    return this.rows.get(row)?.length ?? 0;
  }

  private async access(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.accessMs()));
  }

  private refuse(): void {
    this.accesses += 1;
    if (this.refuses(this.accesses)) throw new Error('Transaction is not started yet, start transaction before');
  }

  async remove(items: string[], row: string): Promise<void> {
    this.refuse();
    const before = this.rows.get(row);
    const gone = new Set(items);
    await this.access();
    if (before)
      this.rows.set(
        row,
        before.filter((mark) => !gone.has(mark)),
      );
    await this.access();
  }
}

const databases = new WeakMap<object, Database>();

/** Forwards calls to n8n-core's single deduplicator to the workflow's database. */
class Deduplicator implements IDataDeduplicator {
  async checkProcessedAndRecord(
    items: unknown[],
    scope: string,
    context: ICheckProcessedContextData,
    options: ICheckProcessedOptions,
  ) {
    return await (await databaseOf(context.workflow)).check(items.map(String), rowOf(context, scope), options);
  }

  async removeProcessed(items: unknown[], scope: string, context: ICheckProcessedContextData) {
    await (await databaseOf(context.workflow)).remove(items.map(String), rowOf(context, scope));
  }

  clearAllProcessedItems = (): never => {
    throw new Error('not used');
  };
  async getProcessedDataCount(scope: string, context: ICheckProcessedContextData) {
    return (await databaseOf(context.workflow)).count(rowOf(context, scope));
  }
}

/** Row of a node, or of a workflow's nodes. */
const rowOf = ({ workflow, node }: ICheckProcessedContextData, scope: string) =>
  scope === 'node' ? `${workflow.id} n:${node?.id}` : String(workflow.id);

/** Never resolves for a killed process. */
async function databaseOf(workflow: object): Promise<Database> {
  const database = databases.get(workflow);
  if (!database) throw new Error('The workflow has no database');
  return database.isDead(workflow) ? await new Promise(() => undefined) : database;
}

useDeduplicator(new Deduplicator());
