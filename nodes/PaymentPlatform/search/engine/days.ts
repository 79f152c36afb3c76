import { DateTime } from 'luxon';

/** A day without a year matches every year. */
export interface TypedDay {
  day: number;
  month: number;
  year?: number;
}

export const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(?<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DAY = '(?<day>\\d{1,2})(?:st|nd|rd|th)?';
const YEAR = '(?<year>20\\d\\d)';
/** Prevents a match if the day is part of an amount or a longer number. */
const END = '(?![\\d\\p{L}]|[.,]\\d)';

/** The notation 11/3/2026 can mean 3 November or 11 March. */
const WRITTEN = [
  `${YEAR}[-/.](?<month>\\d{1,2})[-/.](?<day>\\d{1,2})(?:t[\\d:.]+z?)?${END}`,
  `${DAY}\\.?[ -]?(?:of )?${MONTH}\\.?(?:,?[ -]+${YEAR})?${END}`,
  `${MONTH}\\.?[ -]?${DAY}(?:,?[ -]+${YEAR})?${END}`,
  `(?<day>\\d{1,2})\\.(?<month>\\d{1,2})\\.${YEAR}${END}`,
  `(?<one>\\d{1,2})/(?<other>\\d{1,2})/${YEAR}${END}`,
].map((pattern) => new RegExp(`(?<![\\d\\p{L}.,])${pattern}`, 'u'));

const NAMED: Record<string, number> = { today: 0, yesterday: 1 };

type Groups = Record<string, string | undefined>;

const isDay = ({ day, month, year = 2024 }: TypedDay) => DateTime.utc(year, month, day).isValid;

function daysOf({ day, month, name, one, other, year }: Groups): TypedDay[] {
  const named = name === undefined ? Number(month) : MONTHS.indexOf(name.slice(0, 3)) + 1;
  const inYear = year === undefined ? {} : { year: Number(year) };
  const written =
    one === undefined
      ? [{ day: Number(day), month: named }]
      : [
          { day: Number(other), month: Number(one) },
          { day: Number(one), month: Number(other) },
        ];
  return written.map((parts) => ({ ...parts, ...inYear })).filter(isDay);
}

/**
 * Returns the possible days, the notation, and the remaining text.
 * @param text output of `folded`.
 */
export function takeDay(text: string, now: DateTime): { days: TypedDay[]; written: string; rest: string } | undefined {
  const found = WRITTEN.flatMap((pattern) => {
    const match = pattern.exec(text);
    const days = match?.groups ? daysOf(match.groups) : [];
    return match && days.length > 0 ? [{ days, written: match[0] }] : [];
  });
  const word = /(?<!\p{L})(today|yesterday)(?!\p{L})/u.exec(text)?.[0];
  if (word !== undefined) {
    const { day, month, year } = now.minus({ days: NAMED[word] ?? 0 });
    found.push({ days: [{ day, month, year }], written: word });
  }
  const [first] = found;
  return first && { ...first, rest: text.replace(first.written, ' ') };
}

export const isOn = (moment: DateTime, { day, month, year }: TypedDay): boolean =>
  moment.day === day && moment.month === month && (year === undefined || moment.year === year);

/** A day without a year means the latest such day that isn't in the future. */
export function beginning({ day, month, year }: TypedDay, now: DateTime): DateTime {
  const inYear = (one: number) => DateTime.fromObject({ day, month, year: one }, { zone: now.zone });
  if (year !== undefined) return inYear(year);
  let latest = now.year;
  // 29 February exists only in leap years.
  while (!(inYear(latest) <= now)) latest -= 1;
  return inYear(latest);
}
