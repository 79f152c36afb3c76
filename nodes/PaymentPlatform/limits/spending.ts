import type { IDataObject } from 'n8n-workflow';

import { momentOf } from '../fields/kinds/date';
import { candidates } from '../model/candidates';
import type { DayBudget } from '../model/day-budget';
import type { Answer, Failure } from '../model/failure';
import { likenessOf } from '../model/footprint';
import { itemOf, originalRequest, isOwnMerchant } from '../model/operation';
import { amountOf } from '../model/read-amounts';
import type { Account, Planned, PlannedRequest } from '../model/types';
import { accountAtService } from '../service/account';
import { findPartialFailure, findRecords } from '../service/decode-response';
import { asText, toCents } from '../shared/objects';
import type { DayLimit } from './day-limit';

export interface ReportedWrite {
  among: (records: IDataObject[]) => IDataObject[];
  matches: (record: IDataObject) => boolean;
}

/** Amount that a write of this process has reserved or used. */
export interface Spending {
  /** Time of the write or the reservation, in milliseconds since 1970. */
  at: number;
  cents: number;
  hasLeft: boolean;
  id?: string;
  /** Missing if the ID identifies the record. */
  write?: ReportedWrite | undefined;
}

type Watcher = (spending: Spending) => void;

/** After 48 hours, the write's day has ended in every time zone. */
const KEPT_MS = 48 * 60 * 60 * 1000;
/** About 20 MB. The service's list shows a write long before 100,000 newer ones. */
const MOST_SPENDINGS = 100_000;

/** Parallel runs share these writes, because the service's list may not show them yet. */
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

  /** Deletes the oldest writes that no day contains any more, and those beyond the maximum whose ID is known. */
  prune(): void {
    const since = Date.now() - KEPT_MS;
    for (const spending of this.spendings) {
      const isOld = spending.at < since;
      if (!isOld && this.spendings.size <= MOST_SPENDINGS) return;
      if (isOld || spending.id !== undefined) this.delete(spending);
    }
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

export const spendingBooks = new Map<DayBudget, Map<string, SpendingBook>>();

/** @param account identity from `accountAtService`. */
export function spendingsOf(budget: DayBudget, account: string): SpendingBook {
  const accounts = spendingBooks.get(budget) ?? new Map<string, SpendingBook>();
  spendingBooks.set(budget, accounts);
  const book = accounts.get(account) ?? new SpendingBook();
  accounts.set(account, book);
  book.prune();
  return book;
}

/** Assumed maximum difference between the clocks. */
const APART = { minutes: 2 };

interface Kept {
  request: PlannedRequest;
  budget: DayBudget;
  /** In the format yyyy-MM-dd. Missing if no limit applies to the request. */
  day?: string;
  spending: Spending;
}

/** The service's report may show a run's writes only after a later run begins. */
export class SpendingRecorder implements DayLimit {
  protected readonly kept = new Map<number, Kept>();
  private readonly books = new Map<DayBudget, SpendingBook>();

  constructor(protected readonly account: Account) {}

  async within(...[planned]: Parameters<DayLimit['within']>): Promise<Planned[]> {
    return await Promise.resolve(planned);
  }

  async leaves(request: PlannedRequest): Promise<Failure | undefined> {
    const budget = budgetOf(request);
    if (!budget || !this.isOwn(request)) return undefined;
    if (!this.kept.has(itemOf(request))) {
      const asked = originalRequest(request);
      this.reserve({ request: asked, budget, cents: centsOfRequest(asked) });
    }
    this.change(request, { at: Date.now(), hasLeft: true });
    return await Promise.resolve(undefined);
  }

  settle(request: PlannedRequest, answer?: Answer): void {
    if (!answer || (!answer.ok && answer.failure.outcome !== 'unknown')) return this.drop(request);
    const kept = this.kept.get(itemOf(request));
    if (!kept || !answer.ok) return;
    const [record = {}] = findRecords(answer);
    const cents = kept.spending.cents - (findPartialFailure(request, answer)?.unmovedCents ?? 0);
    const id = asText(record[kept.budget.id]);
    this.change(request, id === '' ? { cents } : { cents, id, write: undefined });
  }

  end(): void {
    for (const { request, spending } of [...this.kept.values()]) if (!spending.hasLeft) this.drop(request);
  }

  /** The report doesn't show the amounts of other merchants. */
  protected isOwn(request: PlannedRequest): boolean {
    return isOwnMerchant(originalRequest(request).values, this.account);
  }

  protected reserve({ cents, ...kept }: Omit<Kept, 'spending'> & Pick<Spending, 'cents'>): void {
    const spending: Spending = {
      at: Date.now(),
      cents,
      hasLeft: false,
      // The footprint of a custom request doesn't describe a record of the report.
      write: kept.request.operation.budget && reportedWrite(kept.request, () => spending.at),
    };
    this.spendings(kept.budget).add(spending);
    this.kept.set(itemOf(kept.request), { ...kept, spending });
  }

  protected spendings(budget: DayBudget): SpendingBook {
    const book = this.books.get(budget) ?? spendingsOf(budget, accountAtService(this.account));
    this.books.set(budget, book);
    return book;
  }

  protected drop(request: PlannedRequest): void {
    const kept = this.kept.get(itemOf(request));
    if (kept) this.spendings(kept.budget).delete(kept.spending);
    this.kept.delete(itemOf(request));
  }

  private change(request: PlannedRequest, change: Partial<Spending>): void {
    const kept = this.kept.get(itemOf(request));
    if (kept) this.spendings(kept.budget).change(kept.spending, change);
  }
}

/** Returns the daily total to which a request adds, if the service's report shows its amount. */
export const budgetOf = (request: PlannedRequest): DayBudget | undefined =>
  request.operation.budget ?? request.operation.budgetOf?.(request);

export const centsOfRequest = (request: PlannedRequest): number => toCents(amountOf(request) ?? 0);

/** @param since returns the earliest creation time of matching records, in milliseconds since 1970. */
export function reportedWrite(
  { operation: { footprint }, values }: PlannedRequest,
  since: () => number,
): ReportedWrite | undefined {
  if (!footprint) return undefined;
  return {
    among: (records) => candidates(records, footprint, values),
    matches: (record: IDataObject) => {
      const isSame = likenessOf(footprint, record, values) === 'equal';
      const at = isSame ? footprint.time?.(record) : undefined;
      return at !== undefined && at >= momentOf(since()).minus(APART);
    },
  };
}
