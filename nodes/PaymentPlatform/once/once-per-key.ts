import { randomUUID } from 'node:crypto';

import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import {
  busyKey,
  MOST_LOOKS,
  RENEWED_AFTER_MS,
  unproven,
  untilMs,
  witnessOf,
  KeyRow,
  type KeyStore,
} from '../n8n/key-row';
import { isSaved } from '../n8n/lineage';
import { GUARDS } from '../model/guards';
import { placeOf } from '../model/operation';
import type { Failure } from '../model/failure';
import type { PlannedRequest } from '../model/types';
import type { WriteOutcome } from '../model/write-memory';
import {
  againKey,
  codeOfKey,
  isForeign,
  lateKey,
  ownKeys,
  wasReleased,
  type OnceKeys,
  type WriteKeys,
} from './write-keys';

/** Milliseconds after which another execution has recorded how its attempt ended. */
const PAUSE_MS = 50;
/** Number of attempts at a key to look up at once. */
const MOST_ATTEMPTS = 10;

/**
 * State of a key that an item can't simply use:
 * - `done`: the workflow completed the same payment.
 * - `underWay`: another execution is sending the write.
 * - `unknown`: the outcome of the latest attempt is unknown. `isApproved` means that a person approved another attempt.
 * - `applied`: a person stated that the service applied the latest attempt.
 */
export type KeyState = { state: 'done' } | { state: 'underWay' } | { state: 'applied' } | UnknownKey;

interface UnknownKey {
  state: 'unknown';
  /** Code with which a person resolves the latest attempt. */
  code: string;
  isApproved: boolean;
  /** Begins another attempt. */
  resume: () => Promise<KeyState | Failure | undefined>;
}

/** Attempt at a key that this run began. */
interface Begun {
  keys: OnceKeys;
  /** Recorded only after the attempt began. Another one could be killed before it removes these keys. */
  own: string[];
  busy: string[];
  /** Distinguishes this attempt from those of other processes. */
  mark: string;
  /** Every process that begins the attempt records this key. */
  first: string;
  /** Time of recording in Unix milliseconds. */
  at: number;
  /** Until when other processes see the write under way, in Unix milliseconds. */
  until: number;
  /** Number of earlier attempts. Their outcomes are unknown, so this attempt's refusal doesn't free the key. */
  before: number;
  /** Number of late writes before the look-up. Each may have been sent after it, or may have freed the key. */
  late: number;
  isApproved: boolean;
}

/** Keys of the option Once per Key in n8n's database, which all executions of the workflow share. */
export class OncePerKey {
  /** Codes of the option Resolve Items that belong to a key. */
  readonly codes = new Set<string>();
  private readonly row: KeyRow;
  private readonly nodeRow: KeyRow;
  private readonly store: KeyStore;
  private readonly begun = new Map<string, Begun>();
  /** Codes of approved attempts that this run may send again, because the service refused the run's attempt. */
  private readonly approved = new Map<string, string>();
  private readonly completing: Array<Promise<void>> = [];
  private isMissing: boolean;

  /** @param timeoutMs time limit of a request. */
  constructor(
    context: IExecuteFunctions,
    private readonly keys: WriteKeys,
    private readonly timeoutMs: number,
  ) {
    const { id } = context.getWorkflow();
    this.row = KeyRow.ofWorkflow(context);
    this.nodeRow = KeyRow.ofNode(context);
    this.store = context.helpers;
    this.isMissing = !isSaved(id);
  }

  /**
   * Records an item's key before the node sends the item.
   * @param attempt result of `WriteMemory.attempt`.
   * @returns `undefined` if the node may send the write, otherwise the key's state or a failure.
   */
  async begin(request: PlannedRequest, attempt: string): Promise<KeyState | Failure | undefined> {
    return await this.withKey(request, async (keys) => {
      for (let look = 0; look < MOST_LOOKS; look += 1) {
        const begun = this.attemptAt(keys, 0);
        const all = [keys.key, keys.payment, ...begun.busy];
        const isFree = (missing: ReadonlySet<string>) => keys.claims.every((claim) => missing.has(claim));
        const added = await this.row.record(this.store, all, (missing) => (isFree(missing) ? [] : [...missing]));
        if (isFree(added)) return await this.keep(request, begun);
        if (await this.isDone(keys)) return { state: 'done' };
        const isSame = !added.has(keys.payment);
        const found = await this.exclusively(keys, async () => await this.existing(request, attempt, keys, isSame));
        if (found) return found;
      }
      return { state: 'underWay' };
    });
  }

  /** Returns `undefined` if the key became free during the look-up. */
  private async existing(
    request: PlannedRequest,
    attempt: string,
    keys: OnceKeys,
    isSame: boolean,
  ): Promise<KeyState | Failure | undefined> {
    const hasBegun = async () => await this.row.isProven(this.store, beganWith(keys));
    const state = await this.stateOf(request, attempt, keys, isSame, hasBegun);
    if (state) return state;
    await sleep(PAUSE_MS);
    const left = await this.row.find(this.store, [...keys.claims, keys.payment]);
    if (!keys.claims.some((claim) => left.has(claim))) return undefined;
    // A process may have been killed before it began a payment.
    const mayHaveBegun = async () => (await hasBegun()) || (await this.isUnbegun(keys));
    const again = await this.stateOf(request, attempt, keys, left.has(keys.payment), mayHaveBegun);
    if (again) return again;
    if (left.has(keys.payment)) return KEY_IN_DOUBT;
    // Without its second key, a key that another look-up records at the same moment would be a false proof.
    const proofs = [keys.done, beganWith(keys)];
    const found = await this.row.look(this.store, proofs);
    return proofs.some((key) => found.has(unproven(key))) ? KEY_IN_DOUBT : KEY_OF_OTHER;
  }

  /**
   * Returns `undefined` if the key belongs to another payment, or if its attempt ended during the look-up.
   * @param isSame whether the key has the same payment.
   * @param mayHaveBegun returns whether the node may have sent the payment.
   */
  private async stateOf(
    request: PlannedRequest,
    attempt: string,
    keys: OnceKeys,
    isSame: boolean,
    mayHaveBegun: () => Promise<boolean>,
  ): Promise<KeyState | undefined> {
    if (await this.isDone(keys)) return { state: 'done' };
    if (!isSame) return undefined;
    const count = await this.count(keys, againKey);
    // Before the next look-up, because a late write is either still under way then or was counted.
    const late = await this.count(keys, lateKey);
    if (await this.isBusy(keys)) return { state: 'underWay' };
    return (await mayHaveBegun()) ? await this.openState(request, attempt, keys, count, late) : undefined;
  }

  /** Returns whether the payment has the key, but no payment began with the key. */
  private async isUnbegun({ copy, payment }: OnceKeys): Promise<boolean> {
    const found = await this.row.find(this.store, [copy, payment]);
    return found.has(payment) && !found.has(copy);
  }

  /** Returns whether the node sends another attempt after one with an unknown outcome. */
  isResumed(request: PlannedRequest): boolean {
    return (this.begun.get(placeOf(request))?.before ?? 0) > 0;
  }

  /** Records the key of an item that needs no request. Returns the failure, if any. */
  async recordDone(request: PlannedRequest): Promise<Failure | undefined> {
    return await this.withKey(request, async (keys) => {
      const { key, copy, payment } = keys;
      for (let look = 0; look < MOST_LOOKS; look += 1) {
        const added = await this.row.record(this.store, [key, copy, payment]);
        if (added.has(key)) continue;
        const isOther = added.has(payment) && !(await this.exclusively(keys, async () => await this.isDone(keys)));
        if (isOther) this.row.remove(this.store, [payment, ...(added.has(copy) ? [copy] : [])]);
        else this.complete(keys);
        return isOther ? KEY_OF_OTHER : undefined;
      }
      return KEY_NOT_KEPT;
    });
  }

  /**
   * Extends the time for which other processes see that the write is under way.
   * @returns false if another process began another attempt after that time. The node must then not send the write.
   * @throws if n8n's database fails. The node must then not send the write.
   */
  async renew(request: PlannedRequest): Promise<boolean> {
    const begun = this.begun.get(placeOf(request));
    if (!begun || Date.now() - begun.at < RENEWED_AFTER_MS) return true;
    const { keys, before } = begun;
    return await this.exclusively(keys, async () => {
      const next = this.attemptAt(keys, Math.max(1, before));
      // Another process may have seen an unknown outcome, which it must look up again.
      const isLate = begun.until < Date.now() + RENEWED_AFTER_MS;
      const late = isLate ? [lateKey(keys, await this.count(keys, lateKey))] : [];
      const all = [...next.busy, ...late];
      await this.row.record(this.store, all);
      const kept = await this.row.keep(this.store, all, { shared: [], isContended: true });
      if (kept === 'lost') throw new Error('Other processes overwrite the keys');
      Object.assign(begun, { at: next.at, until: next.until, busy: [...begun.busy, ...next.busy] });
      this.row.pin(next.busy, () => undefined);
      this.row.add(this.store, late);
      // A person may have resolved this attempt after it began.
      const again = await this.findNumbered([againKey(keys, before)]);
      return again.size === 0 && !(await this.isDone(keys));
    });
  }

  /** Returns until when other processes see the write under way, in Unix milliseconds. */
  endOf(request: PlannedRequest): number | undefined {
    return this.begun.get(placeOf(request))?.until;
  }

  /** Leaves the keys unchanged, because they may belong to another process. */
  leaveToOthers(request: PlannedRequest): void {
    const begun = this.begun.get(placeOf(request));
    if (begun) this.row.unpin([...keysOf(begun), ...begun.busy]);
    this.begun.delete(placeOf(request));
  }

  /** Updates the key after an attempt. If the outcome is unknown, the key stays unchanged. */
  settle(request: PlannedRequest, outcome: WriteOutcome): void {
    const begun = this.begun.get(placeOf(request));
    if (!begun) return;
    const { keys, own, busy, mark, before, late, isApproved } = begun;
    const isOpen = outcome === 'unknown' || (outcome === 'refused' && before > 0);
    this.row.unpin([...keysOf(begun), ...busy]);
    this.begun.delete(placeOf(request));
    // If n8n is killed between both removals, the key stays unknown.
    this.endClaim(begun, outcome === 'refused' && !isOpen);
    // Another process may have put the attempt in doubt.
    const over = [...busy, unproven(beganWith(keys))];
    if (outcome === 'done') this.complete(keys, [...over, ...own]);
    else if (isOpen) this.row.remove(this.store, over);
    else this.completing.push(this.row.release(this.store, [...over, ...keysOf(begun)], mark).catch(() => undefined));
    if (outcome === 'refused' && isApproved) this.approved.set(placeOf(request), codeOfKey(keys, before, late));
  }

  /** @param isFree whether another attempt may begin with the same key. */
  private endClaim({ first, mark }: Begun, isFree: boolean): void {
    const own = witnessOf(mark);
    const release = async () => await this.nodeRow.release(this.store, [witnessOf(first), own], own);
    if (isFree) this.completing.push(release().catch(() => undefined));
    else this.nodeRow.remove(this.store, [own]);
  }

  /**
   * Closes the key of a write of unknown outcome that the service applied.
   * @param byDatabase whether only the journal shows this. The earlier attempt may then have had another key.
   */
  recordApplied(request: PlannedRequest, byDatabase = false): void {
    if (this.isMissing) return;
    const keys = this.keys.once(request);
    if (byDatabase) this.completing.push(this.completeAfterKill(request, keys).catch(() => undefined));
    else this.complete(keys);
  }

  /** The journal of a tool doesn't show whether the calls of a model were meant as one payment. */
  private async completeAfterKill(request: PlannedRequest, keys: OnceKeys): Promise<void> {
    if (!this.keys.isTool) await this.recordDone(request);
    else if (await this.row.isProven(this.store, beganWith(keys))) this.complete(keys);
  }

  async end(): Promise<void> {
    while (this.completing.length > 0) await Promise.all(this.completing.splice(0));
    for (const row of [this.row, this.nodeRow]) await row.flush(this.store);
  }

  /** @param over other keys to remove afterwards. */
  private complete(keys: OnceKeys, over: string[] = []): void {
    const { key, copy, payment, done } = keys;
    const removed = [...over, payment, beganWith(keys), unproven(copy), unproven(done)];
    this.completing.push(this.row.addProofs(this.store, [key, copy, done], removed));
  }

  private async openState(
    request: PlannedRequest,
    attempt: string,
    keys: OnceKeys,
    count: number,
    late: number,
  ): Promise<KeyState> {
    const code = codeOfKey(keys, count, late);
    const finding = request.options.resolved?.get(code);
    if (finding !== undefined) this.codes.add(code);
    if (finding === 'applied') return { state: 'applied' };
    // An approval of another attempt at the item doesn't cover an attempt after one of another execution or a late one.
    const mayBeOwn = !this.keys.isTool && wasReleased(attempt) && late === 0;
    const isOwn = mayBeOwn && (await this.areOwn(keys, count));
    const isApproved = isOwn || finding === 'notApplied' || this.approved.get(placeOf(request)) === code;
    const begun = () => this.attemptAt(keys, count + 1, { late, isApproved });
    const resume = async () => await this.withKey(request, async () => await this.resume(request, begun()));
    return { state: 'unknown', code, isApproved, resume };
  }

  /** Begins another attempt at a key with an unknown outcome. Only one of several executions begins it. */
  private async resume(request: PlannedRequest, begun: Begun): Promise<KeyState | Failure | undefined> {
    const { keys, busy, first, late } = begun;
    return await this.exclusively(keys, async () => {
      if (await this.isDone(keys)) return { state: 'done' };
      if ((await this.count(keys, lateKey)) !== late) return { state: 'underWay' };
      const added = await this.row.record(this.store, [first, ...busy], (missing) =>
        missing.has(first) ? [] : [...missing],
      );
      if (!added.has(first)) return { state: 'underWay' };
      // The earlier attempt may have extended its time (`renew`).
      if (!(await this.isBusy(keys, added))) return await this.keep(request, begun);
      // The key would otherwise count an attempt that never began.
      this.row.remove(this.store, [...added]);
      return { state: 'underWay' };
    });
  }

  /** Returns how many numbered keys there are. */
  private async count(keys: OnceKeys, numbered: (keys: OnceKeys, index: number) => string): Promise<number> {
    for (let from = 0; ; from += MOST_ATTEMPTS) {
      const some = Array.from({ length: MOST_ATTEMPTS }, (_, index) => numbered(keys, from + index));
      const found = await this.findNumbered(some);
      if (found.size < MOST_ATTEMPTS) return from + found.size;
    }
  }

  /** A preview in another process may look up the same keys, because it uses no lock. */
  private async findNumbered(keys: string[]): Promise<Set<string>> {
    return await this.row.findAlone(this.store, keys, MOST_LOOKS);
  }

  private async keep(request: PlannedRequest, begun: Begun): Promise<KeyState | Failure | undefined> {
    const { keys, own, busy, mark, first, before } = begun;
    const all = [...keysOf(begun), ...busy];
    const later = [beganWith(keys), keys.copy, ...own].filter((key) => key !== first);
    const claim = { shared: [first], own: [mark], later, isContended: true, witness: this.nodeRow };
    const kept = await this.row.keep(this.store, all, claim).catch(() => 'lost' as const);
    if (kept === 'other') return { state: 'underWay' };
    // A slow call of another process may have overwritten the keys of a payment that is under way or done.
    if (kept === 'begun') {
      this.row.remove(this.store, busy);
      if (await this.isDone(keys)) return { state: 'done' };
      this.row.add(this.store, [keys.copy]);
      return KEY_IN_DOUBT;
    }
    if (kept === 'lost') {
      // Without this attempt's mark, the keys may belong to another process.
      const proofs = await this.row.findProofs(this.store, [mark]);
      if (proofs.size > 0) this.row.remove(this.store, before > 0 ? [...own, ...busy] : all);
      return KEY_NOT_KEPT;
    }
    this.begun.set(placeOf(request), begun);
    this.row.pin([...keysOf(begun), ...busy], () => undefined);
    return undefined;
  }

  private attemptAt(keys: OnceKeys, before: number, { late = 0, isApproved = false } = {}): Begun {
    const until = untilMs(this.timeoutMs);
    const mark = randomUUID();
    const busy = [busyKey(before === 0 ? keys.key : laterAttempts(keys), until), keys.claim, mark];
    return {
      keys,
      own: ownKeys(keys.own, before),
      busy,
      mark,
      first: before === 0 ? keys.key : againKey(keys, before - 1),
      at: Date.now(),
      until,
      before,
      late,
      isApproved,
    };
  }

  /** @param own keys that the caller just recorded. */
  private async isBusy(keys: OnceKeys, own?: ReadonlySet<string>): Promise<boolean> {
    for (const name of [`key ${keys.digest}`, laterAttempts(keys)])
      if (await this.row.isBusy(this.store, name, own)) return true;
    return false;
  }

  private async isDone({ done }: OnceKeys): Promise<boolean> {
    return await this.row.isProven(this.store, done);
  }

  private async areOwn({ ownBefore }: OnceKeys, count: number): Promise<boolean> {
    return (await this.row.findProofs(this.store, ownKeys(ownBefore, count))).size > 0;
  }

  private async exclusively<Result>({ key }: OnceKeys, task: () => Promise<Result>): Promise<Result> {
    return await this.row.exclusively(this.store, key, task);
  }

  private async withKey<Result>(
    request: PlannedRequest,
    task: (keys: OnceKeys) => Promise<Result | Failure>,
  ): Promise<Result | Failure | undefined> {
    if (request.options.oncePerKey === undefined || request.effect === 'reads') return undefined;
    if (this.isMissing) return WORKFLOW_NOT_SAVED;
    try {
      return await task(this.keys.once(request));
    } catch (error) {
      if (!isForeign(error)) return KEY_NOT_KEPT;
      this.isMissing = true;
      return WORKFLOW_NOT_SAVED;
    }
  }
}

/** Returns the keys that remain if the outcome is unknown. */
const keysOf = ({ keys, own, first }: Begun): string[] => [
  ...new Set([first, keys.key, keys.copy, keys.payment, beganWith(keys), ...own]),
];

/** Returns the key that shows that an attempt with the payment began. */
const beganWith = ({ payment }: OnceKeys): string => `began with ${payment}`;

/**
 * Name under which later attempts are under way. `begin` briefly records a key of the first attempt even if the key
 * isn't new.
 */
const laterAttempts = ({ digest }: OnceKeys): string => `attempt ${digest}`;

const ONCE = `"${GUARDS.oncePerKey}"`;

export const KEY_DONE: Failure = {
  outcome: 'doneBefore',
  message: `${ONCE}: this workflow already completed an item with the same key in this or an earlier execution, so this item was not sent`,
  advice: 'To send this item too, use a different key.',
};

export const KEY_OF_OTHER: Failure = {
  outcome: 'invalid',
  message: `${ONCE}: this workflow used the same key for another payment (another customer, account, amount, currency or reference), so this item was not sent`,
  advice: 'To send this item too, use a different key.',
};

/**
 * Another process has overwritten the keys of the payment, or a killed look-up left a key that makes them prove nothing
 * (`KeyRow.findProofs`).
 */
const KEY_IN_DOUBT: Failure = {
  outcome: 'invalid',
  message: `${ONCE}: this workflow used the same key, and n8n's database does not show for which payment, so this item was not sent`,
  advice: 'Look up the payment at the service before you use a different key.',
};

export const WORKFLOW_NOT_SAVED: Failure = {
  outcome: 'invalid',
  message: `${ONCE} works only in a saved workflow`,
  advice: 'Save the workflow and run it again.',
};

const KEY_NOT_KEPT: Failure = {
  outcome: 'notSent',
  message: `n8n's database did not save the key of ${ONCE}, so the item was not sent`,
  advice: "Run this item again when n8n's database works.",
};
