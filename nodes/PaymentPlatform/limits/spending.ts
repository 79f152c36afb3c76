import type { IDataObject } from 'n8n-workflow';

import type { DayBudget } from '../model/day-budget';

/** Write that may have a record in a report. */
export interface ReportedWrite {
  among: (records: IDataObject[]) => IDataObject[];
  matches: (record: IDataObject) => boolean;
}

/** Amount of a daily limit that a write of this process has reserved or used. */
export interface Spending extends ReportedWrite {
  /** Time at which the node sent the write or reserved its amount, in milliseconds since 1970. */
  at: number;
  cents: number;
  hasLeft: boolean;
  id?: string;
}

type Watcher = (spending: Spending) => void;

/**
 * Writes of this process that count toward an account's daily limit. Parallel runs share these writes, because the
 * service's list may not show them yet.
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

/** After 48 hours, the write's day has ended in every time zone. */
const KEPT_MS = 48 * 60 * 60 * 1000;

/** Writes of this process by budget and account. */
export const spendingBooks = new Map<DayBudget, Map<string, SpendingBook>>();

/**
 * Returns the writes of this process that count toward an account's daily limit.
 * @param account identity from `accountAtService`.
 */
export function spendingsOf(budget: DayBudget, account: string): SpendingBook {
  const accounts = spendingBooks.get(budget) ?? new Map<string, SpendingBook>();
  spendingBooks.set(budget, accounts);
  const book = accounts.get(account) ?? new SpendingBook();
  accounts.set(account, book);
  const since = Date.now() - KEPT_MS;
  for (const spending of book.all()) if (spending.at < since) book.delete(spending);
  return book;
}
