import type { FailedAnswer } from '../service/fetch-list';
import type { Looking } from '../service/look-up';
import { readNewest, type Newest } from './read-newest';
import { earlierCutoff, type Cutoff } from './cutoff';
import type { Footprint } from '../model/footprint';

/** What somebody wants to know of a list: what came since, and the filters that would do for this one alone. */
export interface Ask {
  since: Cutoff;
  filter: string[];
}

/** How long after the beginning of one reading the next one begins at the earliest, in milliseconds. */
const SPACING_MS = 2000;

interface Reading {
  asks: Ask[];
  seen: Promise<Newest | FailedAnswer>;
}

/**
 * A list that several items look at: one reading at a time, and all who ask before the next one begins share that. A
 * reading that began before somebody asked tells that one nothing.
 */
export class SharedList {
  /** The reading that has not begun. */
  private next?: Reading;
  private last: Promise<unknown> = Promise.resolve();
  private began?: number;

  constructor(
    private readonly looking: Looking,
    private readonly footprint: Pick<Footprint, 'list' | 'time'>,
    /** Waits so many milliseconds, or less when the run ends. */
    private readonly rest: (milliseconds: number) => Promise<unknown>,
  ) {}

  /** @returns the records that came since, and perhaps others, or the failing answer. */
  async ask(ask: Ask): Promise<Newest | FailedAnswer> {
    if (!this.next) {
      const asks: Ask[] = [];
      const seen = this.after(this.last, asks);
      this.next = { asks, seen };
      this.last = seen.catch(() => undefined);
    }
    const { asks, seen } = this.next;
    asks.push(ask);
    return await seen;
  }

  private async after(last: Promise<unknown>, asks: Ask[]): Promise<Newest | FailedAnswer> {
    await last;
    if (this.began !== undefined) await this.rest(SPACING_MS - (Date.now() - this.began));
    this.began = Date.now();
    this.next = undefined;
    return await readNewest(this.looking, this.footprint, earliest(asks), common(asks));
  }
}

function earliest(asks: Ask[]): Cutoff {
  const [first, ...others] = asks.map(({ since }) => since);
  if (!first) throw new Error('Nobody reads for nobody');
  return others.reduce(earlierCutoff, first);
}

/** The filters of one who asks alone; of several only those that all of them have. */
function common(asks: Ask[]): string[] {
  const [first, ...others] = asks;
  return (first?.filter ?? []).filter((one) => others.every(({ filter }) => filter.includes(one)));
}
