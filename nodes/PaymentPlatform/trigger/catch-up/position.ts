import type { IExecuteFunctions } from 'n8n-workflow';

import { instant, momentOf, momentsOf, REPORT_ZONE } from '../../fields/kinds/date';
import { type KeyStore, unproven } from '../../n8n/key-row';
import { DeliveryClaims } from '../delivery-claims';
import { readCatchUpOptions } from '../description';
import type { Marks } from '../marks';
import { CAUGHT_EVENTS, changeDays, daysLate, digestOf } from './changes';
import { currentDay, currentHour, DAY_MS, findTimes, HOUR_MS, type Span, timeKeys, type Times } from './times';

/** Catch-up doesn't remember a longer break. */
const LONGEST_BREAK_DAYS = 30;
/** Covers dates without a time or zone (service.md#values). */
const LEAST_OVERLAP_DAYS = 2;
const LONGEST_OVERLAP_DAYS = 30;
/** Earliest changes in the lists, in days. */
const LONGEST_LIST_DAYS = LONGEST_BREAK_DAYS + 2 * LONGEST_OVERLAP_DAYS;
/** The longest delay of an entry so far, times this number, determines the overlap. */
const RESERVE = 2;

/** Recorded when a delivery or a catch-up of the hour began. */
export const hourKey = (hour: number) => `hour ${hour}`;

/** Recorded for a change that catch-up emitted. */
export const caughtKey = (identity: string) => `caught ${identity}`;

const lateKey = (days: number) => `late ${days}`;
/** Recorded for entries that were late. */
export function lateKeys(event: string, times: unknown[], unknownAtMs: number): string[] {
  const days = times.map((at) => Math.min(daysLate(event, at, unknownAtMs), LONGEST_OVERLAP_DAYS));
  return days.filter((late) => late > 1).map(lateKey);
}

/** Recorded for an event that arrived without the fields that identify its change. */
export const vagueKey = (event: string, day: number) => `vague ${day} ${event}`;

/** Recorded for the hour in which the first catch-up of an event and account began. */
const begunName = (stream: string) => `begun ${stream}`;
/** Recorded for the hour of the last catch-up that included an event and account, when it ended. */
const readName = (stream: string) => `read ${stream}`;
/** Stands for all events and accounts. */
const ANY = 'any';

export function selectedEvents(context: IExecuteFunctions): string[] {
  const { events = CAUGHT_EVENTS } = readCatchUpOptions(context);
  return CAUGHT_EVENTS.filter((event) => events.includes(event));
}

/** An event of an account. */
interface Stream {
  event: string;
  name: string;
  /**
   * `new`: no catch-up has read the event. `begun`: the first catch-up did not end. `doubtful`: nothing shows whether a
   * catch-up has read the event.
   */
  state: 'new' | 'begun' | 'read' | 'doubtful';
  /** Begin of the last successful catch-up. If it is unknown, an earlier time. */
  lastMs: number;
  /** Hour in which the first catch-up began. */
  begun?: Span | undefined;
  /** Whether n8n's database does not show this hour. */
  needsBegin: boolean;
}

/** Where a catch-up begins, and which changes it emits. */
export class Position {
  private readonly startedHour = currentHour();
  private readonly vague = new Map<string, Promise<number>>();

  private constructor(
    private readonly store: KeyStore,
    private readonly marks: Marks,
    private readonly streams: ReadonlyMap<string, Stream>,
    private readonly overlapMs: number,
    /** Zero if n8n's database has all keys. */
    private readonly completeFromMs: number,
    private readonly aheadKeys: string[],
  ) {}

  /** n8n's database drops the oldest keys first, so all keys after a recorded key still exist. */
  static async find(context: IExecuteFunctions, account: string): Promise<Position> {
    const { helpers: store } = context;
    const { marks } = DeliveryClaims.of(context);
    const events = [ANY, ...selectedEvents(context)];
    const nameOf = (event: string) => (event === ANY ? ANY : digestOf(account, event));
    const names = events.map(nameOf);
    const reads = await findTimes(store, marks, names.map(readName), LONGEST_BREAK_DAYS);
    const begins = await findTimes(store, marks, names.map(begunName), LONGEST_LIST_DAYS);
    const all = [...reads.values(), ...begins.values()];
    const isWhole = begins.get(begunName(ANY))?.isRecorded === true || (await marks.isWhole(store));
    const isClear = isWhole && !all.some(({ isHidden }) => isHidden);
    const { earliest, complete } = isClear ? {} : await findHours(store, marks);
    const isKnown = isWhole || earliest === undefined || reads.get(readName(ANY))?.isRecorded === true;
    const earliestMs = (earliest ?? currentHour() - LONGEST_BREAK_DAYS * 24) * HOUR_MS;
    const streamOf = (event: string): [string, Stream] => {
      const name = nameOf(event);
      const [read = NO_TIMES, begun = NO_TIMES] = [reads.get(readName(name)), begins.get(begunName(name))];
      const needsBegin = begun.past === undefined && (begun.isHidden || begun.ahead !== undefined);
      return [event, { event, name, ...progressOf(read, begun, earliestMs, isKnown), needsBegin }];
    };
    return new Position(
      store,
      marks,
      new Map(events.map(streamOf)),
      await findOverlap(store, marks),
      isWhole ? 0 : ((complete ?? currentHour()) + 1) * HOUR_MS,
      all.flatMap(({ aheadKeys }) => aheadKeys),
    );
  }

  /** Returns the date after which a list must begin. A time of midnight equals its date, so this is a day earlier. */
  dateBefore(days: number): string {
    const fromMs = Math.min(...[...this.streams.values()].map(({ lastMs }) => lastMs)) - this.overlapMs;
    return (
      momentOf(fromMs)
        .minus({ days: days + 1 })
        .toISODate() ?? ''
    );
  }

  /** Call this before the first request. */
  async begin(): Promise<void> {
    await this.record(
      (stream) => (stream.state === 'new' ? [begunName(stream.name)] : []),
      [hourKey(this.startedHour)],
    );
  }

  /** @param isWhole whether the catch-up has emitted all changes. */
  async keep(isWhole: boolean): Promise<void> {
    await this.record(({ state, name, needsBegin }) => [
      ...(isWhole || state === 'new' ? [readName(name)] : []),
      ...(needsBegin ? [begunName(name)] : []),
    ]);
    this.marks.remove(this.store, this.aheadKeys, true);
  }

  private async record(namesOf: (stream: Stream) => string[], others: string[] = []): Promise<void> {
    const keys = [...this.streams.values()].flatMap(namesOf).flatMap((name) => timeKeys(name, this.startedHour));
    await this.marks.add(this.store, [...keys, ...others]);
    this.marks.remove(this.store, keys.map(unproven), false);
  }

  /** If n8n first reported a success of a catch-up that failed, lets the next catch-up begin at the same place. */
  forget(): void {
    const { startedHour } = this;
    const keysOf = ({ name, lastMs, state }: Stream) => {
      const isEarlier = lastMs < startedHour * HOUR_MS && lastMs > Date.now() - (LONGEST_BREAK_DAYS / 2) * DAY_MS;
      const kept = timeKeys(readName(name), Math.floor(lastMs / HOUR_MS));
      return isEarlier && state !== 'new'
        ? timeKeys(readName(name), startedHour).filter((key) => !kept.includes(key))
        : [];
    };
    this.marks.remove(this.store, [...this.streams.values()].flatMap(keysOf), false);
  }

  lateKeysOf(event: string, at: unknown): string[] {
    return lateKeys(event, [at], this.streams.get(event)?.lastMs ?? 0);
  }

  /**
   * Returns whether a change that no catch-up has read is older than the first one (`old`), the workflow did not receive
   * it (`missed`), or nothing shows this. After the first catch-up, an older change is late or backdated.
   * @param at earliest time of the change.
   */
  async standingOf(event: string, at: unknown): Promise<'old' | 'uncertain' | 'missed'> {
    const { state, begun } = this.streams.get(event) ?? { state: 'doubtful', begun: undefined };
    if (state === 'new') return 'old';
    if (state === 'doubtful') return 'uncertain';
    const [first, last] = momentsOf(at, REPORT_ZONE) ?? [];
    const isOlder = begun && last && last.toMillis() + changeDays(event) * DAY_MS < begun.fromMs;
    if (isOlder) return state === 'begun' ? 'old' : 'uncertain';
    if (state === 'begun' && !(begun && first && first.toMillis() >= begun.toMs)) return 'uncertain';
    const vagueUntilMs = this.vague.get(event) ?? findVagueUntil(this.store, this.marks, event);
    this.vague.set(event, vagueUntilMs);
    const atMs = instant(at, REPORT_ZONE)?.toMillis() ?? 0;
    return atMs < Math.max(this.completeFromMs, await vagueUntilMs) ? 'uncertain' : 'missed';
  }
}

const NO_TIMES: Times = { aheadKeys: [], isRecorded: false, isHidden: false };

type Progress = Pick<Stream, 'state' | 'lastMs' | 'begun'>;

function progressOf(read: Times, begun: Times, earliestMs: number, isKnown: boolean): Progress {
  const nowMs = Date.now();
  const begin = begun.past ?? begun.ahead;
  const readSince = (lastMs: number): Progress => ({ state: 'read', lastMs: Math.min(lastMs, nowMs), begun: begin });
  if (read.past) return readSince(read.past.fromMs);
  if (read.ahead) return readSince(nowMs);
  // Of an earlier catch-up, nothing or only its search remains.
  const isUnclear = begun.isHidden || (begun.past === undefined && begun.ahead !== undefined);
  if (isUnclear || (read.isHidden && !begun.isRecorded)) return { state: 'doubtful', lastMs: earliestMs };
  if (read.isHidden) return readSince(Math.max(earliestMs, begin?.fromMs ?? 0));
  if (begun.past && begun.past.fromMs > nowMs - LONGEST_BREAK_DAYS * DAY_MS)
    return { state: 'begun', lastMs: begun.past.fromMs, begun: begun.past };
  return isKnown ? { state: 'new', lastMs: nowMs } : readSince(earliestMs);
}

async function findOverlap(store: KeyStore, marks: Marks): Promise<number> {
  const days = Array.from({ length: LONGEST_OVERLAP_DAYS }, (_, index) => LONGEST_OVERLAP_DAYS - index);
  const proofs = await marks.proofs(store, days.map(lateKey));
  const late = days.find((one) => proofs.has(lateKey(one))) ?? 0;
  return Math.min(Math.max(late * RESERVE, LEAST_OVERLAP_DAYS), LONGEST_OVERLAP_DAYS) * DAY_MS;
}

/** Returns the earliest hour in which a delivery or catch-up may have begun, and one after which all keys exist. */
async function findHours(store: KeyStore, marks: Marks): Promise<{ earliest?: number; complete?: number }> {
  const hours = Array.from({ length: LONGEST_BREAK_DAYS * 24 }, (_, index) => currentHour() - index).reverse();
  const { found, proofs } = await marks.search(store, hours.map(hourKey));
  const first = (keys: ReadonlySet<string>) => hours.find((hour) => keys.has(hourKey(hour)));
  const [earliest, complete] = [first(found), first(proofs)];
  return { ...(earliest !== undefined && { earliest }), ...(complete !== undefined && { complete }) };
}

/** Returns the time from which on no such event is about a change. A time without a zone can be a day later. */
async function findVagueUntil(store: KeyStore, marks: Marks, event: string): Promise<number> {
  const days = Array.from({ length: LONGEST_LIST_DAYS }, (_, index) => currentDay() - index);
  const proofs = await marks.proofs(
    store,
    days.map((day) => vagueKey(event, day)),
  );
  const last = days.find((day) => proofs.has(vagueKey(event, day)));
  return last === undefined ? 0 : (last + 2) * DAY_MS;
}
