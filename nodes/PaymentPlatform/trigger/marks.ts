import { sleep } from 'n8n-workflow';

import {
  isProof,
  KeyRow,
  MOST_KEYS_OF_TRIGGER,
  type KeyStore,
  type Undo,
  unproven,
  type Witness,
  witnessOf,
} from '../n8n/key-row';

const REMOVAL_MS = 300;
const FINAL_WRITES = 12;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;
/** Maximum number of keys to remove again, because n8n compares each with the whole row. */
const MOST_REPEATED = 500;

/** Time after which calls of other processes that began before a claim have ended. */
const WITNESSED_MS = 60_000;

/** Keys of a node's claims in the row that all nodes of the workflow share. */
export class NodeWitness implements Witness {
  constructor(
    private readonly row: KeyRow,
    private readonly nodeId: string,
  ) {}

  /** If n8n refuses the call, for example because another node uses the row differently, the claim counts as new. */
  async recordAll(store: KeyStore, keys: string[]): Promise<Set<string>> {
    return await this.row.recordAll(store, this.ofNode(keys)).catch(() => new Set(keys));
  }

  /** Doesn't look whether another process writes the keys back, because `Marks.confirm` removes them a second time. */
  async release(store: KeyStore, keys: string[]): Promise<void> {
    this.row.remove(store, this.ofNode(keys));
    await Promise.resolve();
  }

  /** Several triggers of the workflow may receive the same event. */
  private ofNode(keys: string[]): string[] {
    return keys.map((key) => `${this.nodeId} ${key}`);
  }
}

/** Stores a node's delivery keys in n8n's database. Combines the keys of many deliveries in one call. */
export class Marks {
  private readonly removals = new Set<string>();
  private readonly gone = new Map<string, number>();
  private readonly kept = new Map<string, number>();
  private removedAtMs = 0;
  private isRemoving = false;

  /** @param witness another row of the workflow, which shows claims that a slow call overwrote (`KeyRow.keep`). */
  constructor(
    private readonly row = new KeyRow(MOST_KEYS_OF_TRIGGER),
    private readonly witness?: Witness,
  ) {}

  async add(store: KeyStore, values: string[], undo?: Undo): Promise<Set<string>> {
    return await this.row.record(store, values, undo);
  }

  /** Records keys, and repeats this until n8n's database has them. Until then, each call of this process records them. */
  async persist(store: KeyStore, values: string[]): Promise<void> {
    this.row.add(store, values);
    const isWritten = async () =>
      await this.row.record(store, []).then(
        () => true,
        () => false,
      );
    for (let pauseMs = FIRST_PAUSE_MS; !(await isWritten()); pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS))
      await sleep(pauseMs);
  }

  /** Records keys in the background. If n8n's database refuses this, the next call of this process records them. */
  addSoon(store: KeyStore, values: string[]): void {
    this.row.add(store, values);
  }

  /** Confirms that no other process has recorded the same new keys (`KeyRow.keep`). */
  async confirm(store: KeyStore, values: string[], shared: string, own: string): Promise<boolean> {
    const claim = { shared: [shared], own: [own], isContended: true, witness: this.witness };
    for (;;) {
      const kept = await this.row.keep(store, values, claim);
      if (kept === 'this') void sleep(WITNESSED_MS).then(() => this.release(store, shared, own));
      if (kept !== 'lost') return kept === 'this';
    }
  }

  /** Lets another execution confirm the same keys. */
  release(store: KeyStore, shared: string, own: string): void {
    void this.witness?.release(store, [shared, own].map(witnessOf), witnessOf(own));
  }

  async find(store: KeyStore, values: string[]): Promise<Set<string>> {
    return await this.row.find(store, values);
  }

  async exclusively<Result>(
    store: KeyStore,
    name: string,
    task: () => Promise<Result>,
    lockMs: number,
  ): Promise<Result> {
    return await this.row.exclusively(store, name, task, lockMs);
  }

  /** Like `add`, but repeats a refused write in the background. */
  async addInAnyCase(store: KeyStore, values: string[]): Promise<void> {
    await this.add(store, values).catch((error: unknown) => {
      void this.persist(store, values);
      throw error;
    });
  }

  /** Records keys that `proofs` must find, although a search of another process may hide them. */
  async addProofs(store: KeyStore, values: string[]): Promise<void> {
    await this.add(store, values);
    this.reveal(store, values);
  }

  /** Removes the keys with which a killed search, or a slow call of another process, hides proofs. */
  reveal(store: KeyStore, proofs: string[]): void {
    this.remove(store, proofs.map(unproven), true);
  }

  /** Returns the recorded keys. If n8n was killed during an earlier search for a key, the key proves nothing. */
  async proofs(store: KeyStore, values: string[]): Promise<Set<string>> {
    const proofs = await this.row.findProofs(store, values);
    // Another process may write the second key of the search back, and the key would then prove nothing.
    if (proofs.size > 0) this.reveal(store, [...proofs]);
    return proofs;
  }

  /** Like `proofs`, but also returns the recorded keys that prove nothing. */
  async search(store: KeyStore, values: string[]): Promise<{ found: Set<string>; proofs: Set<string> }> {
    const found = await this.row.look(store, values);
    return { found, proofs: new Set(values.filter((value) => isProof(value, found))) };
  }

  /** Returns whether n8n can't have removed keys yet. A failed catch-up removes at most half of the keys. */
  async isWhole(store: KeyStore): Promise<boolean> {
    return await this.row.hasSpace(store, 0.4);
  }

  /**
   * @param forGood whether the removal is permanent. If so, the node repeats it, because another process may write the
   * keys back.
   */
  remove(store: KeyStore, values: string[], forGood: boolean): void {
    for (const value of values) {
      this.removals.add(value);
      this.kept.delete(value);
      if (forGood && this.gone.size < MOST_REPEATED) this.gone.set(value, FINAL_WRITES);
    }
    this.writeSoon(store);
  }

  keep(values: string[]): void {
    for (const value of values) this.kept.set(value, FINAL_WRITES);
  }

  private writeSoon(store: KeyStore): void {
    if (this.isRemoving) return;
    this.isRemoving = true;
    // A random delay prevents two processes from undoing each other's changes every time.
    const pauseMs = REMOVAL_MS * (0.5 + Math.random());
    void sleep(Math.max(0, this.removedAtMs + pauseMs - Date.now())).then(async () => {
      this.removedAtMs = Date.now();
      const gone = [...this.removals, ...take(this.gone)];
      const kept = take(this.kept);
      this.removals.clear();
      if (kept.length > 0) void this.row.record(store, kept).catch(() => undefined);
      this.row.remove(store, gone);
      // Other calls would otherwise delay the removal until it takes place together with the next ones.
      await this.row.flush(store);
      this.isRemoving = false;
      if (this.removals.size + this.gone.size + this.kept.size > 0) this.writeSoon(store);
    });
  }

  isLeaving(value: string): boolean {
    return this.removals.has(value);
  }

  spare(values: string[]): void {
    for (const value of values) {
      this.removals.delete(value);
      this.gone.delete(value);
    }
  }
}

function take(values: Map<string, number>): string[] {
  const taken = [...values.keys()];
  for (const [value, times] of values)
    if (times > 1) values.set(value, times - 1);
    else values.delete(value);
  return taken;
}
