import type { IDataObject } from 'n8n-workflow';

import type { DayBudget } from '../model/day-budget';

/** Write whose record may be in a report. */
export interface ReportedWrite {
  /** Returns the records that can come from the write. `matches` makes the final decision. */
  among: (records: IDataObject[]) => IDataObject[];
  /** Returns whether a record can come from the write. */
  matches: (record: IDataObject) => boolean;
}

/** Amount that a write of this process uses of a daily limit, counted from its reservation. */
export interface Spending extends ReportedWrite {
  /** Time when the write was sent or its amount was reserved, in milliseconds since 1970. */
  at: number;
  cents: number;
  /** Whether the write was sent, even if its outcome is unknown. */
  hasLeft: boolean;
  /** ID of the created record, once the service returned it. */
  id?: string;
}

/** Called with each spending that a run adds, changes or deletes. */
type Watcher = (spending: Spending) => void;

/**
 * Writes of this process that count toward an account's daily limit. Parallel runs see these writes before the
 * service's list shows them. A watcher receives each change, so that a run does not have to add up all writes for each
 * item.
 */
export class SpendingBook {
  private readonly spendings = new Set<Spending>();
  private readonly watchers = new Set<Watcher>();

  add(spending: Spending): void {
    this.spendings.add(spending);
    this.tell(spending);
  }

  change(spending: Spending, change: Partial<Spending>): void {
    Object.assign(spending, change);
    this.tell(spending);
  }

  delete(spending: Spending): void {
    this.spendings.delete(spending);
    this.tell(spending);
  }

  has(spending: Spending): boolean {
    return this.spendings.has(spending);
  }

  all(): Spending[] {
    return [...this.spendings];
  }

  watch(watcher: Watcher): void {
    this.watchers.add(watcher);
  }

  unwatch(watcher: Watcher): void {
    this.watchers.delete(watcher);
  }

  private tell(spending: Spending): void {
    for (const watcher of this.watchers) watcher(spending);
  }
}

/** Spendings above this age are removed, because they can't be on the current day in any time zone. */
const KEPT_MS = 48 * 60 * 60 * 1000;

const books = new Map<DayBudget, Map<string, SpendingBook>>();

/**
 * Returns the writes of this process that count toward an account's daily limit.
 * @param account identity of the account (see `accountAtService`).
 */
export function spendingsOf(budget: DayBudget, account: string): SpendingBook {
  const accounts = books.get(budget) ?? new Map<string, SpendingBook>();
  books.set(budget, accounts);
  const book = accounts.get(account) ?? new SpendingBook();
  accounts.set(account, book);
  const since = Date.now() - KEPT_MS;
  for (const spending of book.all()) if (spending.at < since) book.delete(spending);
  return book;
}
