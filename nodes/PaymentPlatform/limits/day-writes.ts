import type { IDataObject } from 'n8n-workflow';

import { momentOf } from '../fields/kinds/date';
import { candidates } from '../model/candidates';
import type { DayRecords } from '../model/day-records';
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
export interface DayWrite {
  /** Time of the write or the reservation, in milliseconds since 1970. */
  at: number;
  cents: number;
  hasLeft: boolean;
  id?: string;
  /** Missing if the ID identifies the record. */
  write?: ReportedWrite | undefined;
}

type Watcher = (dayWrite: DayWrite) => void;

/** After 48 hours, the write's day has ended in every time zone. */
const KEPT_MS = 48 * 60 * 60 * 1000;
/** About 20 MB. The service's list shows a write long before 100,000 newer ones. */
const MOST_WRITES = 100_000;

/** Parallel runs share these writes, because the service's list may not show them yet. */
export class DayWrites {
  private readonly dayWrites = new Set<DayWrite>();
  private readonly watchers = new Set<Watcher>();

  add(dayWrite: DayWrite): void {
    this.dayWrites.add(dayWrite);
    this.tell(dayWrite);
  }

  change(dayWrite: DayWrite, change: Partial<DayWrite>): void {
    Object.assign(dayWrite, change);
    this.tell(dayWrite);
  }

  delete(dayWrite: DayWrite): void {
    this.dayWrites.delete(dayWrite);
    this.tell(dayWrite);
  }

  has(dayWrite: DayWrite): boolean {
    return this.dayWrites.has(dayWrite);
  }

  /** Deletes the oldest writes that no day contains any more, and those beyond the maximum whose ID is known. */
  prune(): void {
    const since = Date.now() - KEPT_MS;
    for (const dayWrite of this.dayWrites) {
      const isOld = dayWrite.at < since;
      if (!isOld && this.dayWrites.size <= MOST_WRITES) return;
      if (isOld || dayWrite.id !== undefined) this.delete(dayWrite);
    }
  }

  all(): DayWrite[] {
    return [...this.dayWrites];
  }

  /** Returns the same writes for a preview, whose changes no other run sees. */
  copy(): DayWrites {
    const copy = new DayWrites();
    for (const dayWrite of this.dayWrites) copy.dayWrites.add({ ...dayWrite });
    return copy;
  }

  watch(watcher: Watcher): void {
    this.watchers.add(watcher);
  }

  unwatch(watcher: Watcher): void {
    this.watchers.delete(watcher);
  }

  private tell(dayWrite: DayWrite): void {
    for (const watcher of this.watchers) watcher(dayWrite);
  }
}

export const allDayWrites = new Map<DayRecords, Map<string, DayWrites>>();

/** @param account identity from `accountAtService`. */
export function dayWritesOf(dayRecords: DayRecords, account: string): DayWrites {
  const accounts = allDayWrites.get(dayRecords) ?? new Map<string, DayWrites>();
  allDayWrites.set(dayRecords, accounts);
  const book = accounts.get(account) ?? new DayWrites();
  accounts.set(account, book);
  book.prune();
  return book;
}

/** Assumed maximum difference between the clocks. */
const APART = { minutes: 2 };

interface Kept {
  request: PlannedRequest;
  dayRecords: DayRecords;
  /** In the format yyyy-MM-dd. Missing if no limit applies to the request. */
  day?: string;
  dayWrite: DayWrite;
}

/** The service's report may show a run's writes only after a later run begins. */
export class DayWriteRecorder implements DayLimit {
  protected readonly kept = new Map<number, Kept>();
  private readonly books = new Map<DayRecords, DayWrites>();

  constructor(
    protected readonly account: Account,
    private readonly isPreview = false,
  ) {}

  async within(...[planned]: Parameters<DayLimit['within']>): Promise<Planned[]> {
    return await Promise.resolve(planned);
  }

  async leaves(request: PlannedRequest): Promise<Failure | undefined> {
    const dayRecords = dayRecordsOf(request);
    if (!dayRecords || !this.isOwn(request)) return undefined;
    if (!this.kept.has(itemOf(request))) {
      const asked = originalRequest(request);
      this.reserve({ request: asked, dayRecords, cents: centsOfRequest(asked) });
    }
    this.change(request, { at: Date.now(), hasLeft: true });
    return await Promise.resolve(undefined);
  }

  settle(request: PlannedRequest, answer?: Answer): void {
    if (!answer || (!answer.ok && answer.failure.outcome !== 'unknown')) return this.drop(request);
    const kept = this.kept.get(itemOf(request));
    if (!kept || !answer.ok) return;
    const [record = {}] = findRecords(answer);
    const cents = kept.dayWrite.cents - (findPartialFailure(request, answer)?.unmovedCents ?? 0);
    const id = asText(record[kept.dayRecords.id]);
    this.change(request, id === '' ? { cents } : { cents, id, write: undefined });
  }

  end(): void {
    for (const { request, dayWrite } of [...this.kept.values()]) if (!dayWrite.hasLeft) this.drop(request);
  }

  /** The report doesn't show the amounts of other merchants. */
  protected isOwn(request: PlannedRequest): boolean {
    return isOwnMerchant(originalRequest(request).values, this.account);
  }

  protected reserve({ cents, ...kept }: Omit<Kept, 'dayWrite'> & Pick<DayWrite, 'cents'>): void {
    const dayWrite: DayWrite = {
      at: Date.now(),
      cents,
      hasLeft: false,
      // The footprint of a custom request doesn't describe a record of the report.
      write: kept.request.operation.dayRecords && reportedWrite(kept.request, () => dayWrite.at),
    };
    this.dayWrites(kept.dayRecords).add(dayWrite);
    this.kept.set(itemOf(kept.request), { ...kept, dayWrite });
  }

  protected dayWrites(dayRecords: DayRecords): DayWrites {
    const known = this.books.get(dayRecords);
    if (known) return known;
    const shared = dayWritesOf(dayRecords, accountAtService(this.account));
    const book = this.isPreview ? shared.copy() : shared;
    this.books.set(dayRecords, book);
    return book;
  }

  protected drop(request: PlannedRequest): void {
    const kept = this.kept.get(itemOf(request));
    if (kept) this.dayWrites(kept.dayRecords).delete(kept.dayWrite);
    this.kept.delete(itemOf(request));
  }

  private change(request: PlannedRequest, change: Partial<DayWrite>): void {
    const kept = this.kept.get(itemOf(request));
    if (kept) this.dayWrites(kept.dayRecords).change(kept.dayWrite, change);
  }
}

/** Returns the records that count toward the limit per day of a request, if the service's report shows its amount. */
export const dayRecordsOf = (request: PlannedRequest): DayRecords | undefined =>
  request.operation.dayRecords ?? request.operation.dayRecordsOf?.(request);

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
      const { time, earliest = time } = footprint;
      const at = isSame ? earliest?.(record) : undefined;
      return at !== undefined && at >= momentOf(since()).minus(APART);
    },
  };
}
