import { randomUUID } from 'node:crypto';

import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { countMissing } from './begun-places';
import {
  Digests,
  doneKey,
  LOOK_BACK_MS,
  MINUTE_MS,
  severalKeys,
  wasReleased,
  type WriteKey,
  type WriteKeys,
} from './write-keys';
import { MOST_LOOKS, RENEWED_AFTER_KEYS, unproven, type KeyRow, type KeyStore, type Undo } from '../n8n/key-row';
import { decisionNames, establishedAt, type Lineage } from '../n8n/lineage';
import { placeOf } from '../model/operation';
import type { Evidence, Obstacle, Remembered } from '../model/write-memory';
import type { Account, PlannedRequest } from '../model/types';

/** Doesn't depend on the API key, because a new API key belongs to the same account. */
const DIGEST_KEY = 'account of an execution';

/**
 * Account of the current attempt: base URL, merchant and environment. If it differs from the first attempt's account,
 * the node sends nothing until a person confirms the current account.
 */
export class ExecutionAccount {
  readonly mark: string;
  /** Digest of the account and the credential's secret. */
  readonly credentialMark: string;
  /** Codes that a person can enter to continue the execution with this account, the current code first. */
  readonly codes: readonly string[];

  constructor(context: IExecuteFunctions, account: Account) {
    const digests = new Digests({ ...account, digestKey: DIGEST_KEY }, {});
    this.mark = digests.account;
    const own = new Digests(account, {});
    this.credentialMark = own.account;
    const start = establishedAt(context);
    // Without the start, a code would otherwise be valid for later executions too.
    const names = start === undefined ? decisionNames(context) : [start];
    this.codes = names.map((name) => `account-${own.code(['account code', this.mark, name])}`);
  }

  get code(): string {
    return this.codes[0] ?? '';
  }

  /** Returns the conflict if the account differs from the first attempt's and no person confirmed it. */
  obstacle(first: string | undefined, request: PlannedRequest): Remembered | undefined {
    const isOther = first !== undefined && first !== this.mark && !this.isConfirmed(request);
    return isOther ? this.other : undefined;
  }

  get other(): Remembered {
    return { outcome: 'otherAccount', code: this.code };
  }

  isConfirmed({ options }: PlannedRequest): boolean {
    return this.codes.some((code) => options.resolved?.get(code) === 'notApplied');
  }
}

const HOUR_MS = 60 * 60 * 1000;
/** Periods whose keys show how far back a row reaches, and how many of them to look for. */
const PERIODS = [
  { name: 'minutes', ms: HOUR_MS / 6, most: 6 },
  { name: 'hour', ms: HOUR_MS, most: 24 },
  { name: 'day', ms: 24 * HOUR_MS, most: 31 },
  { name: 'month', ms: 30 * 24 * HOUR_MS, most: 24 },
];
/** Assumed maximum difference between the clocks of n8n processes, in milliseconds. */
const APART_MS = HOUR_MS / 6;
/** Milliseconds until a look-up of another process ends. */
const LOOK_PAUSE_MS = 50;

/**
 * Keys that describe an execution in its node's database row: `first`, `latest` and the account. n8n removes the oldest
 * keys first, so if only `first` is missing, n8n may have removed keys of writes too.
 */
export class ExecutionMarks {
  /** Keys that were new when this run first recorded keys. */
  private missing?: Promise<Set<string>>;
  /** State of the first loop iteration. */
  private readonly before?: State;
  private state?: State;
  private isIncomplete = false;

  constructor(
    private readonly row: KeyRow,
    private readonly store: KeyStore,
    private readonly lineage: Lineage,
    private readonly account: ExecutionAccount,
    /** Earliest start of the execution in Unix milliseconds. */
    private readonly since: number,
    private readonly kept: Kept = {},
    private readonly run = '',
  ) {
    const { [MARKED]: marked } = kept;
    if (marked?.run === run) this.before = marked;
  }

  get isUsed(): boolean {
    return this.missing !== undefined;
  }

  /**
   * Records the keys of a write. The first call of a run also records the execution's keys. Unless a person confirmed
   * the account, keys of another account or secret than in the first attempt aren't kept.
   * @param looks other keys to look up, which the call leaves unchanged.
   * @returns the keys that were new to the row.
   */
  async record(keys: string[], isConfirmed: boolean, looks: string[] = []): Promise<Set<string>> {
    const undo = (added: ReadonlySet<string>) => looks.filter((key) => added.has(key));
    if (this.missing)
      return await this.row.record(this.store, [...keys, ...looks], looks.length > 0 ? undo : undefined);
    this.missing = this.recordFirst([...keys, ...looks], isConfirmed, undo);
    return await this.missing.catch((error: unknown) => {
      this.missing = undefined;
      throw error;
    });
  }

  private async recordFirst(keys: string[], isConfirmed: boolean, undo: Undo): Promise<Set<string>> {
    const { names, isRetry } = this.lineage;
    const retried = isRetry ? names.map(retriedOf) : [];
    const looks = isRetry ? this.proofs.map(unproven) : [];
    // Asks first, because other processes wait while keys of this call are in the row.
    const hadSpace = isRetry && !this.before && (await this.row.hasSpace(this.store));
    const marks = isConfirmed ? [this.credentialMark] : [this.accountMark, this.credentialMark];
    const missing = await this.row.record(
      this.store,
      [...this.firsts, ...this.latest, ...retried, ...looks, ...periodsAt(Date.now()), ...keys],
      (added) => [
        ...marks.flatMap((markOf) => this.newMarks(markOf, added)),
        ...looks.filter((look) => added.has(look)),
        ...undo(added),
      ],
    );
    // If n8n is killed before the second keys are removed, a person must confirm the account again.
    if (looks.length > 0) await this.row.flush(this.store);
    // Another process may look at the same keys now.
    const isUnclear = (proof: string) => !missing.has(proof) && this.lacks(proof, missing);
    for (let look = 1; look < MOST_LOOKS && this.proofs.some(isUnclear); look += 1) {
      await sleep(LOOK_PAUSE_MS);
      const added = await this.row.record(this.store, looks, (some) => [...some]);
      for (const key of added) missing.add(key);
    }
    this.state = this.kept[MARKED] = this.before ?? (await this.compare(missing, hadSpace));
    this.isIncomplete = this.state.isCut;
    return missing;
  }

  /** Compares the execution's keys with those of earlier attempts. */
  private async compare(missing: ReadonlySet<string>, hadSpace: boolean): Promise<State> {
    const { names, isRetry, asked } = this.lineage;
    const isFirst = [...asked].every((name) => missing.has(latestOf(name)));
    const isBlind = isFirst && isRetry && !hadSpace && !(await this.reachesBack(this.since));
    // `first` proves that no key is missing, so only the first attempt may record it.
    this.row.remove(this.store, names.filter((name) => isBlind || this.isCut(name, missing)).map(firstOf));
    const isCut = isBlind || [...asked].some((name) => this.isCut(name, missing));
    return { run: this.run, isFirst, isCut, renewedAt: this.row.added };
  }

  /**
   * Returns whether n8n may have removed keys that were recorded after a time. Later loop iterations use the result of
   * the first one, because the execution's own keys may have filled the row.
   */
  async lacksKeysSince(since: number): Promise<boolean> {
    return (this.kept[LACKING] ??= !(await this.row.hasSpace(this.store, 0.8)) && !(await this.reachesBack(since)));
  }

  /** Returns whether n8n removed no key since a time. */
  private async reachesBack(since: number): Promise<boolean> {
    const before = PERIODS.flatMap(({ name, ms, most }) =>
      Array.from({ length: most }, (_, index) => periodAt(since - APART_MS - (index + 1) * ms, name, ms)),
    );
    return (await this.row.findProofs(this.store, before)).size > 0;
  }

  /** Returns whether no earlier attempt recorded keys. */
  async areFirst(): Promise<boolean> {
    await this.missing;
    return !this.before && this.state?.isFirst === true && !this.isIncomplete;
  }

  /** Returns whether n8n may have removed keys of earlier attempts. */
  async areCut(): Promise<boolean> {
    await this.missing;
    return this.isIncomplete;
  }

  /** Returns the names of this execution under which a retry recorded keys. */
  async retried(): Promise<string[]> {
    const { names } = this.lineage;
    const found = await this.row.find(this.store, names.map(retriedOf));
    return names.filter((name) => found.has(retriedOf(name)));
  }

  /** Removes `first` after another process overwrote keys, because a missing key then proves nothing. */
  readonly cut = (): void => {
    this.row.remove(this.store, this.lineage.names.map(firstOf));
    // Only a retry needs the keys of other attempts.
    if (this.state && !this.state.isFirst) this.state.isCut = true;
  };

  isConfirmed(request: PlannedRequest): boolean {
    return this.account.isConfirmed(request);
  }

  async isOtherAccount(): Promise<boolean> {
    return await this.isNew(this.accountMark);
  }

  /** Returns whether an earlier attempt used another secret. The node then can't recognize its keys. */
  async isOtherCredential(): Promise<boolean> {
    return await this.isNew(this.credentialMark);
  }

  /** Records the latest keys again if the row has many newer keys, or if another process recorded them. */
  renew(): void {
    const { latest, state, row } = this;
    if (!state) return;
    const newer = row.added - state.renewedAt;
    if (newer >= 0 && newer < RENEWED_AFTER_KEYS) return;
    state.renewedAt = row.added;
    this.row.remove(this.store, latest);
    void this.row.record(this.store, latest).catch(() => undefined);
  }

  /** Removes this attempt's new account key, so that the next attempt reports the same conflict. */
  private async isNew(markOf: (name: string) => string): Promise<boolean> {
    const others = this.newMarks(markOf, (await this.missing) ?? new Set());
    this.row.remove(this.store, others);
    return others.length > 0;
  }

  private newMarks(markOf: (name: string) => string, missing: ReadonlySet<string>): string[] {
    const others = this.lineage.accountsAsked.filter(
      (name) => this.lacks(markOf(name), missing) && !missing.has(latestOf(name)),
    );
    return others.map(markOf);
  }

  private isCut(name: string, missing: ReadonlySet<string>): boolean {
    return this.lacks(firstOf(name), missing) && !missing.has(latestOf(name));
  }

  /** A key that a killed retry left proves nothing (`KeyRow.findProofs`). */
  private lacks(key: string, missing: ReadonlySet<string>): boolean {
    return missing.has(key) || (this.lineage.isRetry && !missing.has(unproven(key)));
  }

  /** Keys that permit a write. */
  private get proofs(): string[] {
    const { accountsAsked } = this.lineage;
    return [...this.firsts, ...accountsAsked.flatMap((name) => [this.credentialMark(name), this.accountMark(name)])];
  }

  /** Only the first loop iteration records these keys, because n8n may have removed keys of earlier iterations. */
  private get firsts(): string[] {
    return this.before ? [] : this.lineage.names.map(firstOf);
  }

  private readonly credentialMark = (name: string) => `credential ${name} ${this.account.credentialMark}`;
  private readonly accountMark = (name: string) => `account ${name} ${this.account.mark}`;

  /** The account's key comes last, because n8n removes the oldest keys first. */
  private get latest(): string[] {
    return this.lineage.accountNames.flatMap((name) => [
      latestOf(name),
      this.credentialMark(name),
      this.accountMark(name),
    ]);
  }
}

const periodAt = (at: number, name: string, ms: number) => `${name} ${Math.floor(at / ms)}`;
const periodsAt = (at: number) => PERIODS.map(({ name, ms }) => periodAt(at, name, ms));
const firstOf = (name: string) => `first ${name}`;
const latestOf = (name: string) => `latest ${name}`;
const retriedOf = (name: string) => `retried ${name}`;

/**
 * Flag in the node's context that n8n's database contains the account. If the flag is missing in a retry, n8n lost the
 * first attempt's context.
 */
export const RECORDED = 'paymentPlatformAccountRecorded';

/** Name in the node's context. */
const MARKED = 'paymentPlatformMarks';

/** Name in the node's context of the result of `lacksKeysSince`. */
const LACKING = 'paymentPlatformLacking';

/** A retry also reads the state of the execution that failed. */
interface State {
  run: string;
  /** Whether no earlier attempt recorded keys. */
  isFirst: boolean;
  /** Whether n8n may have removed keys of earlier attempts. */
  isCut: boolean;
  /** `KeyRow.added` when the latest keys were recorded. */
  renewedAt: number;
}

export type Kept = { [RECORDED]?: true | undefined; [MARKED]?: State; [LACKING]?: boolean };

/** Finds reasons not to send a write in the keys of earlier attempts. */
export class Obstacles {
  /** Whether an earlier retry found all begun items, but a person has edited one that it didn't store in the memory. */
  private areEdited = false;

  constructor(
    private readonly row: KeyRow,
    private readonly store: KeyStore,
    private readonly lineage: Lineage,
    private readonly keys: WriteKeys,
    private readonly marks: ExecutionMarks,
    private readonly kept: Kept,
  ) {}

  /**
   * @param keys keys of the attempt.
   * @param own keys that the attempt just added.
   */
  async find(
    request: PlannedRequest,
    attempt: string,
    keys: WriteKey[],
    own: ReadonlySet<string>,
  ): Promise<Obstacle | undefined> {
    const found = keys.filter(({ key }) => !own.has(key));
    return (await this.earlierAttempt(keys, found, attempt, own)) ?? (await this.conflict(request, attempt));
  }

  /**
   * Compares earlier attempts' writes with this run's items if n8n lost the context. A later retry has the memory of the
   * first one, so its items may differ. It compares again only for items that the memory doesn't contain, such as those
   * that another attempt was sending.
   */
  async compare(): Promise<void> {
    const { round } = this.keys;
    if (!round || (round.missing ?? 0) > 0 || this.kept[RECORDED]) return;
    const missing = (round.missingBefore ?? 0) + (await countMissing(this.row, this.store, this.keys));
    this.areEdited = round.missing === 0 && missing > 0;
    round.missing ??= missing;
  }

  private async earlierAttempt(
    keys: WriteKey[],
    found: WriteKey[],
    attempt: string,
    own: ReadonlySet<string>,
  ): Promise<Evidence | undefined> {
    const asked = await this.namesAsked(found);
    const known = found.filter(({ name }) => name === undefined || asked.has(name));
    const of = (wanted: WriteKey['kind'], among = known) =>
      among.flatMap(({ kind, key }) => (kind === wanted ? [key] : []));
    const content = of('content');
    // If an equal tool call is refused, it removes the keys of both under each name.
    const standing = await this.standing(content, this.keys.isTool ? of('content', found) : content, own);
    if (standing === 'done' && (await this.isOther(keys, own))) return 'doneOther';
    if (standing) return standing;
    if (content.length > 0) return (await this.isOther(keys, own)) ? 'otherValues' : 'begun';
    if (of('place').length + of('elsewhere').length > 0) return this.areEdited ? 'otherValues' : 'otherContent';
    if (this.lineage.asksContent && (await this.isKnownByContent(keys, of('bare')))) return 'sameContent';
    // A person's approval outweighs missing keys.
    return !this.wasApproved(attempt) && (await this.marks.areCut()) ? 'forgotten' : undefined;
  }

  /**
   * @param content `content` keys of the write's earlier attempts that the row contained.
   * @param all also contains the keys of equal tool calls.
   */
  private async standing(
    content: string[],
    all: string[],
    own: ReadonlySet<string>,
  ): Promise<'done' | 'underWay' | undefined> {
    const done = await this.row.findProofs(this.store, all.map(doneKey));
    const isDone = (key: string) => done.has(doneKey(key));
    if (content.some(isDone)) return 'done';
    for (const key of all) if (!isDone(key) && (await this.row.isBusy(this.store, key, own))) return 'underWay';
    if (content.length === 0) return undefined;
    // The other attempt or its look-up may have ended since the keys were read.
    if ((await this.row.find(this.store, content)).size === 0) return 'underWay';
    return (await this.row.findProofs(this.store, content.map(doneKey))).size > 0 ? 'done' : undefined;
  }

  private async isKnownByContent(keys: WriteKey[], found: string[]): Promise<boolean> {
    return found.length > 0 || (await this.row.find(this.store, severalKeys(keys, 'bare'))).size > 0;
  }

  /** Returns whether earlier attempts sent another payment. */
  private async isOther(keys: WriteKey[], own: ReadonlySet<string>): Promise<boolean> {
    const sent = keys.flatMap(({ kind, key }) => (kind === 'sent' ? [key] : []));
    if (sent.length === 0) return false;
    const earlier = sent.filter((key) => !own.has(key));
    return (await this.row.findProofs(this.store, earlier)).size === 0;
  }

  /** A retry may send the items of an execution whose process pauses and later continues. */
  private async namesAsked(found: WriteKey[]): Promise<ReadonlySet<string>> {
    const { asked, isRetry } = this.lineage;
    const isOther = found.some(({ kind, name = '' }) => kind === 'content' && !asked.has(name));
    return isRetry || this.keys.isTool || !isOther ? asked : new Set([...asked, ...(await this.marks.retried())]);
  }

  /** Returns whether a person approved another attempt. False for a tool, whose attempts count its equal calls. */
  private wasApproved(attempt: string): boolean {
    return !this.keys.isTool && wasReleased(attempt);
  }

  /**
   * Returns whether another account, another secret or a missing item prevents sending. With another secret or content,
   * the node recognizes earlier attempts' writes only if n8n kept the context with the execution memory.
   */
  private async conflict(request: PlannedRequest, attempt: string): Promise<Obstacle | undefined> {
    const isConfirmed = this.marks.isConfirmed(request);
    // Both calls remove this attempt's key, so that the next attempt reports the same conflict.
    const isOtherAccount = !isConfirmed && (await this.marks.isOtherAccount());
    const isOtherCredential = await this.marks.isOtherCredential();
    const isByContent = this.keys.isTool || this.lineage.asksContent;
    const isKnown = !isByContent && (isOtherAccount || isConfirmed || this.kept[RECORDED] === true);
    const isBlind = !isKnown && !this.wasApproved(attempt);
    const isMissing = (this.keys.round?.missing ?? 0) > 0;
    if (isBlind && isOtherCredential && (isByContent || isMissing)) return 'otherCredential';
    if (isOtherAccount) return 'otherAccount';
    return isBlind && isMissing ? 'otherContent' : undefined;
  }
}

/** Payment of another execution in n8n's database. */
export interface EarlierPayment {
  /**
   * Earliest time of the payment in `performance` milliseconds. `-Infinity` means that n8n may have removed the keys of a
   * payment.
   */
  at: number;
  /** Missing if the outcome is unknown. */
  made?: 'whole' | 'part' | undefined;
}

export interface Recent {
  /** Result of `WriteKeys.recent`. The first key stays. */
  keys: string[];
  /** Keys that the row contains while the write is under way, so that only one of several processes sends it. */
  claim: string[];
  /** Keys that the row contains only during the call. */
  looks: string[];
}

/**
 * Finds payments of other executions in n8n's database if a person starts the node in Production. Other executions only
 * record their payments.
 */
export class RecentKeys {
  private readonly found = new Map<string, EarlierPayment>();
  /** Keys of earlier minutes that this run added. */
  private readonly claimed = new Set<string>();
  private lacksKeys: Promise<boolean> | undefined;

  constructor(
    private readonly row: KeyRow,
    private readonly store: KeyStore,
    private readonly marks: ExecutionMarks,
    private readonly keys: WriteKeys,
  ) {}

  async of(request: PlannedRequest): Promise<Recent> {
    const keys = this.keys.recent(request);
    const [, , before = '', ...others] = keys;
    if (before === '' || !this.keys.isByPerson) return { keys, claim: [], looks: [] };
    const lacksKeys = (this.lacksKeys ??= this.marks.lacksKeysSince(Date.now() - LOOK_BACK_MS));
    await lacksKeys.catch((error: unknown) => {
      this.lacksKeys = undefined;
      throw error;
    });
    // Two processes have one of these keys in common even if the next minute has begun for only one of them.
    return { keys, claim: [before, randomUUID()], looks: [...keys.slice(1, 2), ...others] };
  }

  /**
   * @param missing keys that were new to the row.
   * @param isOwn whether this run recorded the key.
   */
  async find(
    request: PlannedRequest,
    { keys, claim }: Recent,
    missing: ReadonlySet<string>,
    isOwn: (key: string) => boolean,
  ): Promise<void> {
    const [before = ''] = claim;
    if (before === '') return;
    if (missing.has(before)) this.claimed.add(before);
    const index = keys.findIndex((key) => !missing.has(key) && !isOwn(key) && !this.claimed.has(key));
    const [key = ''] = keys.slice(index);
    this.found.delete(placeOf(request));
    if (index >= 0) this.add(request, index, (await this.row.findProofs(this.store, [doneKey(key)])).size > 0);
    else if (await this.lacksKeys) this.add(request, Infinity);
  }

  /**
   * Finds the same payment of another process whose call overwrote the keys or whose keys this call overwrote.
   * @param all other keys of the write, which the node records again.
   * @returns false if other processes overwrote the keys each time.
   */
  async contend(request: PlannedRequest, { keys: [key = ''], claim }: Recent, all: string[]): Promise<boolean> {
    const [before = '', mark = ''] = claim;
    if (before === '' || request.options.allowEqual || this.found.has(placeOf(request))) return true;
    const shared = [key, before];
    const early = [...new Set([...all, ...shared, mark])];
    const kept = await this.row.keep(this.store, early, { shared, own: [mark], isContended: true });
    if (kept === 'other') this.add(request, 0);
    return kept !== 'lost';
  }

  /** @param minutes number of minutes between both payments. */
  private add(request: PlannedRequest, minutes: number, isMade = false): void {
    const at = performance.now() - Math.max(minutes, 1) * MINUTE_MS;
    this.found.set(placeOf(request), { at, made: isMade ? 'whole' : undefined });
  }

  earlier(request: PlannedRequest): EarlierPayment | undefined {
    return this.found.get(placeOf(request));
  }
}
