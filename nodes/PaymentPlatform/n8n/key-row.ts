import { hash, randomUUID } from 'node:crypto';

import { sleep, type IExecuteFunctions } from 'n8n-workflow';

/** n8n functions for hashes of keys in n8n's database (n8n.md#deduplication-helper). */
export type KeyStore = Pick<
  IExecuteFunctions['helpers'],
  'checkProcessedAndRecord' | 'removeProcessed' | 'getProcessedDataCount'
>;

type Scope = 'node' | 'workflow';

/** Maximum number of keys in a row, about 270 kB. n8n removes the oldest keys first. */
export const MOST_KEYS = 10_000;
/** Once per Key leaves three keys for each completed item. */
export const MOST_KEYS_OF_WORKFLOW = 30_000;
/** Catch-up leaves up to six keys for each change. A call takes about 12 milliseconds with 30,000 keys, and 4 with 10,000. */
export const MOST_KEYS_OF_TRIGGER = 30_000;
/** Number of new keys in the row after which callers record lasting keys again. Other processes may add as many. */
export const RENEWED_AFTER_KEYS = MOST_KEYS / 2;
const MOST_LATE = 50;
/**
 * Maximum number of keys of a call. Recording keys in a full row removes older keys, so a low maximum limits the loss.
 * n8n compares each key to remove with the whole row.
 */
export const MOST_AT_ONCE = 500;

/** Maximum number of attempts while other processes overwrite keys. */
export const MOST_LOOKS = 5;

/** Time for a task of `exclusively` in milliseconds. */
const LOCK_MS = 10_000;
/** Pauses between attempts to get the lock, in milliseconds. Each pause is longer than the one before. */
const LOCK_PAUSE_MS = 50;
const MOST_LOCK_PAUSES = 30;

const WAIT_MS = 1;
/** Number of pauses without another write after which a call starts. */
const MOST_QUIET = 2;
/** Maximum time to wait, as a multiple of the last call's duration and in milliseconds. */
const MOST_CALLS_TO_WAIT = 4;
const LONGEST_WAIT_MS = 20;

/** Time for parallel writes to end: a multiple of the slowest recent call's duration, within limits. */
const SETTLING = { calls: 4, leastMs: 100, mostMs: 2_000 };
/** Part of the slowest call's duration that remains after each faster call. */
const FADING = 0.95;

const MINUTE_MS = 60_000;
/** Maximum time in milliseconds for which a key shows a write as under way. */
const LONGEST_MS = 15 * MINUTE_MS;
/** Time in milliseconds between recording a write and sending it, after which the node records a new key. */
export const RENEWED_AFTER_MS = MINUTE_MS / 2;

/** Returns the new keys to remove. */
export type Undo = (added: ReadonlySet<string>) => string[];

interface Order {
  store: KeyStore;
  keys: string[];
  /** Missing if all keys stay. */
  undo?: Undo | undefined;
  resolve: (added: Set<string>) => void;
  reject: (error: unknown) => void;
}

/** Second row of keys (`Claim.witness`). */
export interface Witness {
  /** Records all keys or none, and returns the new ones. */
  recordAll(store: KeyStore, keys: string[]): Promise<Set<string>>;
  /** Removes keys for good. Only this process has recorded `own`, together with the other keys. */
  release(store: KeyStore, keys: string[], own: string): Promise<void>;
}

export interface Claim {
  /** Every process that begins the attempt records at least one of these keys. */
  shared: string[];
  /** Keys that no other execution records. */
  own?: string[];
  /** Keys that only the process that began the attempt may record. */
  later?: string[];
  /** Whether other processes may begin the attempt at the same time. */
  isContended: boolean;
  /**
   * Another row of the workflow, in which a new attempt also records its shared and own keys. If a slow call of another process
   * overwrites the keys of the first row after `keep` has checked them, that process still finds these keys, because a
   * process makes only one call to the rows of a workflow at a time.
   */
  witness?: Witness | undefined;
}

/** Runs the calls of a process to all rows of a workflow one after the other. */
export class CallQueue {
  private last: Promise<unknown> = Promise.resolve();

  async run<Result>(call: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(call);
    this.last = result.catch(() => undefined);
    return await result;
  }
}

interface Pinned {
  onLost: () => void;
  isLeaving: boolean;
}

/**
 * Records keys in a row of n8n's database. n8n writes a row as a whole, so this class makes only one call at a time.
 * Another process can still overwrite keys, so each call also records the keys of unfinished writes again.
 */
export class KeyRow implements Witness {
  static readonly workflows = new Map<string | undefined, { queue: CallQueue; rows: Map<string, KeyRow> }>();

  /** Returns a preview's own row, by the context of the preview. */
  static readonly previews = new WeakMap<IExecuteFunctions, (name: string, row: KeyRow) => KeyRow>();

  /** Number of keys that this process added to the row. */
  added = 0;
  /** Whether changes end with the run. */
  readonly isPreview: boolean = false;
  protected readonly mostAtOnce: number = MOST_AT_ONCE;

  private orders: Order[] = [];
  private readonly removals = new Map<string, KeyStore>();
  private readonly pinned = new Map<string, Pinned>();
  private flushing: Array<() => void> = [];
  private isWorking = false;
  /** Duration of the last call in milliseconds. */
  private tookMs = 0;
  /** Duration of the slowest recent call in milliseconds. The calls of other processes may be as slow. */
  private slowestMs = 0;

  constructor(
    private readonly maxEntries = MOST_KEYS,
    private readonly scope: Scope = 'node',
    private readonly queue = new CallQueue(),
  ) {}

  /** Returns the row of a node. */
  static ofNode(context: IExecuteFunctions, maxEntries = MOST_KEYS): KeyRow {
    return this.of(context, context.getNode().id, 'node', maxEntries);
  }

  /** Returns the row that all nodes of the workflow share. */
  static ofWorkflow(context: IExecuteFunctions): KeyRow {
    return this.of(context, '', 'workflow', MOST_KEYS_OF_WORKFLOW);
  }

  private static of(context: IExecuteFunctions, name: string, scope: Scope, maxEntries: number): KeyRow {
    const { id } = context.getWorkflow();
    const { queue, rows } = this.workflows.get(id) ?? { queue: new CallQueue(), rows: new Map<string, KeyRow>() };
    const row = rows.get(name) ?? new KeyRow(maxEntries, scope, queue);
    rows.set(name, row);
    this.workflows.set(id, { queue, rows });
    return this.previews.get(context)?.(name, row) ?? row;
  }

  /**
   * Records keys.
   * @returns the new keys. Only one caller receives a key.
   * @throws n8n's database error, in which case the keys may not be recorded.
   */
  async record(store: KeyStore, keys: string[], undo?: Undo): Promise<Set<string>> {
    return await new Promise((resolve, reject) => {
      this.orders.push({ store, keys, undo, resolve, reject });
      this.work();
    });
  }

  /** Returns the keys that the row contains. Leaves no new keys. */
  async find(store: KeyStore, keys: string[]): Promise<Set<string>> {
    const found = await this.look(store, keys);
    return new Set(keys.filter((key) => found.has(key)));
  }

  /**
   * Like `find`, but waits until no parallel write of another process has kept the look-up's new keys.
   * @param looks maximum number of look-ups while another process looks up the same keys.
   */
  async findAlone(store: KeyStore, keys: string[], looks = 1): Promise<Set<string>> {
    for (let look = 1; ; look += 1) {
      const own = randomUUID();
      const found = await this.look(store, [...keys, own]);
      const looked = [...keys, own].flatMap((key) => [key, unproven(key)]);
      await this.release(
        store,
        looked.filter((key) => !found.has(key)),
        own,
      );
      // Another process that looks up the keys leaves them for a moment, each with its second key.
      const isAlone = keys.every((key) => !found.has(unproven(key)));
      if (isAlone || look >= looks) return new Set(keys.filter((key) => found.has(key)));
    }
  }

  /**
   * Returns the keys that the row contains and that may permit something. If n8n is killed before this class removes
   * the new keys of a look-up, such a key would be a false proof. Each look-up therefore records a second key with each
   * key, and both keys together prove nothing.
   */
  async findProofs(store: KeyStore, keys: string[]): Promise<Set<string>> {
    const found = await this.look(store, keys);
    return new Set(keys.filter((key) => isProof(key, found)));
  }

  /**
   * Like `findProofs` for one key. If another process writes the second key back, removes it again. The key would
   * otherwise prove nothing anymore.
   */
  async isProven(store: KeyStore, key: string): Promise<boolean> {
    const own = randomUUID();
    const isProven = (await this.findProofs(store, [key, own])).has(key);
    if (isProven) void this.release(store, [unproven(key), own, unproven(own)], own).catch(() => undefined);
    return isProven;
  }

  /** Returns the keys that the row contains, and the keys that take away their proof (`isProof`). */
  async look(store: KeyStore, wanted: string[]): Promise<Set<string>> {
    const keys = wanted.flatMap((key) => [key, unproven(key)]);
    const found = new Set<string>();
    for (let from = 0; from < keys.length; from += MOST_AT_ONCE) {
      const some = keys.slice(from, from + MOST_AT_ONCE);
      const missing = await this.record(store, some, (added) => [...added]);
      for (const key of some) if (!missing.has(key)) found.add(key);
    }
    return found;
  }

  /**
   * Records an attempt's new keys again, because another process may have overwritten them or begun the same attempt.
   * @returns which process began the attempt. Returns `begun` if only the witness shows that another process began it,
   *   now or earlier, and `lost` if other processes overwrote the keys each time.
   */
  async keep(
    store: KeyStore,
    keys: string[],
    { shared, own = [], later = [], isContended, witness }: Claim,
  ): Promise<'this' | 'other' | 'begun' | 'lost'> {
    const early = keys.filter((key) => !later.includes(key));
    const witnesses = [...shared, ...own].map(witnessOf);
    const hasWitness = witness !== undefined && !this.isPreview;
    let isFirst = !hasWitness;
    let result: 'this' | 'other' | 'begun' | 'lost' = 'lost';
    try {
      for (let look = 0; look < MOST_LOOKS && result !== 'other'; look += 1) {
        // A call of another process may have begun earlier. When it ends, it overwrites the keys.
        if (isContended) await this.settle();
        let lost = await this.record(store, early);
        if (lost.size === 0 && hasWitness && !isFirst) {
          isFirst = (await witness.recordAll(store, witnesses)).size === witnesses.length;
          lost = await this.record(store, early);
        }
        if (lost.size === 0 && isFirst) {
          if (later.length > 0) await this.record(store, later);
          return (result = 'this');
        }
        // Looks again, because the other process removes the witness if it isn't alone either.
        const isOther = lost.size > 0 && !shared.every((key) => lost.has(key)) && own.some((key) => lost.has(key));
        result = isOther ? 'other' : lost.size === 0 ? 'begun' : 'lost';
        if (isOther) this.remove(store, [...own, ...lost]);
      }
      return result;
    } finally {
      const [own = ''] = witnesses.slice(-1);
      if (result !== 'this' && hasWitness && isFirst)
        void witness.release(store, witnesses, own).catch(() => undefined);
    }
  }

  /** Like `record`, but records all keys or none. */
  async recordAll(store: KeyStore, keys: string[]): Promise<Set<string>> {
    return await this.record(store, keys, (added) => (added.size < keys.length ? [...added] : []));
  }

  /** Returns whether the row still contains a new key when the calls of other processes that began earlier have ended. */
  private async remains(store: KeyStore, key: string): Promise<boolean> {
    await this.settle();
    return (await this.find(store, [key])).size > 0;
  }

  /**
   * Runs a task while no n8n process runs another task with the same name. The look-ups of both would otherwise find
   * each other's keys.
   * @param lockMs time after which the lock of a killed process ends at the earliest. It ends after twice this time.
   * @throws if the other task doesn't end within 23 seconds.
   */
  async exclusively<Result>(
    store: KeyStore,
    name: string,
    task: () => Promise<Result>,
    lockMs = LOCK_MS,
  ): Promise<Result> {
    for (let pauses = 1; pauses <= MOST_LOCK_PAUSES; pauses += 1) {
      const slot = Math.floor(Date.now() / lockMs);
      // A process whose next slot has begun has only one of these keys in common.
      const shared = [slot, slot + 1].map((one) => digest('lock', name, one));
      const own = randomUUID();
      const locks = [...shared, own];
      const added = await this.recordAll(store, locks);
      const isFree = added.size === locks.length;
      const kept = isFree ? await this.keep(store, locks, { shared, own: [own], isContended: true }) : 'other';
      if (kept === 'lost') this.remove(store, locks);
      if (kept === 'this')
        try {
          return await task();
        } finally {
          void this.release(store, locks, own).catch(() => undefined);
        }
      await sleep(LOCK_PAUSE_MS * pauses);
    }
    throw new Error('Another process uses the keys');
  }

  /**
   * Repeats the removal, because another process may write the keys back at the same time.
   * @throws n8n's database error if the removal stays unclear. Another process may then have recorded the keys again.
   */
  async release(store: KeyStore, keys: string[], own: string): Promise<void> {
    this.remove(store, keys);
    for (let look = 1; ; look += 1) {
      await this.flush(store);
      // Only the last failure ends the search.
      const isBack = this.remains(store, own);
      const found = look < MOST_LOOKS ? await isBack.catch(() => undefined) : await isBack;
      if (found === false || look === MOST_LOOKS) return;
      // A later attempt of this process may have recorded a key again.
      const over = keys.filter((key) => !this.pinned.has(key));
      if (found) this.remove(store, over);
    }
  }

  /**
   * Returns whether any n8n process is sending the write now.
   * @param own keys that the caller has just recorded.
   */
  async isBusy(store: KeyStore, open: string, own: ReadonlySet<string> = new Set()): Promise<boolean> {
    if (this.isPinned(open)) return true;
    const now = Date.now();
    const times = Array.from({ length: LONGEST_MS / MINUTE_MS }, (_, minute) => now + minute * MINUTE_MS);
    const keys = times.map((time) => busyKey(open, time)).filter((key) => !own.has(key));
    for (let look = 1; ; look += 1) {
      const found = await this.look(store, keys);
      const busy = keys.filter((key) => found.has(key));
      // Another process that looks up the keys leaves them for a moment, each with its second key.
      if (busy.length === 0 || look === MOST_LOOKS || busy.some((key) => isProof(key, found))) return busy.length > 0;
      await this.settle();
    }
  }

  /**
   * Records keys, and writes them again until a call finds them in the row. Ignores database errors.
   * @param over keys to remove afterwards.
   */
  add(store: KeyStore, keys: string[], over: string[] = []): void {
    if (keys.length === 0) return;
    this.pin(keys, () => undefined);
    this.unpin(keys);
    // A look-up may be about to remove the keys.
    for (const key of keys) this.removals.delete(key);
    void this.record(store, [])
      .then(() => this.remove(store, over))
      .catch(() => undefined);
  }

  /**
   * Like `add`, but waits until another process looks up none of the keys. The look-up would otherwise remove keys that
   * this process mistook for its own. After a few attempts, a killed process may have left the keys of its look-up.
   */
  async addProofs(store: KeyStore, keys: string[], over: string[]): Promise<void> {
    this.pin(keys, () => undefined);
    for (const key of keys) this.removals.delete(key);
    const own = randomUUID();
    const isThere = async (isLast: boolean) => {
      const found = isLast ? this.find(store, keys) : this.findProofs(store, [...keys, own]);
      const { size } = await found.catch(() => new Set<string>());
      return size === keys.length;
    };
    let there = false;
    for (let look = 1; !there && look <= MOST_LOOKS; look += 1) {
      there = await isThere(look === MOST_LOOKS);
      if (!there) await sleep(LOCK_PAUSE_MS);
    }
    this.unpin(keys);
    // If another process wrote back a second key, the keys would prove nothing anymore.
    const seconds = [...keys, own].map(unproven);
    if (there) await this.release(store, [...over, ...seconds, own], own).catch(() => undefined);
  }

  /** Returns whether n8n can't have removed keys yet, because the row has much space. */
  async hasSpace(store: KeyStore, usedShare = 0.1): Promise<boolean> {
    return (await store.getProcessedDataCount(this.scope, this.options)) < this.maxEntries * usedShare;
  }

  remove(store: KeyStore, keys: string[]): void {
    for (const key of keys) {
      this.pinned.delete(key);
      this.removals.set(key, store);
    }
    this.work();
  }

  /** Writes the keys again with every call. Calls `onLost` if another process has overwritten a key. */
  pin(keys: string[], onLost: () => void): void {
    for (const key of keys) this.pinned.set(key, { onLost, isLeaving: false });
  }

  /** Returns whether the key belongs to a write that this process has not completed. */
  isPinned(key: string): boolean {
    return this.pinned.get(key)?.isLeaving === false;
  }

  /** Stops rewriting keys as soon as a call finds them in the row. */
  unpin(keys: string[]): void {
    for (const key of keys) {
      const pinned = this.pinned.get(key);
      if (pinned) pinned.isLeaving = true;
    }
  }

  /** Waits until n8n's database contains all changes. Ignores database errors. */
  async flush(store: KeyStore): Promise<void> {
    const isLeaving = [...this.pinned.values()].some((pinned) => pinned.isLeaving);
    if (isLeaving || this.orders.length > 0) await this.record(store, []).catch(() => undefined);
    await new Promise<void>((resolve) => {
      this.flushing.push(resolve);
      this.work();
    });
  }

  private work(): void {
    if (this.isWorking) return;
    this.isWorking = true;
    void this.inTurn();
  }

  private async inTurn(): Promise<void> {
    await Promise.resolve();
    while (this.orders.length + this.removals.size + this.flushing.length > 0) {
      await this.gather();
      await this.write();
      const [next] = this.orders;
      const canWait = next && !this.isBlocked(next) && this.flushing.length === 0 && this.removals.size < MOST_LATE;
      if (!canWait) await this.removeAll();
    }
    this.isWorking = false;
  }

  /** Waits for writes that end at almost the same time, because one call for all of them is faster. */
  private async gather(): Promise<void> {
    const until = Date.now() + Math.min(this.tookMs * MOST_CALLS_TO_WAIT, LONGEST_WAIT_MS);
    const isOtherUnderWay = () => [...this.pinned.values()].some(({ isLeaving }) => !isLeaving);
    let quiet = 0;
    while (quiet < MOST_QUIET && Date.now() < until && this.flushing.length === 0 && isOtherUnderWay()) {
      const before = this.orders.length;
      await sleep(WAIT_MS);
      quiet = this.orders.length > before ? 0 : quiet + 1;
    }
  }

  private isBlocked({ keys }: Order): boolean {
    return keys.some((key) => this.removals.has(key));
  }

  private async write(): Promise<void> {
    const batch: Order[] = [];
    const keys = new Set<string>();
    // If two queued calls contain the same key, the second call waits until the first call has ended.
    for (let [order] = this.orders; order; [order] = this.orders) {
      if (this.isBlocked(order) || order.keys.some((key) => keys.has(key))) break;
      if (batch.length > 0 && keys.size + order.keys.length > this.mostAtOnce) break;
      this.orders.shift();
      batch.push(order);
      for (const key of order.keys) keys.add(key);
    }
    const [first] = batch;
    if (!first) return;
    const pinned = new Map(this.pinned);
    // Keys that the row contains only for a moment must not make n8n remove older keys.
    const passing = batch.reduce((sum, order) => sum + (order.undo ? order.keys.length : 0), this.removals.size);
    try {
      const added = await this.call(first.store, [...new Set([...pinned.keys(), ...keys])], passing);
      for (const [key, { onLost }] of pinned)
        if (added.has(key)) onLost();
        else if (this.pinned.get(key)?.isLeaving) this.pinned.delete(key);
      // The node recorded these keys earlier, so they aren't new even if another process has overwritten them.
      const ended = batch.map(({ store, keys: own, undo, resolve }) => {
        const missing = new Set(own.filter((key) => added.has(key) && !pinned.has(key)));
        return { store, missing, over: undo?.(missing) ?? [], resolve };
      });
      // One call must remove all keys of a look-up, because a kill between two calls would leave a part of them.
      const waiting = [...this.removals];
      this.removals.clear();
      // Another execution may have pinned a key during the call, for example because its write is done.
      for (const { store, over } of ended)
        this.remove(
          store,
          over.filter((key) => !this.pinned.has(key)),
        );
      for (const [key, store] of waiting) this.removals.set(key, store);
      for (const { missing, resolve } of ended) resolve(missing);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** n8n's database refuses one of two simultaneous first calls for a row, so the node calls it again. */
  private async call(store: KeyStore, keys: string[], passing: number): Promise<Set<string>> {
    const record = async () => await this.check(store, keys, passing);
    const added = await record().catch(record);
    this.added += added.length;
    return new Set(added);
  }

  /** Records keys and returns the new ones. */
  protected async check(store: KeyStore, keys: string[], passing: number): Promise<string[]> {
    const options = { ...this.options, maxEntries: this.maxEntries + passing };
    return await this.queue.run(async () => {
      const startedAt = Date.now();
      const { new: added } = await store.checkProcessedAndRecord(keys, this.scope, options);
      this.tookMs = Date.now() - startedAt;
      this.slowestMs = Math.max(this.tookMs, this.slowestMs * FADING);
      return added.map(String);
    });
  }

  protected async delete(store: KeyStore, keys: string[]): Promise<void> {
    await this.queue.run(async () => await store.removeProcessed(keys, this.scope, this.options));
  }

  private async removeAll(): Promise<void> {
    const [store] = this.removals.values();
    const keys = [...this.removals.keys()].slice(0, MOST_AT_ONCE);
    for (const key of keys) this.removals.delete(key);
    const flushing = this.removals.size > 0 ? [] : this.flushing.splice(0);
    try {
      if (store) await this.delete(store, keys);
    } catch {
      // The keys stay in the row, so a later attempt treats the outcomes of these writes as unknown.
    }
    for (const resolve of flushing) resolve();
  }

  private get options() {
    return { mode: 'entries', maxEntries: this.maxEntries } as const;
  }

  /** Waits until calls of other processes that began earlier have ended. */
  async settle(): Promise<void> {
    await sleep(Math.min(Math.max(this.slowestMs * SETTLING.calls, SETTLING.leastMs), SETTLING.mostMs));
  }
}

/**
 * Returns the latest end of a write, in milliseconds since 1970. If n8n is killed, other attempts treat the write as
 * under way until then.
 * @param timeoutMs time limit of the request.
 */
export const untilMs = (timeoutMs: number): number =>
  Date.now() + Math.min(timeoutMs + MINUTE_MS, LONGEST_MS - MINUTE_MS);

/** Returns the key with which a look-up shows that a key is no proof (`findProofs`). */
export const unproven = (key: string): string => `unproven ${key}`;

export const isProof = (key: string, found: ReadonlySet<string>): boolean =>
  found.has(key) && !found.has(unproven(key));

/** Returns the key that shows in another row that an attempt began (`Claim.witness`). */
export const witnessOf = (shared: string): string => `witness of ${shared}`;

const COPY = 'copy of ';

/**
 * Returns the key that a preview looks up instead of another key. If n8n is killed during the look-up, the copy can stay,
 * but no run that sends looks it up.
 */
export const copyOf = (key: string): string => `${COPY}${key}`;

export const isCopy = (key: string): boolean => key.startsWith(COPY);

/** The key shows until when the write is under way. */
export const busyKey = (open: string, until: number): string => digest('busy', open, Math.ceil(until / MINUTE_MS));

const digest = (kind: string, name: string, time: number): string =>
  hash('sha256', JSON.stringify([kind, name, time]), 'base64url').slice(0, 22);
