import { type IExecuteFunctions, sleep } from 'n8n-workflow';

import { Marks, NodeWitness } from './marks';
import { SignsOfLife } from './signs-of-life';
import { byKey, Takeovers } from './takeovers';
import { KeyRow, MOST_KEYS_OF_TRIGGER, type KeyStore } from '../n8n/key-row';
import { nodeKeyOf } from './state';

/**
 * `new`: no execution has processed the delivery. `open`: an execution is running. `done`: an execution has succeeded.
 * `interrupted`: an execution was killed, so this execution may process the delivery.
 */
export type Standing = 'new' | 'open' | 'done' | 'interrupted';

/**
 * Maximum wait for the end of an execution that shows no signs of life. n8n detects a lost worker after 119 to 132
 * seconds (n8n.md#queue-mode).
 */
const LONGEST_WAIT_MS = 150_000;
/** Maximum number of errors of n8n's database during a wait. */
const MOST_ERRORS = 30;
const MOST_RELEASES = 10;
const RELEASED_AFTER_MS = 600;
const FIRST_STEP_MS = 200;
const LONGEST_STEP_MS = 5_000;

/** Keys to record together with a claim. */
export interface Proofs {
  failed: string[];
  lost: string[];
}

const byNode = new Map<string, DeliveryClaims>();

/**
 * Processed deliveries, shared by all n8n processes. An execution writes a "taken" and an "open" key for its delivery.
 * After a success, it removes the "open" key. After a failure, it removes both keys. Its "by" key lets other processes
 * see whether an execution that still runs processes the delivery. If none does, one of them takes the delivery over.
 */
export class DeliveryClaims {
  private readonly here = new Map<string, string>();
  private readonly signs: SignsOfLife;
  private readonly takeovers: Takeovers;

  constructor(readonly marks = new Marks()) {
    this.signs = new SignsOfLife(marks, (executionId) => this.keysOf(executionId));
    this.takeovers = new Takeovers(marks, this.signs);
  }

  static of(context: IExecuteFunctions): DeliveryClaims {
    const nodeKey = nodeKeyOf(context);
    const open = () => {
      const witness = new NodeWitness(KeyRow.ofWorkflow(context), context.getNode().id);
      return new DeliveryClaims(new Marks(KeyRow.ofNode(context, MOST_KEYS_OF_TRIGGER), witness));
    };
    const existing = byNode.get(nodeKey) ?? open();
    byNode.set(nodeKey, existing);
    return existing;
  }

  /**
   * Assigns a delivery to this execution unless another execution has started to process it.
   * @param shared whether another process may be processing a copy. If not, another process's open delivery was
   * interrupted.
   */
  async begin(
    store: KeyStore,
    identity: string,
    executionId: string,
    shared: boolean,
  ): Promise<Exclude<Standing, 'interrupted'>> {
    const standing = await this.beginChange(store, identity, executionId, shared);
    return standing === 'interrupted' ? 'new' : standing;
  }

  /**
   * Like `begin`, but tells whether an earlier execution was interrupted.
   * @param proof key to record together with a new claim.
   */
  async beginChange(
    store: KeyStore,
    identity: string,
    executionId: string,
    shared: boolean,
    proof?: string,
  ): Promise<Standing> {
    const holder = this.here.get(identity);
    if (holder !== undefined && holder !== executionId) return 'open';
    this.here.set(identity, executionId);
    if (shared) this.signs.begin(store, executionId);
    let isOwn = false;
    try {
      const own = marksOf(identity, executionId);
      const found = await this.claim(store, own, shared, proof);
      const isTaken = found === 'again' && (holder === executionId || (await this.takeovers.take(store, own)));
      const standing = found !== 'again' ? found : isTaken ? 'new' : 'open';
      const isInterrupted = standing === 'open' && !shared;
      isOwn = standing === 'new' || isInterrupted;
      return isInterrupted ? 'interrupted' : standing;
    } finally {
      if (!isOwn) this.here.delete(identity);
    }
  }

  /**
   * Waits until the execution that processes the delivery has ended.
   * @param stops returns whether to stop waiting.
   * @param proofs keys to record together with a claim after the execution failed or seems lost. Another execution may
   * look for them at once.
   * @returns `new` if the execution failed, `interrupted` if it seems lost, or `open` if this stopped waiting.
   */
  async awaitEnd(
    store: KeyStore,
    identity: string,
    executionId: string,
    stops: () => boolean = () => false,
    proofs: Proofs = { failed: [], lost: [] },
  ): Promise<Standing> {
    const standing = await this.lookForEnd(store, marksOf(identity, executionId, proofs.lost), stops, proofs.failed);
    if (isOwn(standing)) this.own(store, identity, executionId);
    return standing;
  }

  /**
   * Lets an execution that has taken a delivery over also process its change, because the lost execution has also
   * claimed the change. Returns whether no other execution processes it.
   */
  async takeOver(store: KeyStore, identity: string, executionId: string): Promise<boolean> {
    const isFree = !this.here.has(identity) && (await this.takeovers.take(store, marksOf(identity, executionId)));
    if (isFree) this.own(store, identity, executionId);
    return isFree;
  }

  private own(store: KeyStore, identity: string, executionId: string): void {
    this.here.set(identity, executionId);
    this.signs.begin(store, executionId);
  }

  /** Returns the keys of the deliveries that an execution of this process processes. */
  private keysOf(executionId: string): string[] {
    const own = [...this.here].filter(([, holder]) => holder === executionId);
    return own.map(([identity]) => byKey(executionId, identity));
  }

  /** Lets this execution process a delivery although n8n's database refused the claim. */
  hold(store: KeyStore, identity: string, executionId: string): void {
    const { taken, open, by } = marksOf(identity, executionId);
    if (!this.here.has(identity)) this.here.set(identity, executionId);
    void this.marks.persist(store, [taken, open, by]);
  }

  /** Records that no execution needs to process the deliveries. Never ends a running execution's delivery. */
  async settle(store: KeyStore, identities: string[]): Promise<void> {
    // A failure may be about to remove the keys.
    this.marks.spare(identities.map(knownKey));
    await this.marks.persist(store, [...identities.map(takenKey), ...identities.map(knownKey)]);
    this.marks.reveal(store, identities.map(knownKey));
  }

  /**
   * Records that the executions of the deliveries failed. n8n may first have reported a success.
   * @param isDone whether the trigger must not emit the deliveries again.
   */
  fail(store: KeyStore, identities: string[], isDone: boolean): void {
    this.marks.remove(store, identities.map(knownKey), false);
    if (isDone) void this.marks.persist(store, identities.map(failedKey));
  }

  /** Returns whether an execution of a delivery that isn't settled failed. */
  async hasFailed(store: KeyStore, identities: string[]): Promise<boolean> {
    return (await this.marks.proofs(store, identities.map(failedKey))).size > 0;
  }

  /** Returns the settled deliveries. A search doesn't affect other executions. */
  async settled(store: KeyStore, identities: string[]): Promise<string[]> {
    const proofs = await this.marks.proofs(store, identities.map(knownKey));
    return identities.filter((identity) => proofs.has(knownKey(identity)));
  }

  end(store: KeyStore, identity: string, executionId: string, succeeded: boolean): void {
    if (this.here.get(identity) === executionId) this.here.delete(identity);
    const own = marksOf(identity, executionId);
    this.marks.release(store, own.taken, own.by);
    if (succeeded) {
      this.marks.keep([own.taken]);
      this.marks.remove(store, [own.open, own.by], true);
    } else
      // If n8n can't remove the keys, the node processes a copy of the delivery only after the longest wait.
      void this.release(store, own).catch(() => undefined);
  }

  /** Repeats the removal, because another process may write the keys back at the same time. */
  private async release(store: KeyStore, { identity, taken, open, by }: MarksOf): Promise<void> {
    for (let tries = 0; tries < MOST_RELEASES && !this.here.has(identity); tries++) {
      this.marks.remove(store, [taken, open, by], false);
      await sleep(RELEASED_AFTER_MS);
      // The node writes all three keys together. If one key is missing, no other process has written them back.
      const isGone = (await this.marks.add(store, [by])).has(by);
      if (isGone) {
        this.marks.remove(store, [by], true);
        return;
      }
    }
  }

  /** Returns `again` if this execution has claimed the delivery before. */
  private async claim(
    store: KeyStore,
    marks: MarksOf,
    shared: boolean,
    proof?: string,
  ): Promise<Exclude<Standing, 'interrupted'> | 'again'> {
    const { taken, open, by } = marks;
    if (this.marks.isLeaving(taken)) {
      this.marks.spare([taken, open]);
      if (shared) this.marks.addSoon(store, [by]);
      return 'new';
    }
    if (this.marks.isLeaving(open)) return 'done';
    const own = shared ? [taken, open, by] : [taken, open];
    const added =
      proof === undefined
        ? await this.marks.add(store, own)
        : await this.marks.add(store, [...own, proof], (some) => (some.has(taken) || !some.has(proof) ? [] : [proof]));
    if (!added.has(taken)) {
      // n8n 1 runs an execution a second time if its worker was killed (n8n.md#queue-mode). The existing keys then
      // belong to this execution unless another execution has taken the delivery over.
      if (shared && !added.has(by)) return 'again';
      const isDone = added.has(open);
      this.marks.remove(store, isDone ? [open, by] : [by], true);
      return isDone ? 'done' : 'open';
    }
    if (!shared) return 'new';
    return await this.confirm(store, marks);
  }

  /** Confirms the claim when all parallel writes should have ended. */
  private async confirm(store: KeyStore, { taken, open, by }: MarksOf): Promise<'new' | 'open'> {
    if (await this.marks.confirm(store, [taken, open, by], taken, by)) return 'new';
    this.marks.remove(store, [by], true);
    return 'open';
  }

  private async lookForEnd(store: KeyStore, own: MarksOf, stops: () => boolean, proofs: string[]): Promise<Standing> {
    const { identity, executionId, taken, open, by } = own;
    let stepMs = FIRST_STEP_MS;
    let waitedMs = 0;
    let errors = 0;
    // If n8n's database fails for a moment, the execution may still run.
    const isOpen = async () =>
      await this.marks.add(store, [open]).then(
        (added) => !added.has(open),
        (error: unknown) => {
          errors += 1;
          if (errors > MOST_ERRORS) throw error;
          return true;
        },
      );
    for (;;) {
      stepMs = Math.min(stepMs * 2, LONGEST_STEP_MS);
      await sleep(stepMs);
      if (stops()) return 'open';
      if (await isOpen()) {
        // After the end of an execution in this process, its keys need a moment.
        waitedMs = this.here.has(identity) ? 0 : waitedMs + stepMs;
        if (waitedMs < LONGEST_WAIT_MS) continue;
        waitedMs = 0;
        if (await this.takeovers.take(store, own)) return 'interrupted';
        continue;
      }
      this.marks.spare([by]);
      const added = await this.marks.add(store, [taken, by, ...proofs], (some) =>
        some.has(taken) ? [] : proofs.filter((proof) => some.has(proof)),
      );
      const hasFailed = added.has(taken);
      if (!hasFailed) {
        this.marks.remove(store, [open, by], true);
        return 'done';
      }
      if ((await this.confirm(store, own)) === 'open') continue;
      // Executions that have waited longer must not take the delivery over.
      this.marks.addSoon(store, this.signs.keysOf(executionId));
      return 'new';
    }
  }
}

/** Returns whether the execution may process the delivery. */
export const isOwn = (standing: Standing | 'refused') => standing !== 'done' && standing !== 'open';

const takenKey = (identity: string) => `taken ${identity}`;
const knownKey = (identity: string) => `known ${identity}`;
const failedKey = (identity: string) => `failed ${identity}`;

const marksOf = (identity: string, executionId: string, proofs: string[] = []) => ({
  identity,
  executionId,
  taken: takenKey(identity),
  open: `open ${identity}`,
  by: byKey(executionId, identity),
  proofs,
});

type MarksOf = ReturnType<typeof marksOf>;
