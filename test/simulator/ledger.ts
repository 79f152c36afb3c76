import type { Sent } from './sent';

const mayBeApplied = ({ seen }: Sent) => seen === 'done' || seen === 'unknown' || seen === 'pending';

/** Checks that the node sends only the permitted number of writes. */
export class Ledger {
  private readonly sent = new Map<string, Sent[]>();
  private readonly wanted = new Map<string, number>();
  private readonly words = new Map<string, number>();
  /** Additional writes that "Send Again" permitted. */
  private readonly resends = new Set<Sent>();

  /** Attempts with an unknown outcome that a user resolved as not applied. */
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

  allow(write: string): void {
    for (const sent of this.sentFor(write)) if (sent.seen === 'unknown') this.denied.add(sent);
    this.words.set(write, (this.words.get(write) ?? 0) + 1);
  }

  /** Removes other executions' writes that are unknown to the current one. */
  forget(keep: (sent: Sent) => boolean): void {
    for (const [write, list] of this.sent) this.sent.set(write, list.filter(keep));
  }

  sentFor(write: string): readonly Sent[] {
    return this.sent.get(write) ?? [];
  }

  /**
   * Records a write when the node sends it.
   * @param canResend returns whether "Send Again" permits another attempt.
   * @returns the violation. Undefined if the write is permitted.
   */
  enter(write: string, sent: Sent, canResend: (earlier: Sent) => boolean): string | undefined {
    const earlier = this.sent.get(write) ?? [];
    this.sent.set(write, [...earlier, sent]);
    const possible = earlier.filter(mayBeApplied).length;
    const most = this.most(write);
    const isResend = earlier.filter(canResend).length > this.resendsOf(write);
    if (isResend) this.resends.add(sent);
    if (isResend || possible < most) return undefined;
    return `sent though it ${earlier.some(({ seen }) => seen === 'done') ? 'is done' : 'may have been applied'}: ${possible} of ${this.wantedTimes(write)} wanted`;
  }

  most(write: string): number {
    return this.wantedTimes(write) + (this.words.get(write) ?? 0) + this.resendsOf(write);
  }

  private resendsOf(write: string): number {
    return this.sentFor(write).filter((sent) => this.resends.has(sent) && mayBeApplied(sent)).length;
  }

  /** Returns the total amount in cents that the writes may have moved. */
  possibleCents(counts: (sent: Sent) => boolean): number {
    return [...this.sent.values()]
      .flat()
      .filter((sent) => counts(sent) && mayBeApplied(sent) && !this.denied.has(sent))
      .reduce((sum, { cents = 0, fee = 0 }) => sum + cents + fee, 0);
  }

  writes(): string[] {
    return [...this.wanted.keys()];
  }
}
