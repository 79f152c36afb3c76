import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { toCents } from '../shared/cents';
import { amountOf } from '../model/read-amounts';
import { Digests } from './digests';
import { ExecutionAccount } from './execution-account';
import { readFiles } from '../service/read-files';
import { earliestSending } from '../n8n/lineage';
import { originalRequest } from '../model/item-steps';
import { keepable, type Finished, type Obstacle, type Remembered, type WriteMemory } from '../model/write-memory';
import {
  entriesByItem,
  finished,
  hasStepsAfter,
  ofEach,
  onlyIds,
  runOf,
  type Entry,
  type RunMemory,
  type Store,
} from './memory-entry';
import { currentRound } from '../n8n/count-rounds';
import { KeptRoom } from '../limits/total';
import type { Account, PlannedRequest, PartialFailure } from '../model/types';
import type { Failure } from '../model/failure';

/**
 * Where the node's context keeps it: n8n stores the context with the execution and hands it to every further try
 * (n8n.md#memory).
 */
const CONTEXT_KEY = 'paymentPlatformWrites';
/** Records of one run that are kept whole, in characters of JSON; of those beyond, the IDs are kept. */
const MOST_CHARACTERS = 8_000_000;
/** Stands for a field that a request does not have. */
const NO_FIELD = '---';
const CODE_LENGTH = 5;
/** Fields that a message about an edited item can name. Every entry has a digest for each of them. */
const MOST_NAMES = 200;

/**
 * The finished and the unknown writes of one run of the node, by item, so that n8n's further tries of the same run send
 * none of them twice. Holds keyed digests and the records that came out, never what was sent. What identifies a write is
 * its place: the round (n8n/count-rounds.ts), the item, and the part of an item that needs several requests. It is the same write when
 * its digest is, or when parameters and input items are: an expression such as $now gives another value in each try. An
 * entry at its place that is not recognised is an edited item, and refused until a person releases it.
 */
export class ExecutionMemory implements WriteMemory {
  /** What is left to send may take no more than the total of the execution. */
  readonly room = new KeptRoom();
  private readonly groups = new Map<PlannedRequest, string>();
  private readonly origins = new Map<number, string>();
  private byItem?: Map<string, Entry[]>;

  private constructor(
    private readonly store: Store,
    private readonly runKey: string,
    private readonly digests: Digests,
    private readonly context: IExecuteFunctions,
    private readonly account: ExecutionAccount,
  ) {}

  /** The memory of the node's current run; it lives as long as n8n keeps the execution. */
  static open(context: IExecuteFunctions, account: Account): ExecutionMemory {
    const kept: { [CONTEXT_KEY]?: Store } = context.getContext('node');
    const store = (kept[CONTEXT_KEY] ??= { accounts: [], runs: {} });
    const own = new ExecutionAccount(context, account);
    const digests = new Digests(account, context.getNode().parameters);
    return new ExecutionMemory(store, String(currentRound(context).number), digests, context, own);
  }

  /** Keeps the account as that of the first try. After a kill nothing here says which account the first try had. */
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
    // A step that is done has an unknown result only. After a kill, n8n 1 does not tell what is done from what was begun.
    const mayBeDone = known.outcome === 'unknown' && (known.witness === 'done' || known.witness === 'sameContent');
    const isOpen = known.outcome === 'unknown' && !mayBeDone;
    return isOpen && request.options.resendUnknown ? undefined : known;
  }

  /** What became of an item, whatever its request is now: for one that can't be planned any more. */
  standing(item: number): Finished | { outcome: 'unknown' } | undefined {
    this.byItem ??= entriesByItem(this.store.runs[this.runKey]?.entries ?? {});
    const sent = this.byItem.get(String(item)) ?? [];
    if (sent.some((entry) => !entry.r)) return { outcome: 'unknown' };
    const last = sent.at(-1);
    return last && finished(last);
  }

  moved(request: PlannedRequest): number {
    const entry = this.entryOf(request);
    return entry && !entry.x ? (entry.c ?? 0) : 0;
  }

  private known(request: PlannedRequest): Remembered | undefined {
    const entry = this.entryOf(request);
    if (!entry || entry.x) return undefined;
    const code = this.codeOf(request, entry);
    if (this.store.accounts[entry.a ?? 0] !== this.digests.account) return { outcome: 'unrecognisable', code };
    const same = entry.d === this.digests.request(request) || entry.o === this.originOf(request);
    if (same) return finished(entry) ?? { outcome: 'unknown', code, ...(entry.j && { witness: entry.j }) };
    return { outcome: 'edited', code, differs: this.differing(entry, request), finished: finished(entry) };
  }

  sending(request: PlannedRequest): Failure | undefined {
    const over = this.room.take(request, this.movedCents);
    if (over) return over;
    this.store.account ??= this.account.mark;
    this.enter(request);
    return undefined;
  }

  private enter(request: PlannedRequest): void {
    const before = this.entryOf(request);
    const cents = toCents(amountOf(request) ?? 0);
    const entry: Entry = { ...this.newEntry(request, before), ...(cents > 0 && { c: cents }) };
    const isAgain = before !== undefined && !before.r;
    // A record of an earlier try may still turn up, also where a person said that it was not applied.
    entry.t = (isAgain ? before.t : undefined) ?? Date.now();
    // Sent again with the outcome of the try before still open.
    if (isAgain && !before.x) entry.u = (before.u ?? 0) + 1;
    this.run().entries[keyOf(request)] = entry;
    this.count(entry.c ?? 0);
  }

  done(request: PlannedRequest, records: IDataObject[], partialFailure?: PartialFailure): void {
    const run = this.run();
    const { records: safe, left } = keepable(records);
    run.size += JSON.stringify(safe).length;
    const kept = run.size <= MOST_CHARACTERS ? safe : safe.map((record) => onlyIds(record, request));
    const known = run.entries[keyOf(request)];
    // A step may find that nothing has to be sent.
    const entry = known && !known.x ? { ...known } : this.newEntry(request, known);
    // A try that a person took for not applied was, for its record was found.
    if (known?.x && known.c) this.count((entry.c = known.c));
    delete entry.j;
    delete entry.t;
    run.entries[keyOf(request)] = {
      ...entry,
      r: kept,
      ...(partialFailure && { m: partialFailure }),
      ...(left.length > 0 && { l: left }),
    };
  }

  notApplied(request: PlannedRequest): void {
    const { entries } = this.run();
    const entry = entries[keyOf(request)];
    if (!entry) return;
    this.count(-(entry.c ?? 0));
    const { u: open = 0, ...rest } = entry;
    if (open > 0) entries[keyOf(request)] = open > 1 ? { ...rest, u: open - 1 } : rest;
    else if (entry.n) entries[keyOf(request)] = { ...rest, x: true };
    else delete entries[keyOf(request)];
  }

  attempt(request: PlannedRequest): string {
    return `${this.entryOf(request)?.n ?? 0}.${this.openTries(request)}`;
  }

  witnessed(request: PlannedRequest, witness: Obstacle): Remembered | undefined {
    if (witness === 'otherAccount') return this.account.other;
    this.enter(request);
    const { entries } = this.run();
    const entry = entries[keyOf(request)];
    if (!entry) return this.recall(request);
    const j = witness === 'otherCredential' ? 'begun' : witness;
    // Of a step those after it would need the result.
    const isKnown = witness === 'done' && !hasStepsAfter(request);
    const records = ofEach(request, { done_by_earlier_try: true });
    const a = witness === 'otherCredential' ? this.accountIndex(witness) : undefined;
    const t = earliestSending(this.context, j);
    entries[keyOf(request)] = { ...entry, t, j, ...(a !== undefined && { a }), ...(isKnown && { r: records }) };
    return this.recall(request);
  }

  sentAt(request: PlannedRequest): number | undefined {
    const entry = this.entryOf(request);
    return entry?.r ? undefined : entry?.t;
  }

  reopen(request: PlannedRequest): Remembered | undefined {
    const entry = this.entryOf(request);
    if (entry?.x) this.count(entry.c ?? 0);
    delete entry?.x;
    return this.known(request);
  }

  openTries(request: PlannedRequest): number {
    const entry = this.entryOf(request);
    if (!entry || entry.x) return 0;
    return (entry.u ?? 0) + (entry.r ? 0 : 1);
  }

  end(complete: boolean): void {
    if (complete) delete this.store.runs[this.runKey];
  }

  /** What the node moved in this execution, or may have moved, in cents. */
  get movedCents(): number {
    return this.store.moved ?? 0;
  }

  private count(cents: number): void {
    if (cents !== 0) this.store.moved = this.movedCents + cents;
  }

  /** A person says that the earlier try was applied: the item is done, by that word and by what identifies it. */
  private confirmed(request: PlannedRequest): Finished {
    const records = ofEach(request, { confirmed_by_person: true });
    const before = this.entryOf(request);
    const entry = { ...this.newEntry(request, before), ...(before?.c && { c: before.c }) };
    this.run().entries[keyOf(request)] = { ...entry, r: records, w: true };
    return { outcome: 'done', records, byWord: true };
  }

  /** A person says that the request is to be sent, whatever the earlier try was. */
  private release(request: PlannedRequest): undefined {
    const entry = this.entryOf(request);
    if (!entry) return;
    // Tries that left nothing behind moved nothing, by the person's word; what was done stays counted.
    const { t, c } = entry.r ? {} : entry;
    this.count(-(c ?? 0) * this.openTries(request));
    const sent = { ...(t !== undefined && { t }), ...(c !== undefined && { c }) };
    this.run().entries[keyOf(request)] = { ...this.newEntry(request), ...sent, n: (entry.n ?? 0) + 1, x: true };
  }

  private entryOf(request: PlannedRequest): Entry | undefined {
    return this.store.runs[this.runKey]?.entries[keyOf(request)];
  }

  private run(): RunMemory {
    return runOf(this.store, this.runKey);
  }

  private newEntry(request: PlannedRequest, before?: Entry): Entry {
    const account = this.accountIndex();
    return {
      d: this.digests.request(request),
      o: this.originOf(request),
      f: this.fieldsOf(request),
      ...(account > 0 && { a: account }),
      ...(hasStepsAfter(request) && { p: true }),
      ...(before?.n && { n: before.n }),
      ...(request.whole && { g: this.groupOf(request.whole) }),
    };
  }

  private accountIndex(account = this.digests.account): number {
    const { accounts } = this.store;
    const index = accounts.indexOf(account);
    return index >= 0 ? index : accounts.push(account) - 1;
  }

  /** Place of the first share, and digest, of the request with which a share was sent: one code is for all of it. */
  private groupOf(whole: PlannedRequest): string {
    const known = this.groups.get(whole) ?? `${keyOf(whole.shares?.[0] ?? whole)} ${this.digests.request(whole)}`;
    this.groups.set(whole, known);
    return known;
  }

  private originOf(request: PlannedRequest): string {
    const [item = 0] = request.items;
    const known = this.origins.get(item);
    if (request.whole && known !== undefined) return known;
    const input = this.context.getInputData();
    const origin = this.digests.origin(
      request.items.map((one) => input[one]?.json),
      readFiles(originalRequest(request)),
    );
    this.origins.set(item, origin);
    return origin;
  }

  private fieldsOf(request: PlannedRequest): string {
    const { names } = this.run();
    const digests = new Map(this.digests.fields(request));
    for (const name of digests.keys()) if (names.length < MOST_NAMES && !names.includes(name)) names.push(name);
    return names.map((name) => digests.get(name) ?? NO_FIELD).join('');
  }

  /** Names of the fields that the request has otherwise than the entry. */
  private differing({ f }: Entry, request: PlannedRequest): string[] {
    const { names } = this.run();
    const now = this.fieldsOf(request);
    const part = (text: string, index: number) => text.slice(index * NO_FIELD.length, (index + 1) * NO_FIELD.length);
    return names.filter((_, index) => (part(f, index) || NO_FIELD) !== (part(now, index) || NO_FIELD));
  }

  /** What a person types to say what became of this try of this item; of no use for any other. */
  private codeOf(request: PlannedRequest, { d: own, n = 0, u = 0, g }: Entry): string {
    const [whole, d = own] = g?.split(' ') ?? [keyOf(request)];
    const place = whole?.replace(/\.0$/, '');
    const proof = this.digests.of(['code', this.runKey, place, d, n, u]).replace(/[^A-Za-z0-9]/g, '0');
    return `${place}-${proof.slice(0, CODE_LENGTH)}`;
  }
}

const keyOf = ({ items, part }: PlannedRequest) => `${items[0] ?? 0}.${part}`;
