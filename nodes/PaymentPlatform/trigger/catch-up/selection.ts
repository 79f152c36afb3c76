import { DateTime } from 'luxon';
import type { IExecuteFunctions } from 'n8n-workflow';

import { momentsOf, REPORT_ZONE } from '../../fields/kinds/date';
import { DeliveryClaims } from '../delivery-claims';
import { readCatchUpOptions } from '../description';
import { nodeKeyOf } from '../state';
import { currentDay, currentHour, HOUR_MS, LONGEST_LIST_DAYS, type Position } from './position';
import { CAUGHT_EVENTS, changeDays, digestOf } from './changes';

export function selectedEvents(context: IExecuteFunctions): string[] {
  const { events = CAUGHT_EVENTS } = readCatchUpOptions(context);
  return CAUGHT_EVENTS.filter((event) => events.includes(event));
}

const DAY_MS = 24 * HOUR_MS;
const PERIOD_HOURS = 10 * 24;
const ANY_SELECTION = 'any';

/** Recorded for each event that a catch-up includes. */
export const selectedKeys = (context: IExecuteFunctions, account: string) =>
  [ANY_SELECTION, ...selectedEvents(context).map((event) => digestOf(account, event))].map((name) =>
    selectedKey(name, 0),
  );

const selectedKey = (name: string, periodsAgo: number) =>
  `selected ${Math.floor(currentHour() / PERIOD_HOURS) - periodsAgo} ${name}`;

const firstDayKey = (event: string, account: string, day: number) => `since ${day} ${digestOf(account, event)}`;

/** Recorded for the first date that the first catch-up of the events read. */
export function firstDayKeys(events: string[], account: string, { fromMs }: Position): string[] {
  const day = Math.floor(fromMs / DAY_MS);
  return events.map((event) => firstDayKey(event, account, day));
}

export interface Selection {
  /** No earlier catch-up of the account included these events. Their changes can be older than the selection. */
  newEvents: ReadonlySet<string>;
  /** Events whose keys a killed search may have left, so nothing shows whether the events are new. */
  doubtfulEvents: ReadonlySet<string>;
  /** First date that the first catch-up of an event read, as a number of days. */
  firstDays: ReadonlyMap<string, number>;
}

export async function readSelection(
  context: IExecuteFunctions,
  account: string,
  { completeFromMs }: Position,
): Promise<Selection> {
  const events = selectedEvents(context);
  const { marks } = DeliveryClaims.of(nodeKeyOf(context));
  const keysOf = (name: string) => [-1, 0, 1, 2, 3].map((periodsAgo) => selectedKey(name, periodsAgo));
  const keys = new Map(events.map((event) => [event, keysOf(digestOf(account, event))]));
  const days = Array.from({ length: LONGEST_LIST_DAYS }, (_, index) => currentDay() - index);
  const firstKeys = events.flatMap((event) => days.map((day) => firstDayKey(event, account, day)));
  // n8n's database may have lost the keys.
  const isKnown = completeFromMs === undefined || (await marks.proofs(context.helpers, keysOf(ANY_SELECTION))).size > 0;
  const found = await marks.found(context.helpers, [...keys.values()].flat());
  const proofs = await marks.proofs(context.helpers, [...keys.values()].flat());
  const firstProofs = await marks.proofs(context.helpers, firstKeys);
  const firstDayOf = (event: string) => days.find((day) => firstProofs.has(firstDayKey(event, account, day))) ?? 0;
  const isIn = (some: ReadonlySet<string>, event: string) => keys.get(event)?.some((key) => some.has(key)) === true;
  return {
    newEvents: new Set(events.filter((event) => isKnown && !isIn(found, event))),
    doubtfulEvents: new Set(
      events.filter((event) => isIn(found, event) && !isIn(proofs, event) && firstDayOf(event) === 0),
    ),
    firstDays: new Map(events.map((event) => [event, firstDayOf(event)])),
  };
}

/** Returns whether a change may be older than the first catch-up of its event, which read fewer days. */
export function isBeforeFirst({ firstDays }: Selection, event: string, at: unknown): boolean {
  const [first] = momentsOf(at, REPORT_ZONE) ?? [];
  const begin = DateTime.fromMillis(((firstDays.get(event) ?? 0) - changeDays(event)) * DAY_MS, { zone: 'utc' });
  return first !== undefined && first <= begin.setZone(REPORT_ZONE, { keepLocalTime: true });
}
