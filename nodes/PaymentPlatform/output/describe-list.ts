import { DateTime } from 'luxon';

import { DAYS_PARAMETER, type Days, isDays } from '../fields/kinds/days';
import type { FieldValues, Operation } from '../model/types';

/** Example: "transactions" for the action "Get report of transactions". */
export const listNoun = ({ action }: Pick<Operation, 'action'>): string =>
  action.replace(/^Get (?:many |report of )?| \(.*\)$/g, '');

const ENDING = /(?:(?<=(?:ch|sh|ss|x))es|ies|s)\b/;

const counted = (count: number, noun: string) =>
  `${count} ${count === 1 ? noun.replace(ENDING, (ending) => (ending === 'ies' ? 'y' : '')) : noun}`;

const daysOf = ({ node }: FieldValues): Days | undefined => {
  const days = node[DAYS_PARAMETER];
  return isDays(days) ? days : undefined;
};

/**
 * Returns the dates that the user asked for and the number of records, such as "1 to 31 October 2026, Pacific time: 0
 * transactions".
 */
export function describeList(operation: Operation, values: FieldValues, count: number): string {
  const days = daysOf(values);
  const told = counted(count, listNoun(operation));
  return days ? `${datesOf(days)}, ${zoneName(days.zone)}: ${told}` : told;
}

/** Returns a sentence about an empty period, or `undefined` if the user asked for no dates. */
export const describeEmptyPeriod = (operation: Operation, values: FieldValues): string | undefined =>
  daysOf(values) && `${describeList(operation, values, 0)}.`;

const dayIn = (text: string) => DateTime.fromISO(text, { zone: 'utc', locale: 'en-US' });

function datesOf({ first, last }: Days): string {
  const written = (day: string, format = 'd MMMM yyyy') => dayIn(day).toFormat(format);
  if (first === undefined) return last === undefined ? '' : `Until ${written(last)}`;
  if (last === undefined) return `From ${written(first)}`;
  if (first === last) return written(first);
  const [one, other] = [dayIn(first), dayIn(last)];
  const format = one.year !== other.year ? undefined : one.month === other.month ? 'd' : 'd MMMM';
  return `${written(first, format)} to ${written(last)}`;
}

/** Example: "Pacific time". */
function zoneName(zone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longGeneric' });
  const name = format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? zone;
  return name.replace(/ Time$/, ' time');
}

/** Returns the name of the file with the list and the period, such as "transactions 2026-10.csv". */
export function fileName(operation: Operation, values: FieldValues, extension: string): string {
  const days = daysOf(values);
  const period = days && periodInName(days);
  return `${[listNoun(operation), ...(period === undefined ? [] : [period])].join(' ')}.${extension}`;
}

function periodInName({ first, last }: Days): string | undefined {
  if (first === undefined) return last && `until ${last}`;
  if (last === undefined) return `from ${first}`;
  if (first === last) return first;
  const isMonth = first.endsWith('-01') && dayIn(first).endOf('month').toISODate() === last;
  return isMonth ? first.slice(0, 7) : `${first} to ${last}`;
}
