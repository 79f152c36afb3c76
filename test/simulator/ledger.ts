import type { Sent } from './sent';

/** Whether a write may have been applied, by what the client saw of it. */
const mayBeApplied = ({ seen }: Sent) => seen === 'done' || seen === 'unknown' || seen === 'pending';

/**
 * How often a write is wanted and how often it was sent. A write that may have been applied as often as it is wanted
 * may be sent again only on a person's word.
 */
export class Ledger {
  private readonly sent = new Map<string, Sent[]>();
  private readonly wanted = new Map<string, number>();
  /** Sends that a person's word allows beyond what is wanted. */
  private readonly words = new Map<string, number>();
  /** The same, given by "Send Again": one for each try of unknown outcome. */
  private readonly resends = new Map<string, number>();

  /** Tries of unknown outcome of which a person said that they were not applied: they moved nothing, by that word. */
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

  /** A person said that it was not applied, or should be sent once more all the same. */
  allow(write: string): void {
    for (const sent of this.sentFor(write)) if (sent.seen === 'unknown') this.denied.add(sent);
    this.words.set(write, (this.words.get(write) ?? 0) + 1);
  }

  /** What was forgotten with an execution that is not the one that goes on: nobody can know of it. */
  forget(keep: (sent: Sent) => boolean): void {
    for (const [write, list] of this.sent) this.sent.set(write, list.filter(keep));
  }

  sentFor(write: string): readonly Sent[] {
    return this.sent.get(write) ?? [];
  }

  /**
   * Enters a write that is being sent.
   * @param isLost whether nothing can tell any more what became of an earlier one.
   * @returns what is wrong with it, if anything.
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

  /** How often it may be applied at most. */
  most(write: string): number {
    return this.wantedTimes(write) + (this.words.get(write) ?? 0) + (this.resends.get(write) ?? 0);
  }

  /** Money, in cents, that all writes may have moved. */
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
