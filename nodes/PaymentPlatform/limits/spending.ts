import type { IDataObject } from 'n8n-workflow';

import type { DayBudget } from '../model/day-budget';

/** Write that may have a record in a report. */
export interface ReportedWrite {
  /** Returns candidates for the write's record, which `matches` then checks. */
  among: (records: IDataObject[]) => IDataObject[];
  /** Returns whether a record may belong to the write. */
  matches: (record: IDataObject) => boolean;
}

/** Amount of a daily limit that a write of this process has reserved or used. */
export interface Spending extends ReportedWrite {
  /** Time at which the node sent the write or reserved its amount, in milliseconds since 1970. */
  at: number;
  cents: number;
  /** Whether the node sent the write, even if the outcome is unknown. */
  hasLeft: boolean;
  /** ID of the created record, after the service returned the ID. */
  id?: string;
}

/** Receives each spending that a run adds, changes or deletes. */
type Watcher = (spending: Spending) => void;

/**
 * Writes of this process that count toward an account's daily limit. Parallel runs share the book, so each run includes
 * writes that the service's list doesn't show yet. Watchers receive each change, so that a run doesn't add up all
 * writes for each item.
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

/** Age after which the node removes a spending, because the spending can't be on the current day in any time zone. */
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
