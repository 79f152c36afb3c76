import { DataDeduplicationService } from 'n8n-core';
import {
  LoggerProxy,
  type ICheckProcessedContextData,
  type ICheckProcessedOptions,
  type IDataDeduplicator,
  type IDeduplicationOutput,
} from 'n8n-workflow';

/** In-memory replacement for n8n's deduplication helper (n8n.md#deduplication-helper). */
export class ProcessedData {
  rows = new Map<string, string[]>();
  calls = 0;
  /** Error that every access throws, if set. */
  failing?: Error;
  /** Sets of the latest rows. Building the set of a full row takes longer than all other work of a call. */
  private readonly sets = new WeakMap<string[], Set<string>>();

  constructor(public access = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve))) {}

  /** Removes all rows. Calls that began earlier no longer change any row. */
  clear(): void {
    this.rows = new Map();
  }

  async check(keys: string[], row: string, { maxEntries }: ICheckProcessedOptions): Promise<IDeduplicationOutput> {
    const { rows } = this;
    const before = await this.read(row);
    const known = this.takeSet(before);
    const isKnown = (key: string) => known.has(key);
    const output: IDeduplicationOutput = { new: keys.filter((key) => !isKnown(key)), processed: keys.filter(isKnown) };
    const all = [...(before ?? []), ...output.new.map(String)];
    if (before === undefined && rows.has(row)) throw new Error('UNIQUE constraint failed');
    for (const key of output.new) known.add(String(key));
    this.sets.set(all, known);
    await this.write(rows, row, maxEntries && all.length > maxEntries ? all.slice(-maxEntries) : all);
    return output;
  }

  async remove(keys: string[], row: string): Promise<void> {
    const { rows } = this;
    const before = await this.read(row);
    if (!before) return;
    const known = this.takeSet(before);
    const gone = new Set(keys);
    const left = before.filter((key) => !gone.has(key));
    for (const key of gone) known.delete(key);
    this.sets.set(left, known);
    await this.write(rows, row, left);
  }

  async count(row: string): Promise<number> {
    return (await this.read(row))?.length ?? 0;
  }

  /**
   * Returns the helper functions that n8n passes to a node.
   * @param ofNode row of the scope `node`, if it is not the same row.
   */
  helpers(row: string, ofNode = row) {
    const of = (scope: string) => (scope === 'node' ? ofNode : row);
    return {
      checkProcessedAndRecord: async (keys: unknown[], scope: string, options: ICheckProcessedOptions) =>
        await this.check(keys.map(String), of(scope), options),
      removeProcessed: async (keys: unknown[], scope: string) => await this.remove(keys.map(String), of(scope)),
      getProcessedDataCount: async (scope: string) => await this.count(of(scope)),
    } as never;
  }

  /** Returns the set of a row's keys, which the caller changes together with the row. */
  private takeSet(keys: string[] = []): Set<string> {
    const known = this.sets.get(keys) ?? new Set(keys);
    this.sets.delete(keys);
    return known;
  }

  private async read(row: string): Promise<string[] | undefined> {
    this.calls += 1;
    if (this.failing) throw this.failing;
    const found = this.rows.get(row);
    await this.access();
    return found;
  }

  private async write(rows: Map<string, string[]>, row: string, keys: string[]): Promise<void> {
    rows.set(row, keys);
    await this.access();
  }
}

/** In-memory deduplication table for workflows that the tests run with n8n-core. */
export const processedData = new ProcessedData();

class Deduplicator implements IDataDeduplicator {
  async checkProcessedAndRecord(
    items: unknown[],
    scope: string,
    context: ICheckProcessedContextData,
    options: ICheckProcessedOptions,
  ) {
    return await processedData.check(items.map(String), rowOf(context, scope), options);
  }

  async removeProcessed(items: unknown[], scope: string, context: ICheckProcessedContextData) {
    await processedData.remove(items.map(String), rowOf(context, scope));
  }

  clearAllProcessedItems = (): never => {
    throw new Error('not used');
  };

  async getProcessedDataCount(scope: string, context: ICheckProcessedContextData) {
    return await processedData.count(rowOf(context, scope));
  }
}

const rowOf = ({ workflow, node }: ICheckProcessedContextData, scope: string) =>
  `${workflow.id} ${scope === 'node' ? `n:${node?.id}` : ''}`;

/** Replaces n8n-core's deduplicator, which all test files in a process share. */
export function useDeduplicator(deduplicator: IDataDeduplicator): void {
  Reflect.deleteProperty(DataDeduplicationService, 'instance');
  void DataDeduplicationService.init(deduplicator);
}

useDeduplicator(new Deduplicator());

const ignore = () => undefined;
// At the level "silent", n8n's logger still finds the caller of each message.
Object.assign(LoggerProxy, { init: ignore, error: ignore, warn: ignore, info: ignore, debug: ignore });
