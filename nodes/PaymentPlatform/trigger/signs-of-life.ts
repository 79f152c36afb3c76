import { sleep } from 'n8n-workflow';

import type { Marks } from './marks';
import type { KeyStore } from '../n8n/key-row';

/** A process shows the sign of the next period, so a sign lasts one to two periods. */
const PERIOD_MS = 75_000;
/** Minimum time between two signs, and before the first one. */
const EVERY_MS = 20_000;
/** Random extra time. Two processes that show signs at the same time would overwrite each other's signs. */
const MOST_EXTRA_MS = 10_000;
/** Time after which the node checks that no other process has overwritten a sign. */
const CHECKED_AFTER_MS = 3_000;
/**
 * Time after which an execution shows no more signs. An execution that waits may never end, and n8n 1 tells the end of a
 * long execution up to an hour later.
 */
const LONGEST_LIFE_MS = 2 * 60 * 60 * 1000;
const END = '.';
/** n8n numbers its executions (n8n.md#end-of-an-execution). */
const NEXT = [...'0123456789', END];

/**
 * Shows other n8n processes which executions still run, because a node can't learn this from n8n
 * (n8n.md#end-of-an-execution). A process can only look up keys that it can guess, so there is a sign for each beginning
 * of an execution's ID.
 */
export class SignsOfLife {
  private readonly sinceMs = new Map<string, number>();
  /** Recorded keys and their periods. */
  private readonly shown = new Map<string, number>();
  private isShowing = false;

  /**
   * @param claimsOf returns the keys of an execution's deliveries, or none if it doesn't run in this process. Another
   * process may have overwritten the keys, so a sign records them again.
   */
  constructor(
    private readonly marks: Marks,
    private readonly claimsOf: (executionId: string) => string[],
  ) {}

  /** Shows signs of an execution from now on. An execution of less than a minute needs none. */
  begin(store: KeyStore, executionId: string): void {
    if (!this.sinceMs.has(executionId)) this.sinceMs.set(executionId, Date.now());
    this.showSoon(store);
  }

  /** Returns the keys that show for at least a minute that an execution runs. */
  keysOf(executionId: string): string[] {
    return [0, 1].flatMap((ahead) => this.signsOf([executionId], currentPeriod() + ahead));
  }

  /** Returns the executions of all processes that show signs. */
  async find(store: KeyStore): Promise<string[]> {
    const period = currentPeriod();
    const found: string[] = [];
    for (let begins = ['']; begins.length > 0;) {
      const longer = begins.flatMap((begin) => NEXT.map((next) => begin + next));
      const namesOf = (begin: string) => [signOf(begin, period), signOf(begin, period + 1)];
      const there = await this.marks.find(store, longer.flatMap(namesOf));
      const all = longer.filter((begin) => namesOf(begin).some((name) => there.has(name)));
      found.push(...all.filter((begin) => begin.endsWith(END)).map((id) => id.slice(0, -END.length)));
      begins = all.filter((begin) => !begin.endsWith(END));
    }
    return found;
  }

  private showSoon(store: KeyStore): void {
    if (this.isShowing) return;
    this.isShowing = true;
    void sleep(EVERY_MS + Math.random() * MOST_EXTRA_MS).then(async () => {
      this.isShowing = false;
      const period = currentPeriod();
      for (const [executionId, sinceMs] of this.sinceMs)
        if (this.claimsOf(executionId).length === 0 || sinceMs < Date.now() - LONGEST_LIFE_MS)
          this.sinceMs.delete(executionId);
      const long = [...this.sinceMs].filter(([, sinceMs]) => sinceMs <= Date.now() - EVERY_MS);
      const ids = long.map(([executionId]) => executionId);
      const signs = this.signsOf(ids, period + 1);
      this.marks.addSoon(store, [...signs, ...ids.flatMap(this.claimsOf)]);
      const over = [...this.shown].filter(([, shownPeriod]) => shownPeriod < period).map(([name]) => name);
      for (const name of over) this.shown.delete(name);
      if (over.length > 0) this.marks.remove(store, over, true);
      if (this.sinceMs.size + this.shown.size > 0) this.showSoon(store);
      await sleep(CHECKED_AFTER_MS);
      this.marks.addSoon(store, signs);
    });
  }

  private signsOf(executionIds: string[], period: number): string[] {
    const ids = executionIds.map((id) => id + END);
    const begins = ids.flatMap((id) => Array.from(id, (_, index) => id.slice(0, index + 1)));
    const names = [...new Set(begins)].map((begin) => signOf(begin, period));
    for (const name of names) this.shown.set(name, period);
    return names;
  }
}

const currentPeriod = () => Math.floor(Date.now() / PERIOD_MS);

const signOf = (begin: string, period: number) => `sign ${period} ${begin}`;
