import { DateTime } from 'luxon';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { DAYS_PARAMETER, daysFilter } from '../fields/kinds/days';
import type { DayBudget } from '../model/day-budget';
import type { Failure } from '../model/failure';
import type { RunOptions } from '../model/option-types';
import type { Account } from '../model/types';
import { adjustPace, sendWithRetries } from '../service/send-with-retries';
import { fetchList } from '../service/fetch-list';
import { recordFilter } from '../service/filter-records';
import { Gate, NotStarted } from '../service/gate';
import { notWhole } from '../service/look-up';
import { sendHttpRequest } from '../service/send';
import { toCents } from '../shared/digits';
import { asText } from '../shared/objects';

/** Amount that a write of this process takes from a daily limit, counted from its reservation. */
export interface Spending {
  /** Time when the write was sent or its amount was reserved, in milliseconds since 1970. */
  at: number;
  cents: number;
  /** Whether the write was sent, even if its outcome is unknown. */
  hasLeft: boolean;
  /** ID of the created record, once the service returned it. */
  id?: string;
  /** Returns whether a record of the list can come from this write. */
  matches: (record: IDataObject) => boolean;
}

/** Older spendings are removed, because no time zone's day reaches back so far. */
const KEPT_MS = 48 * 60 * 60 * 1000;

const books = new Map<DayBudget, Map<string, Set<Spending>>>();

/**
 * Returns the writes of this process that count toward an account's daily limit. Parallel runs see them before the
 * service's list does, and later runs see them while the list lags.
 * @param account identity of the account (see `accountAtService`).
 */
export function spendingsOf(budget: DayBudget, account: string): Set<Spending> {
  const accounts = books.get(budget) ?? new Map<string, Set<Spending>>();
  books.set(budget, accounts);
  const spendings = accounts.get(account) ?? new Set();
  accounts.set(account, spendings);
  const since = Date.now() - KEPT_MS;
  for (const spending of spendings) if (spending.at < since) spendings.delete(spending);
  return spendings;
}

/** Day in a time zone. `begins` is its first millisecond since 1970. */
export interface Day {
  /** Day as yyyy-MM-dd. */
  name: string;
  zone: string;
  begins: number;
  /** First millisecond after the day. */
  ends: number;
}

/**
 * Returns the current day.
 * @param zone IANA name of the time zone.
 */
export function today(zone: string): Day {
  const begins = DateTime.now().setZone(zone).startOf('day');
  const ends = begins.plus({ days: 1 }).startOf('day').toMillis();
  return { name: begins.toFormat('yyyy-MM-dd'), zone, begins: begins.toMillis(), ends };
}

/** Records of a day that count toward a daily limit. */
export class DayReport {
  readonly cents: number;
  readonly count: number;
  private readonly ids: ReadonlySet<string>;
  /** Records that aren't assigned to a write yet. */
  private readonly free: Set<IDataObject>;
  /** Records that can be the result of an item of this run. */
  private readonly others: Set<IDataObject>;
  private readonly claimed = new Set<Spending>();

  /**
   * @param records those that count.
   * @param began time when reading them began, in milliseconds since 1970.
   */
  constructor(
    records: IDataObject[],
    private readonly budget: DayBudget,
    private readonly began: number,
  ) {
    this.count = records.length;
    this.cents = records.reduce((sum, record) => sum + toCents(budget.amount(record) ?? 0), 0);
    this.ids = new Set(records.map((record) => asText(record[budget.id])));
    this.free = new Set(records);
    this.others = new Set(records);
  }

  /** Returns the writes of this process on that day that the report doesn't show yet. */
  unshown(spendings: Iterable<Spending>, { begins, ends }: Day): Spending[] {
    const all = [...spendings];
    const known = new Set(all.flatMap(({ id }) => id ?? []));
    for (const record of this.free) if (known.has(asText(record[this.budget.id]))) this.free.delete(record);
    return all.filter((one) => one.at >= begins && one.at < ends && !this.shows(one));
  }

  /** Returns whether a record can be the result of an item. Each record is assigned to one item only. */
  mayHave(agrees: Spending['matches']): boolean {
    return takeFrom(this.others, agrees);
  }

  /**
   * Compares by ID. If the response was lost, compares the content, provided that the write was sent before the report
   * was read.
   */
  private shows(spending: Spending): boolean {
    if (spending.id !== undefined) return this.ids.has(spending.id);
    if (this.claimed.has(spending)) return true;
    const isShown = spending.hasLeft && spending.at < this.began && takeFrom(this.free, spending.matches);
    if (isShown) this.claimed.add(spending);
    return isShown;
  }
}

function takeFrom(records: Set<IDataObject>, agrees: Spending['matches']): boolean {
  for (const record of records) if (agrees(record)) return records.delete(record);
  return false;
}

interface Reading {
  context: IExecuteFunctions;
  account: Account;
  options: RunOptions;
}

/**
 * Reads all records of a day from the service. The request covers more days, because the service's time zone for days
 * isn't documented.
 * @returns the report, or the failure.
 * @throws NotStarted if the user stops the run while the node waits.
 */
export async function readDay(
  { context, account, options }: Reading,
  budget: DayBudget,
  { name, zone }: Day,
): Promise<DayReport | Failure> {
  const { path, identity, day } = budget.list;
  const list = { identity, day, fields: [] };
  const began = Date.now();
  const canceled = () => context.getExecutionCancelSignal()?.aborted === true;
  // Uses a gate of its own. Requests in the run's gate wait for this report, so it would never get its turn there.
  const gate = new Gate({ most: options.maxParallelRequests, longestWaitMs: options.retryTimeMs, canceled });
  const filter = day.slice(-1).flatMap((field) => daysFilter({ first: name, zone }, field));
  const days = { [DAYS_PARAMETER]: { first: name, last: name, zone } };
  const isOfDay = recordFilter({ list, values: { path: {}, query: {}, body: {}, node: days } });
  const found = await fetchList(
    list,
    undefined,
    async (page, count, wanted) =>
      await sendWithRetries({ effect: 'reads', patience: options, gate }, async () => {
        if (!wanted() || canceled()) throw new NotStarted();
        const query = { filter, count, page };
        const { timeoutMs } = options;
        const answer = await sendHttpRequest(context, account, {
          method: 'GET',
          path,
          family: 'platform',
          query,
          timeoutMs,
        });
        adjustPace(gate, answer);
        return answer;
      }),
    options.maxParallelRequests,
    (record) => budget.counts(record) && (isOfDay?.(record) ?? true),
  );
  if ('failure' in found) return found.failure;
  if (found.note !== undefined) return notWhole(found.note);
  const unreadable = found.records.find((record) => budget.amount(record) === undefined);
  if (unreadable) return noAmount(asText(unreadable[budget.id]));
  return new DayReport(found.records, budget, began);
}

const noAmount = (id: string): Failure => ({
  outcome: 'invalid',
  message: `the node could not read the amount of record ${id}`,
  advice: '',
});
