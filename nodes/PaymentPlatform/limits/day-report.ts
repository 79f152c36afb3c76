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

/** What a write of this process takes of a budget, from the moment at which room was kept for it. */
export interface Spending {
  /** When it left, or room was kept for it, in milliseconds since 1970. */
  at: number;
  cents: number;
  /** Whether it is on its way, or done, or of unknown outcome. */
  hasLeft: boolean;
  /** The ID of its record, once the service told it. */
  id?: string;
  /** Whether a record of the list could be this one. */
  matches: (record: IDataObject) => boolean;
}

/** Nobody asks for what is older, in whatever time zone. */
const KEPT_MS = 48 * 60 * 60 * 1000;

const books = new Map<DayBudget, Map<string, Set<Spending>>>();

/**
 * What this process sent, or is about to send, out of a budget of an account: what runs at the same moment sees it before
 * the service's list does, and so does a further run while the list lags.
 * @param account tells accounts apart (see `accountAtService`).
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

/** A day in a time zone, as it is called there and from when to when it is. */
export interface Day {
  /** yyyy-MM-dd. */
  name: string;
  zone: string;
  begins: number;
  /** The first millisecond that is not in it. */
  ends: number;
}

/** The day that it is now. @param zone IANA name of the time zone. */
export function today(zone: string): Day {
  const begins = DateTime.now().setZone(zone).startOf('day');
  const ends = begins.plus({ days: 1 }).startOf('day').toMillis();
  return { name: begins.toFormat('yyyy-MM-dd'), zone, begins: begins.toMillis(), ends };
}

/** What a list of the service shows of a day's budget. */
export class DayReport {
  readonly cents: number;
  readonly count: number;
  private readonly ids: ReadonlySet<string>;
  /** Records of which nobody knows yet whose they are. */
  private readonly free: Set<IDataObject>;
  /** Records that an item of the run may be done by. */
  private readonly others: Set<IDataObject>;
  private readonly claimed = new Set<Spending>();

  /**
   * @param records those that count.
   * @param began when reading them began, in milliseconds since 1970.
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

  /** What the report does not show of what this process spent on that day. */
  unshown(spendings: Iterable<Spending>, { begins, ends }: Day): Spending[] {
    const all = [...spendings];
    const known = new Set(all.flatMap(({ id }) => id ?? []));
    for (const record of this.free) if (known.has(asText(record[this.budget.id]))) this.free.delete(record);
    return all.filter((one) => one.at >= begins && one.at < ends && !this.shows(one));
  }

  /** Whether an item that is to be sent may be done by one of the records; that one is no other item's. */
  mayHave(agrees: Spending['matches']): boolean {
    return takeFrom(this.others, agrees);
  }

  /** By its ID; where the answer got lost, by what agrees, if it left before the report was read. */
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
 * Reads what the service shows of a day: all pages, and whole. The service is asked for more days than that one, for
 * nobody knows in which time zone it tells them apart.
 * @returns the report, or why there is none.
 * @throws NotStarted when a person stops the run meanwhile.
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
  // Requests that have their turn wait for this: among them it would never have one.
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
  message: `the record ${id} has no amount that can be read`,
  advice: '',
});
