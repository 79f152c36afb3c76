import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { momentsOf, now, REPORT_ZONE } from '../fields/kinds/date';
import { daysFilter } from '../fields/kinds/days';
import type { DayRecords } from '../model/day-records';
import type { Failure } from '../model/failure';
import type { RunOptions } from '../model/option-types';
import type { Account } from '../model/types';
import { fetchList } from '../service/fetch-list';
import { Gate, NotStarted } from '../service/gate';
import { notWhole } from '../service/look-up';
import { adjustPace, sendHttpRequest, sendWithRetries } from '../service/send';
import { asText, toCents } from '../shared/objects';
import type { ReportedWrite, DayWrite, DayWrites } from './day-writes';

/** Times are in milliseconds since 1970. */
export interface Day {
  /** In the format yyyy-MM-dd. */
  name: string;
  zone: string;
  begins: number;
  /** First millisecond after the day. */
  ends: number;
}

/** @param zone IANA name. */
export function today(zone: string): Day {
  const midnight = now(zone).startOf('day');
  // Midnight can come twice when clocks go back, and the day begins with the first one.
  const [begins = midnight] = midnight.getPossibleOffsets();
  const ends = begins.plus({ days: 1 }).startOf('day').toMillis();
  return { name: begins.toFormat('yyyy-MM-dd'), zone, begins: begins.toMillis(), ends };
}

class FreeRecords {
  private readonly taken = new Set<IDataObject>();
  private readonly begins = new Map<IDataObject[], number>();

  constructor(private readonly records: IDataObject[]) {}

  remove(record: IDataObject): void {
    this.taken.add(record);
  }

  assignTo({ among, matches }: ReportedWrite): boolean {
    const list = among(this.records);
    let begin = this.begins.get(list) ?? 0;
    for (let at = begin; at < list.length; at += 1) {
      const record = list[at] ?? {};
      const isFree = !this.taken.has(record);
      if (!isFree && at === begin) begin += 1;
      if (!isFree || !matches(record)) continue;
      this.taken.add(record);
      this.begins.set(list, begin);
      return true;
    }
    this.begins.set(list, begin);
    return false;
  }
}

export class DayReport {
  readonly cents: number;
  readonly count: number;
  private readonly byId = new Map<string, IDataObject[]>();
  private readonly free: FreeRecords;
  private readonly others: FreeRecords;
  private readonly claimed = new Set<DayWrite>();

  /**
   * @param records all records of the kind, because the report also shows payments without an effect.
   * @param began start of reading, in milliseconds since 1970.
   */
  constructor(
    records: IDataObject[],
    dayRecords: DayRecords,
    private readonly began: number,
  ) {
    const counted = records.filter((record) => dayRecords.counts(record));
    this.count = counted.length;
    this.cents = counted.reduce((sum, record) => sum + toCents(dayRecords.amount(record) ?? 0), 0);
    for (const record of records) {
      const id = asText(record[dayRecords.id]);
      const same = this.byId.get(id);
      if (same) same.push(record);
      else this.byId.set(id, [record]);
    }
    this.free = new FreeRecords(counted);
    this.others = new FreeRecords(counted);
  }

  mayHave(write: ReportedWrite): boolean {
    return this.others.assignTo(write);
  }

  takeOwn({ id }: DayWrite): void {
    if (id === undefined) return;
    for (const record of this.byId.get(id) ?? []) this.free.remove(record);
  }

  /** If the ID of a write is unknown, compares the content. */
  shows(dayWrite: DayWrite): boolean {
    if (dayWrite.id !== undefined) return this.byId.has(dayWrite.id);
    if (this.claimed.has(dayWrite)) return true;
    const { at, hasLeft, write } = dayWrite;
    const isShown = hasLeft && at < this.began && write !== undefined && this.free.assignTo(write);
    if (isShown) this.claimed.add(dayWrite);
    return isShown;
  }
}

/** Writes of this process that the service's report doesn't contain. */
export class Unshown {
  cents = 0;
  private readonly counted = new Map<DayWrite, number>();

  constructor(
    private readonly report: DayReport,
    private readonly book: DayWrites,
    private readonly day: Day,
  ) {
    const all = book.all();
    for (const dayWrite of all) report.takeOwn(dayWrite);
    for (const dayWrite of all) this.count(dayWrite);
    book.watch(this.update);
  }

  get size(): number {
    return this.counted.size;
  }

  end(): void {
    this.book.unwatch(this.update);
  }

  private readonly update = (dayWrite: DayWrite): void => {
    this.report.takeOwn(dayWrite);
    this.cents -= this.counted.get(dayWrite) ?? 0;
    this.counted.delete(dayWrite);
    this.count(dayWrite);
  };

  private count(dayWrite: DayWrite): void {
    const { at, cents } = dayWrite;
    const isOfDay = at >= this.day.begins && at < this.day.ends;
    if (!this.book.has(dayWrite) || !isOfDay || this.report.shows(dayWrite)) return;
    this.counted.set(dayWrite, cents);
    this.cents += cents;
  }
}

interface Reading {
  context: IExecuteFunctions;
  account: Account;
  options: RunOptions;
}

/**
 * Requests adjacent days too, because the API doesn't specify the service's time zone for days. Keeps only the records
 * that may be of the day.
 * @throws NotStarted if the user stops the run or the service keeps rejecting requests.
 */
export async function readDay(
  { context, account, options }: Reading,
  dayRecords: DayRecords,
  { name, zone, begins, ends }: Day,
): Promise<DayReport | Failure> {
  const { path, identity, day } = dayRecords.list;
  const list = { identity, needsIds: true };
  const began = Date.now();
  const canceled = () => context.getExecutionCancelSignal()?.aborted === true;
  // Uses a separate queue, because the run's queued requests wait for this report.
  const gate = new Gate({ most: options.maxParallelRequests, longestWaitMs: options.retryTimeMs, canceled });
  const filter = day.slice(-1).flatMap((field) => daysFilter({ first: name, zone }, field));
  const isOfDay = (record: IDataObject) => {
    const [first, last] = momentsOf(day.map((field) => record[field]).find(isShown), REPORT_ZONE) ?? [];
    return !first || !last || (first.toMillis() < ends && last.toMillis() >= begins);
  };
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
          decides: true,
          query,
          timeoutMs,
        });
        adjustPace(gate, answer);
        return answer;
      }),
    options.maxParallelRequests,
    (record) => dayRecords.isOfKind(record) && isOfDay(record),
  );
  if ('failure' in found) return found.failure;
  if (found.note !== undefined) return notWhole(found.note);
  const unreadable = found.records.find(
    (record) => dayRecords.counts(record) && dayRecords.amount(record) === undefined,
  );
  if (unreadable) return noAmount(asText(unreadable[dayRecords.id]));
  return new DayReport(found.records, dayRecords, began);
}

const isShown = (value: unknown): boolean => asText(value) !== '';

const noAmount = (id: string): Failure => ({
  outcome: 'invalid',
  message: `the node could not read the amount of record ${id}`,
  advice: '',
});
