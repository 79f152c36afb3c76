import { deepCopy, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { copyForPreview } from './lineage';
import { isCopy, KeyRow, MOST_AT_ONCE, type KeyStore } from './key-row';

/**
 * Returns the context of a preview. Copies n8n's execution data now, and the key rows when the preview uses them. Changes
 * to these copies end with the run.
 */
export function previewOf(context: IExecuteFunctions): IExecuteFunctions {
  const copies: Record<string, IDataObject> = {
    node: copyForPreview(context),
    flow: deepCopy(context.getContext('flow')),
  };
  const rows = new Map<string, KeyRow>();
  const getContext = (type: string) => copies[type];
  const preview = new Proxy(context, {
    get: (of, name): unknown => (name === 'getContext' ? getContext : Reflect.get(of, name)),
  });
  KeyRow.previews.set(preview, (name, row) => take(rows, name, () => new PreviewRow(row)));
  return preview;
}

function take<Value>(known: Map<string, Value>, name: string, make: () => Value): Value {
  const value = known.get(name) ?? make();
  known.set(name, value);
  return value;
}

/** Shows the keys of a row with the changes of a preview. The row itself stays unchanged. */
class PreviewRow extends KeyRow {
  private readonly recorded = new Set<string>();
  private readonly removed = new Set<string>();
  override readonly isPreview = true;
  /** A look-up records two keys for each key. With one call, a kill leaves all of them or none. */
  protected override readonly mostAtOnce = MOST_AT_ONCE / 2;

  constructor(private readonly row: KeyRow) {
    super();
  }

  /** Locks nothing, because a killed preview's lock would stop the next run. */
  override async exclusively<Result>(_store: KeyStore, _name: string, task: () => Promise<Result>): Promise<Result> {
    return await task();
  }

  override async settle(): Promise<void> {
    await Promise.resolve();
  }

  override async hasSpace(store: KeyStore, usedShare?: number): Promise<boolean> {
    return await this.row.hasSpace(store, usedShare);
  }

  override async flush(store: KeyStore): Promise<void> {
    await super.flush(store);
    await this.row.flush(store);
  }

  override async isProven(store: KeyStore, key: string): Promise<boolean> {
    return this.isChanged(key) ? await super.isProven(store, key) : await this.row.isProven(store, key);
  }

  override async findAlone(store: KeyStore, keys: string[], looks?: number): Promise<Set<string>> {
    const unchanged = keys.filter((key) => !this.isChanged(key));
    const found = await this.row.findAlone(store, unchanged, looks);
    return new Set([...found, ...keys.filter((key) => this.recorded.has(key))]);
  }

  private isChanged(key: string): boolean {
    return this.recorded.has(key) || this.removed.has(key);
  }

  protected override async check(store: KeyStore, keys: string[]): Promise<string[]> {
    const asked = keys.filter((key) => !this.isChanged(key));
    // A killed preview may have left a copy.
    const areProven = asked.filter(isCopy).map(async (key) => ((await this.row.isProven(store, key)) ? [key] : []));
    const copies = new Set((await Promise.all(areProven)).flat());
    const others = await this.row.find(
      store,
      asked.filter((key) => !isCopy(key)),
    );
    const added = keys.filter((key) => !this.recorded.has(key) && !copies.has(key) && !others.has(key));
    for (const key of added) {
      this.recorded.add(key);
      this.removed.delete(key);
    }
    return added;
  }

  protected override async delete(_: KeyStore, keys: string[]): Promise<void> {
    for (const key of keys) {
      this.recorded.delete(key);
      this.removed.add(key);
    }
    await Promise.resolve();
  }
}
