import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { toCents } from '../shared/digits';
import { amountOf } from '../model/read-amounts';
import { Digests, Origins } from './digests';
import { ExecutionAccount } from './execution-account';
import { earliestSending } from '../n8n/lineage';
import { placeOf } from '../model/item-steps';
import { keepable, type Finished, type Obstacle, type Remembered, type WriteMemory } from '../model/write-memory';
import {
  entriesByItem,
  finished,
  hasStepsAfter,
  indexOfAccount,
  ofEach,
  onlyIds,
  runOf,
  type MemoryEntry,
  type RunMemory,
  type Store,
} from './memory-entry';
import { currentRound } from '../n8n/count-rounds';
import { KeptRoom } from '../limits/total';
import type { Account, PlannedRequest, PartialFailure } from '../model/types';
import type { Failure } from '../model/failure';

/**
 * The node's context keeps the memory under this name. n8n stores the context with the execution and gives it to every
 * further try (n8n.md#memory).
 */
const CONTEXT_KEY = 'paymentPlatformWrites';
/** Limit for the records of one run that are kept whole, in characters of JSON. Of further records only the IDs are kept. */
const MOST_CHARACTERS = 8_000_000;
/** Digest of a field that a request does not have. */
const NO_FIELD = '---';
const CODE_LENGTH = 5;
/** Limit for the fields that a message about an edited item can name, because every entry has a digest for each of them. */
const MOST_NAMES = 200;

/**
 * The writes of one run of the node that are done or of unknown outcome, so that n8n's further tries of the same run send
 * none of them twice. The memory contains keyed digests and the results, never the requests. A write is identified by its
 * place: the round (n8n/count-rounds.ts), the item, and the part of an item that needs several requests. It is the same
 * write if the digest of the request is the same, or if the parameters and input items are the same, because an expression
 * such as $now gives another value in each try. If neither is the same, the item was edited, and the node refuses it until a
 * person releases it.
 */
export class ExecutionMemory implements WriteMemory {
  /** Room that the total of the execution leaves for the rest of the run. */
  readonly room = new KeptRoom();
  private readonly groups = new Map<PlannedRequest, string>();
  private readonly origins: Origins;
  private byItem?: Map<string, MemoryEntry[]>;

  private constructor(
    private readonly store: Store,
    private readonly runKey: string,
    private readonly digests: Digests,
    private readonly context: IExecuteFunctions,
    private readonly account: ExecutionAccount,
  ) {
    this.origins = new Origins(context, digests);
  }

  /** Opens the memory of the node's current run. */
  static open(context: IExecuteFunctions, account: Account): ExecutionMemory {
    const kept: { [CONTEXT_KEY]?: Store } = context.getContext('node');
    const store = (kept[CONTEXT_KEY] ??= { accounts: [], runs: {} });
    const own = new ExecutionAccount(context, account);
    const digests = new Digests(account, context.getNode().parameters);
    return new ExecutionMemory(store, String(currentRound(context).number), digests, context, own);
  }

  /** Keeps the account as that of the first try. After a kill the memory does not know the account of the first try. */
  withAccount(): this {
    if (this.context.getMode() !== 'retry') this.store.account ??= this.account.mark;
    return this;
  }

  recall(request: PlannedRequest): Remembered | undefined {
    const known = this.known(request);
    if (!known) return this.account.obstacle(this.store.account, request);
    if (known.outcome === 'done') return known;
    const word = request.options.resolved?.get(known.code ?? '');
    if (word === 'applied') return this.confirmed(request);
    if (word === 'notApplied') return this.release(request);
    // A step that is done has an unknown result only. After a kill, n8n 1 can't tell a write that is done from one that was begun.
    const mayBeDone = known.outcome === 'unknown' && (known.witness === 'done' || known.witness === 'sameContent');
    const isOpen = known.outcome === 'unknown' && !mayBeDone;
    return isOpen && request.options.resendUnknown ? undefined : known;
  }

  standing(item: number): Finished | { outcome: 'unknown' } | undefined {
    this.byItem ??= entriesByItem(this.store.runs[this.runKey]?.entries ?? {});
    const sent = this.byItem.get(String(item)) ?? [];
    if (sent.some(({ records }) => !records)) return { outcome: 'unknown' };
    const last = sent.at(-1);
    return last && finished(last);
  }

  moved(request: PlannedRequest): number {
    const { cents = 0, notApplied } = this.entryOf(request) ?? {};
    return notApplied ? 0 : cents;
  }

  private known(request: PlannedRequest): Remembered | undefined {
    const entry = this.entryOf(request);
    if (!entry || entry.notApplied) return undefined;
    const code = this.codeOf(request, entry);
    if (this.store.accounts[entry.account ?? 0] !== this.digests.account) return { outcome: 'unrecognisable', code };
    const { witness } = entry;
    const isSame = entry.request === this.digests.request(request) || entry.origin === this.origins.of(request);
    if (isSame) return finished(entry) ?? { outcome: 'unknown', code, ...(witness && { witness }) };
    return { outcome: 'edited', code, differs: this.differing(entry, request), finished: finished(entry) };
  }

  sending(request: PlannedRequest): Failure | undefined {
    const over = this.room.take(request, this.movedCents);
    if (over) return over;
    this.store.account ??= this.account.mark;
    this.keep(request, this.enter(request));
    return undefined;
  }

  private enter(request: PlannedRequest): MemoryEntry {
    const before = this.entryOf(request);
    const cents = toCents(amountOf(request) ?? 0);
    const again = before?.records ? undefined : before;
    this.count(cents);
    return {
      ...this.newEntry(request, before),
      ...(cents > 0 && { cents }),
      // A record of an earlier try may still turn up, also if a person said that the try was not applied.
      sentAt: again?.sentAt ?? Date.now(),
      // The write is sent again while the outcome of the try before is still unknown.
      ...(again && !again.notApplied && { openTries: (again.openTries ?? 0) + 1 }),
    };
  }

  done(request: PlannedRequest, given: IDataObject[], partialFailure?: PartialFailure): void {
    const run = this.run();
    const { records: safe, left } = keepable(given);
    run.size += JSON.stringify(safe).length;
    const records = run.size <= MOST_CHARACTERS ? safe : safe.map((record) => onlyIds(record, request));
    const known = this.entryOf(request);
    // A step may find that nothing has to be sent.
    const entry = known && !known.notApplied ? known : this.newEntry(request, known);
    // A record was found of a try that was not applied according to a person. So the try did move the amount.
    const cents = known?.notApplied ? known.cents : undefined;
    this.count(cents ?? 0);
    this.keep(request, {
      ...entry,
      ...(cents && { cents }),
      sentAt: undefined,
      witness: undefined,
      records,
      ...(partialFailure && { partialFailure }),
      ...(left.length > 0 && { withoutSecrets: left }),
    });
  }

  notApplied(request: PlannedRequest): void {
    const entry = this.entryOf(request);
    if (!entry) return;
    this.count(-(entry.cents ?? 0));
    const { openTries = 0, ...rest } = entry;
    if (openTries > 0) this.keep(request, { ...rest, ...(openTries > 1 && { openTries: openTries - 1 }) });
    else if (entry.releases) this.keep(request, { ...rest, notApplied: true });
    else delete this.run().entries[placeOf(request)];
  }

  attempt(request: PlannedRequest): string {
    return `${this.entryOf(request)?.releases ?? 0}.${this.openTries(request)}`;
  }

  witnessed(request: PlannedRequest, witness: Obstacle): Remembered | undefined {
    if (witness === 'otherAccount') return this.account.other;
    const isOther = witness === 'otherCredential';
    const earlier = isOther ? 'begun' : witness;
    // The steps after this one would need its result.
    const isKnown = witness === 'done' && !hasStepsAfter(request);
    this.keep(request, {
      ...this.enter(request),
      sentAt: earliestSending(this.context, earlier),
      witness: earlier,
      ...(isOther && { account: indexOfAccount(this.store, witness) }),
      ...(isKnown && { records: ofEach(request, { done_by_earlier_try: true }) }),
    });
    return this.recall(request);
  }

  sentAt(request: PlannedRequest): number | undefined {
    const entry = this.entryOf(request);
    return entry?.records ? undefined : entry?.sentAt;
  }

  reopen(request: PlannedRequest): Remembered | undefined {
    const entry = this.entryOf(request);
    if (entry?.notApplied) this.count(entry.cents ?? 0);
    if (entry?.notApplied) this.keep(request, { ...entry, notApplied: undefined });
    return this.known(request);
  }

  openTries(request: PlannedRequest): number {
    const entry = this.entryOf(request);
    if (!entry || entry.notApplied) return 0;
    return (entry.openTries ?? 0) + (entry.records ? 0 : 1);
  }

  end(complete: boolean): void {
    if (complete) delete this.store.runs[this.runKey];
  }

  /** Sum that the node moved in this execution, or may have moved, in cents. */
  get movedCents(): number {
    return this.store.moved ?? 0;
  }

  private count(cents: number): void {
    if (cents !== 0) this.store.moved = this.movedCents + cents;
  }

  /** A person says that the earlier try was applied. The item is done, with the references that identify it. */
  private confirmed(request: PlannedRequest): Finished {
    const records = ofEach(request, { confirmed_by_person: true });
    const before = this.entryOf(request);
    const cents = before?.cents;
    this.keep(request, { ...this.newEntry(request, before), ...(cents && { cents }), records, byWord: true });
    return { outcome: 'done', records, byWord: true };
  }

  /** A person says that the request is to be sent, whatever became of the earlier try. */
  private release(request: PlannedRequest): undefined {
    const entry = this.entryOf(request);
    if (!entry) return;
    // According to the person, tries without a result moved nothing. A try with a result stays counted.
    const { sentAt, cents } = entry.records ? {} : entry;
    this.count(-(cents ?? 0) * this.openTries(request));
    const releases = (entry.releases ?? 0) + 1;
    this.keep(request, { ...this.newEntry(request), sentAt, cents, releases, notApplied: true });
  }

  private entryOf(request: PlannedRequest): MemoryEntry | undefined {
    return this.store.runs[this.runKey]?.entries[placeOf(request)];
  }

  private keep(request: PlannedRequest, entry: MemoryEntry): void {
    this.run().entries[placeOf(request)] = entry;
  }

  private run(): RunMemory {
    return runOf(this.store, this.runKey);
  }

  private newEntry(request: PlannedRequest, before?: MemoryEntry): MemoryEntry {
    const account = indexOfAccount(this.store, this.digests.account);
    return {
      request: this.digests.request(request),
      origin: this.origins.of(request),
      fields: this.fieldsOf(request),
      ...(account > 0 && { account }),
      ...(hasStepsAfter(request) && { inPart: true }),
      ...(before?.releases && { releases: before.releases }),
      ...(request.whole && { sentWith: this.groupOf(request.whole) }),
    };
  }

  /** Returns `Entry.sentWith` for the shares of a request, which have one code together. */
  private groupOf(whole: PlannedRequest): string {
    const known = this.groups.get(whole) ?? `${placeOf(whole.shares?.[0] ?? whole)} ${this.digests.request(whole)}`;
    this.groups.set(whole, known);
    return known;
  }

  private fieldsOf(request: PlannedRequest): string {
    const { names } = this.run();
    const digests = new Map(this.digests.fields(request));
    for (const name of digests.keys()) if (names.length < MOST_NAMES && !names.includes(name)) names.push(name);
    return names.map((name) => digests.get(name) ?? NO_FIELD).join('');
  }

  /** Returns the names of the fields whose value differs between the request and the entry. */
  private differing({ fields }: MemoryEntry, request: PlannedRequest): string[] {
    const { names } = this.run();
    const now = this.fieldsOf(request);
    const part = (text: string, index: number) => text.slice(index * NO_FIELD.length, (index + 1) * NO_FIELD.length);
    return names.filter((_, index) => (part(fields, index) || NO_FIELD) !== (part(now, index) || NO_FIELD));
  }

  /** Returns the code that a person types to say what became of this try. It is of no use for any other try. */
  private codeOf(
    request: PlannedRequest,
    { request: own, releases = 0, openTries = 0, sentWith }: MemoryEntry,
  ): string {
    const [whole, digest = own] = sentWith?.split(' ') ?? [placeOf(request)];
    const place = whole?.replace(/\.0$/, '');
    const proof = this.digests.of(['code', this.runKey, place, digest, releases, openTries]);
    return `${place}-${proof.replace(/[^A-Za-z0-9]/g, '0').slice(0, CODE_LENGTH)}`;
  }
}
