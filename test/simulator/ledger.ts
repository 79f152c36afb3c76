import type { Sent } from './sent';

/** Returns whether the service may have applied a write, according to the response that the node received. */
const mayBeApplied = ({ seen }: Sent) => seen === 'done' || seen === 'unknown' || seen === 'pending';

/**
 * Counts intended writes and sent writes. When the number of possibly applied writes reaches the number of intended
 * writes, the node may send another write only if a user permits it.
 */
export class Ledger {
  private readonly sent = new Map<string, Sent[]>();
  private readonly wanted = new Map<string, number>();
  /** Number of additional writes that a user permitted. */
  private readonly words = new Map<string, number>();
  /**
   * Number of additional writes that "Send Again" permitted. The option permits one write per attempt with an unknown
   * outcome.
   */
  private readonly resends = new Map<string, number>();

  /**
   * Attempts with an unknown outcome that a user resolved as not applied. The simulator assumes that these attempts
   * moved no money.
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

  /** Permits one more write, because a user resolved the earlier write as not applied or requested another write. */
  allow(write: string): void {
    for (const sent of this.sentFor(write)) if (sent.seen === 'unknown') this.denied.add(sent);
    this.words.set(write, (this.words.get(write) ?? 0) + 1);
  }

  /**
   * Removes writes of executions that the current execution doesn't continue, because the current execution has no data
   * about these writes.
   */
  forget(keep: (sent: Sent) => boolean): void {
    for (const [write, list] of this.sent) this.sent.set(write, list.filter(keep));
  }

  sentFor(write: string): readonly Sent[] {
    return this.sent.get(write) ?? [];
  }

  /**
   * Records a write when the node sends it.
   * @param isLost returns whether the node can no longer find the outcome of an earlier write.
   * @returns the violation. Undefined if the write is permitted.
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

  /** Returns the maximum number of times that the service may apply the write. */
  most(write: string): number {
    return this.wantedTimes(write) + (this.words.get(write) ?? 0) + (this.resends.get(write) ?? 0);
  }

  /** Returns the total amount in cents that the counted writes may have moved. */
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
