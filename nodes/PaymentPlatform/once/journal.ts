import type { IExecuteFunctions } from 'n8n-workflow';

import { ExecutionAccount } from './execution-account';
import { DedupRow, type JournalStore } from './dedup-row';
import { entryKeys, hasWord, type EntryKeys } from './journal-keys';
import { lineageOf, type Lineage } from '../n8n/lineage';
import { Contents } from './journal-contents';
import { currentRound } from '../n8n/count-rounds';
import { placeOf, sharesOf } from '../model/item-steps';
import type { Obstacle, EarlierTry } from '../model/write-memory';
import type { Account, PlannedRequest } from '../model/types';

/** After so many writes of a run the mark of its execution is written anew, so that it outlives the oldest keys. */
const RENEWED_AFTER = 1000;

/** Why there is no journal, as a hint. */
const NOT_SAVED =
  'This workflow is not saved, so n8n could not note in its database what was sent. If n8n is stopped in the middle of such a run, nothing tells what was done. Save the workflow before it moves money.';

/**
 * What n8n's database knows of the writes of an execution: each is noted before it is sent, and once more when its
 * outcome is known, so that a kill, a second retry of the same execution or another worker finds what was begun. Holds
 * digests only. What the run's memory knows comes first; the journal is asked for the rest.
 */
export class Journal {
  private readonly entries = new Map<string, EntryKeys>();
  /** Writes of this run of which nobody knows what became of them. */
  private readonly unknown = new Map<string, EntryKeys>();
  /** What was there of the lineage before the first write of this run. */
  private first?: Promise<Set<string>>;
  /** Places of the writes about which this run asked. */
  private readonly asked = new Set<string>();
  private begun = 0;
  private missing?: string;
  /** The last write that asked to be noted. */
  private last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly row: DedupRow,
    private readonly store: JournalStore,
    private readonly lineage: Lineage,
    private readonly contents: Contents,
    private readonly account: ExecutionAccount,
  ) {}

  /** The journal of the node's current run. */
  static open(context: IExecuteFunctions, account: Account, requests: PlannedRequest[]): Journal {
    const { id } = context.getWorkflow();
    const row = DedupRow.of(`${id} ${context.getNode().id}`);
    const contents = new Contents(context, account, requests);
    const own = new ExecutionAccount(context, account);
    const journal = new Journal(row, context.helpers, lineageOf(context), contents, own);
    if (!isSaved(id)) journal.missing = NOT_SAVED;
    return journal;
  }

  /** Why nothing was noted, as a hint for a person. */
  get gap(): string | undefined {
    return this.missing;
  }

  /** Whether an earlier try of the execution may have noted something. A tool has no items that it does not send. */
  get isRetry(): boolean {
    return this.lineage.isRetry && !this.contents.isTool;
  }

  /** Whether this run asked about the write. */
  hasAsked(request: PlannedRequest): boolean {
    return this.asked.has(placeOf(request));
  }

  /**
   * Notes a write that is about to be sent. Writes are answered in the order in which they ask, and so sent in that of
   * the items.
   * @param attempt tells the tries of it apart that a person had sent anew.
   * @returns what an earlier try left that stands in the way; nothing when it may be sent.
   * @throws when n8n's database can't note it: then it must not be sent, for a later try would take it for never begun.
   */
  async begin(request: PlannedRequest, attempt: string): Promise<Obstacle | undefined> {
    const before = this.last;
    const noting = this.note(request, attempt);
    this.last = Promise.allSettled([before, noting]);
    await before;
    return await noting;
  }

  /** What an earlier try of the execution left of a write that this one does not send. */
  async earlier(request: PlannedRequest, attempt: string): Promise<Obstacle | undefined> {
    if (!this.lineage.isRetry) return undefined;
    const witness = await this.begin(request, attempt);
    if (!witness) this.settle(request, 'refused');
    return witness;
  }

  private async note(request: PlannedRequest, attempt: string): Promise<Obstacle | undefined> {
    this.asked.add(placeOf(request));
    if (this.missing !== undefined) return undefined;
    const keys = this.keysOf(request, attempt);
    const added = await this.record(keys.all).catch((error: unknown) => {
      if (!isForeign(error)) throw error;
      this.missing = NOT_SAVED;
    });
    if (!added) return undefined;
    const marks = await this.marks();
    // These also make the next try ask about the account again.
    const otherAccount = this.accountWitness(request, marks);
    const other = this.credentialWitness(marks, attempt) ?? otherAccount;
    const witness = this.witness(keys, added, marks, attempt) ?? other;
    const own = keys.all.filter((key) => added.has(key));
    if (witness) {
      this.row.forget(this.store, own);
      return witness;
    }
    this.entries.set(placeOf(request), { ...keys, all: own });
    this.row.hold(own, () => this.lost());
    this.count();
    return undefined;
  }

  /** The answer is there: `refused` was not applied, `done` was; what stays unknown stays as it is noted. */
  settle(request: PlannedRequest, became: 'done' | 'refused' | 'unknown'): void {
    for (const share of sharesOf(request)) this.settleOne(share, became);
  }

  private settleOne(request: PlannedRequest, became: 'done' | 'refused' | 'unknown'): void {
    const keys = this.entries.get(placeOf(request));
    if (!keys) return;
    if (became === 'refused') this.row.forget(this.store, keys.all);
    if (became === 'done') this.row.forget(this.store, keys.open);
    this.row.release(keys.all);
    this.entries.delete(placeOf(request));
    if (became === 'unknown') this.unknown.set(placeOf(request), keys);
  }

  /** A write of this run that was unknown was found to be done. */
  found(request: PlannedRequest): void {
    for (const share of sharesOf(request)) {
      const keys = this.unknown.get(placeOf(share));
      if (keys) this.row.forget(this.store, keys.open);
    }
  }

  /** All that was noted is in the row, and was seen there once more. */
  async end(): Promise<void> {
    if (this.first) await this.row.settle(this.store);
  }

  private async record(keys: string[]): Promise<Set<string>> {
    if (this.first) return await this.row.record(this.store, keys);
    const recorded = this.row.record(this.store, [...this.sentinels, ...keys]);
    this.first = recorded;
    const added = await recorded.catch((error: unknown) => {
      this.first = undefined;
      throw error;
    });
    // It says that no key is missing; a try that is not the first can't make that true.
    const cut = this.lineage.names.filter((name) => isCut(name, added));
    this.row.forget(this.store, cut.map(firstOf));
    return added;
  }

  /** Marks of the lineage that were not there before this run. */
  private async marks(): Promise<Set<string>> {
    return (await this.first) ?? new Set();
  }

  private witness(keys: EntryKeys, added: Set<string>, marks: Set<string>, attempt: string): EarlierTry | undefined {
    const was = (key: string) => !added.has(key);
    const asked = keys.names.filter(({ name }) => this.lineage.asked.has(name));
    const open = asked.filter((one) => was(one.open));
    if (this.contents.isTool && open.some((one) => this.row.holds(one.open))) return 'underWay';
    if (open.length > 0) return 'begun';
    if (asked.some(({ content }) => was(content))) return 'done';
    if (asked.some(({ place }) => place !== undefined && was(place))) return 'otherContent';
    if (this.lineage.asksContent && keys.bare.some(was)) return 'sameContent';
    // A person who released the item knew that its keys may be gone; asking again would never end.
    const isReleased = !this.contents.isTool && hasWord(attempt);
    return !isReleased && asked.some(({ name }) => isCut(name, marks)) ? 'forgotten' : undefined;
  }

  /** Whether an earlier try of the execution noted its writes, and not with this account. */
  private accountWitness(request: PlannedRequest, marks: Set<string>): Obstacle | undefined {
    const others = this.lineage.accountsAsked.filter(
      (name) => !marks.has(latestOf(name)) && marks.has(this.accountOf(name)),
    );
    if (others.length === 0 || this.account.isConfirmed(request)) return undefined;
    // The next try has to ask again.
    this.row.forget(
      this.store,
      others.map((name) => this.accountOf(name)),
    );
    return 'otherAccount';
  }

  /**
   * Whether an earlier try used another secret, where only the content identifies a write. A digest depends on the secret, so
   * the node can't recognize any write of that try.
   */
  private credentialWitness(marks: Set<string>, attempt: string): Obstacle | undefined {
    if (!this.contents.isTool && !(this.lineage.asksContent && !hasWord(attempt))) return undefined;
    const others = this.lineage.accountsAsked.filter(
      (name) => !marks.has(latestOf(name)) && marks.has(this.credentialOf(name)),
    );
    this.row.forget(
      this.store,
      others.map((name) => this.credentialOf(name)),
    );
    return others.length > 0 ? 'otherCredential' : undefined;
  }

  private credentialOf(name: string): string {
    return `credential ${name} ${this.account.credentialMark}`;
  }

  private accountOf(name: string): string {
    return `account ${name} ${this.account.mark}`;
  }

  /** Another process wrote over keys of this run: that one is missing proves nothing any more. */
  private lost(): void {
    this.row.forget(this.store, this.lineage.names.map(firstOf));
  }

  private count(): void {
    this.begun += 1;
    if (this.begun % RENEWED_AFTER !== 0) return;
    const latest = this.latest;
    this.row.forget(this.store, latest);
    void this.row.record(this.store, latest).catch(() => undefined);
  }

  private get sentinels(): string[] {
    return [...this.lineage.names.map(firstOf), ...this.latest];
  }

  /** Marks that outlive the oldest keys. The mark of the account comes last, so that it is there as long as the other one. */
  private get latest(): string[] {
    const { isTool } = this.contents;
    return this.lineage.accountNames.flatMap((name) => [
      latestOf(name),
      ...(isTool || this.lineage.recordsContent ? [this.credentialOf(name)] : []),
      this.accountOf(name),
    ]);
  }

  private keysOf(request: PlannedRequest, attempt: string): EntryKeys {
    const { lineage, contents } = this;
    const bare = lineage.recordsContent ? contents.bare(request) : [];
    return entryKeys(lineage.names, { bare, content: contents.of(request), place: contents.place(request), attempt });
  }
}

/** Asked about at once. Keys that are asked about take the place of the oldest keys of a full row until they are removed. */
const PLACES_AT_ONCE = 500;

/**
 * The items in whose places an earlier try of the execution began to send something, where the items can't be planned now.
 * No content is known of these, and of n8n 1 after a kill no place either.
 */
export async function begunPlaces(context: IExecuteFunctions, items: number[]): Promise<Set<number>> {
  const begun = new Set<number>();
  const { isRetry, asked } = lineageOf(context);
  const { id } = context.getWorkflow();
  if (!isRetry || !isSaved(id)) return begun;
  const row = DedupRow.of(`${id} ${context.getNode().id}`);
  const { itemsBefore } = currentRound(context);
  const keysOf = (item: number) =>
    entryKeys([...asked], {
      bare: [],
      content: '',
      place: `${itemsBefore + item}.0`,
      attempt: FIRST_ATTEMPT,
    }).names.flatMap(({ place }) => place ?? []);
  for (let from = 0; from < items.length; from += PLACES_AT_ONCE) {
    const places = items.slice(from, from + PLACES_AT_ONCE).map((item) => ({ item, keys: keysOf(item) }));
    const added = await row.record(
      context.helpers,
      places.flatMap(({ keys }) => keys),
    );
    row.forget(context.helpers, [...added]);
    for (const { item, keys } of places) if (keys.some((key) => !added.has(key))) begun.add(item);
  }
  if (items.length > 0) await row.settle(context.helpers);
  return begun;
}

/** Each item that was begun has the key of its first try. */
const FIRST_ATTEMPT = '0.0';

const firstOf = (name: string) => `first ${name}`;
const latestOf = (name: string) => `latest ${name}`;

/** The first key of a lineage is gone and a later one is not: so may be that of any write. */
const isCut = (name: string, added: Set<string>) => added.has(firstOf(name)) && !added.has(latestOf(name));

/** n8n gives a workflow that was never saved no ID, or one that means it. */
export const isSaved = (id: string | undefined) => id !== undefined && id !== '' && !id.startsWith('__EMPTY');

/** The workflow of the row is not there. */
export const isForeign = (error: unknown) => error instanceof Error && /foreign key/i.test(error.message);
