import type { Sent } from './sent';

/** Returns whether a write may have been applied, according to the client's information. */
const mayBeApplied = ({ seen }: Sent) => seen === 'done' || seen === 'unknown' || seen === 'pending';

/**
 * Counts wanted and sent writes. If the number of possibly applied writes equals the number of wanted writes, only a
 * user's instruction permits another one.
 */
export class Ledger {
  private readonly sent = new Map<string, Sent[]>();
  private readonly wanted = new Map<string, number>();
  /** Number of additional sends that users permitted. */
  private readonly words = new Map<string, number>();
  /** Number of additional sends permitted by "Send Again": one per attempt with an unknown outcome. */
  private readonly resends = new Map<string, number>();

  /**
   * Attempts with an unknown outcome that a user declared as not applied. The simulator assumes that they moved no
   * money.
   */
  private readonly denied = new Set<Sent>();

  want(write: string, more = 1): void {
    this.wanted.set(write, (this.wanted.get(write) ?? 0) + more);
  }

  wantExactly(write: string, times: number): void {
    this.wanted.set(write, times);
  }

  wantedTimes(write: string): number {
    return this.wanted.get(write) ?? 0;
  }

  /** Permits one more send, because a user declared the write as not applied or requested another one. */
  allow(write: string): void {
    for (const sent of this.sentFor(write)) if (sent.seen === 'unknown') this.denied.add(sent);
    this.words.set(write, (this.words.get(write) ?? 0) + 1);
  }

  /** Removes writes of executions that aren't continued, because the current execution has no data about them. */
  forget(keep: (sent: Sent) => boolean): void {
    for (const [write, list] of this.sent) this.sent.set(write, list.filter(keep));
  }

  sentFor(write: string): readonly Sent[] {
    return this.sent.get(write) ?? [];
  }

  /**
   * Records a write that is being sent.
   * @param isLost whether the outcome of an earlier write can no longer be found.
   * @returns the violation, if any.
   */
  enter(write: string, sent: Sent, resend: boolean, isLost: (sent: Sent) => boolean): string | undefined {
    const earlier = this.sent.get(write) ?? [];
    this.sent.set(write, [...earlier, sent]);
    const possible = earlier.filter(mayBeApplied).length;
    const given = this.resends.get(write) ?? 0;
    if (possible < this.wantedTimes(write) + (this.words.get(write) ?? 0) + given) return undefined;
    const unknown = earlier.filter((one) => one.seen === 'unknown' || (one.seen === 'done' && isLost(one))).length;
    if (resend && unknown > given) {
      this.resends.set(write, given + 1);
      return undefined;
    }
    return `sent though it ${earlier.some(({ seen }) => seen === 'done') ? 'is done' : 'may have been applied'}: ${possible} of ${this.wantedTimes(write)} wanted`;
  }

  /** Returns the maximum number of times the write may be applied. */
  most(write: string): number {
    return this.wantedTimes(write) + (this.words.get(write) ?? 0) + (this.resends.get(write) ?? 0);
  }

  /** Returns the cents that all writes together may have moved. */
  possibleCents(counts: (sent: Sent) => boolean): number {
    return [...this.sent.values()]
      .flat()
      .filter((sent) => counts(sent) && mayBeApplied(sent) && !this.denied.has(sent))
      .reduce((sum, { cents = 0 }) => sum + cents, 0);
  }

  writes(): string[] {
    return [...this.wanted.keys()];
  }
}
