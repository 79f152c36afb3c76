import { DateTime, Settings } from 'luxon';

import {
  calendarDate,
  calendarDateOrToday,
  calendarDay,
  calendarMonth,
  instant,
  momentsOf,
  REPORT_ZONE,
  todayAtLeast,
} from '../../../nodes/PaymentPlatform/fields/kinds/date';
import { readField } from '../../../nodes/PaymentPlatform/fields/read-field';
import type { Problem } from '../../../nodes/PaymentPlatform/fields/types';

// Sets a different system time zone, which must not affect the results.
Settings.defaultZone = 'Asia/Tokyo';

const field = calendarDate({ name: 'date_invoice', label: 'Invoice Date', description: 'Day on the invoice.' });
const read = (value: unknown, timezone = 'utc') => {
  const problems: Problem[] = [];
  return { value: readField(field, { date_invoice: value as string }, problems, { timezone }), problems };
};

const ZONES = ['America/Los_Angeles', 'utc', 'Asia/Tokyo', 'Pacific/Kiritimati'];
const inEveryZone = (value: unknown) => ZONES.map((zone) => calendarDay(value, zone));
const march31 = ZONES.map(() => '2026-03-31');

test.each([
  '2026-03-31',
  '20260331',
  ' 2026-03-31 ',
  '2026-03-31T00:00:00',
  '2026-03-31T23:59:59',
  '2026-03-31T23:59:59.999999999',
  '2026-03-31T23:59:59,5',
  '2026-03-31t23:59',
  '2026-03-31 14:00:00',
  '2026-03-31  14:00',
  '2026-03-31T14',
  '20260331T140000',
  '2026-03-31T1400',
])('reads %j without an offset as the same day in every time zone', (given) => {
  expect(inEveryZone(given)).toEqual(march31);
});

const OFFSETS = [
  '-07:00',
  '-0700',
  '-07',
  '+02:00',
  '+0200',
  '+02',
  '+14:00',
  '-12:00',
  '+05:45',
  'Z',
  'z',
  'UTC',
  'GMT',
];
const TIMES = ['00:00', '23:30:00', '23:30:00.000', '23:30:00,123456', '2330', '233000.5', '23', '00:30:00'];
const BETWEEN = ['T', 't', ' ', '  '];
const withOffset = BETWEEN.flatMap((between) =>
  TIMES.flatMap((time) =>
    OFFSETS.flatMap((offset) => [`2026-03-31${between}${time}${offset}`, `2026-03-31${between}${time} ${offset}`]),
  ),
);

test('reads a timestamp as the day in its own offset, in every notation and time zone', () => {
  expect(withOffset.length).toBeGreaterThan(800);
  expect(withOffset.filter((given) => inEveryZone(given).join() !== march31.join())).toEqual([]);
});

test.each([
  '20260331T233000-0700',
  '2026-03-31T23:30:00\u221207:00',
  '2026-03-31T23:30:00-07:00[America/Los_Angeles]',
  '2026-03-31T23:30:00+02[Etc/GMT-2]',
  '2026-03-31T00:00:00.000Z',
  '2026-03-31T03:00:00.000Z',
  '2026-03-31T22:00:00-04:00',
])('reads %s as March 31 in every time zone', (given) => {
  expect(inEveryZone(given)).toEqual(march31);
});

test.each([
  ['a bare time', ['12:30', '12:30:00', 'T12:30', '12:30Z', '23:30:00-07:00', '1230', '123000']],
  [
    'a year, a month, a week or a day of the year',
    ['2026', '2026-03', '202603', '2026-W14', '2026-W14-2', '2026-090', '2026090'],
  ],
  [
    'another order',
    [
      '31.03.2026',
      '31-03-2026',
      '03/31/2026',
      '31032026',
      '01022026',
      '19112019',
      '25122029',
      '2026/03/31',
      '2026-3-31',
    ],
  ],
  ['no real day', ['2026-02-30', '2026-02-29', '2026-13-01', '2026-00-10', '2026-04-31', '20260431', '2026-03-00']],
  [
    'no real time',
    ['2026-03-31T24:00', '2026-03-31T12:60', '2026-03-31T12:30:60', '2026-03-31T', '2026-03-31T1', '2026-03-31 ,5'],
  ],
  [
    'no real offset',
    [
      '2026-03-31T12:00+2',
      '2026-03-31T12:00+15:00',
      '2026-03-31T12:00-07:60',
      '2026-03-31T12:00 PST',
      '2026-03-31T12:00+020',
    ],
  ],
  [
    'half of a form',
    ['2026-0331', '202603-31', '2026-03-31x', 'x2026-03-31', '2026-03-31Z', '2026-03-31T12:00:00[]', '2026-03-31T12.5'],
  ],
  ['a year that is a slip', ['0026-03-31', '0206-03-31', '1826-03-31', '3026-03-31', '+002026-03-31']],
  ['words', ['tomorrow', 'now', 'null', 'Invalid DateTime', 'Tue, 31 Mar 2026 23:30:00 -0700', 'March 31, 2026']],
])('refuses %s as a date', (_, texts) => {
  for (const text of texts) {
    expect([text, calendarDay(text, 'utc')]).toEqual([text, undefined]);
    expect([text, instant(text, 'utc')]).toEqual([text, undefined]);
  }
});

test.each([20260331, 1774915200000, 46112, true, {}, [], ['2026-03-31'], { toISO: '2026-03-31' }, NaN])(
  'refuses %p as a date',
  (given) => {
    expect(calendarDay(given, 'utc')).toBeUndefined();
    expect(instant(given, 'utc')).toBeUndefined();
    expect(read(given).problems).toEqual([
      {
        label: 'Invoice Date',
        found: expect.any(String) as string,
        allowed: 'must be a date, e.g. 2026-03-31 or 2026-03-31T23:30:00-07:00',
      },
    ]);
  },
);

test.each(['1900-01-01', '1999-12-31', '2000-02-29', '2028-02-29', '2999-12-31'])(
  'accepts %s as a calendar day',
  (given) => {
    expect(calendarDay(given, 'utc')).toBe(given);
  },
);

describe('luxon DateTimes', () => {
  const late = DateTime.fromISO('2026-12-31T23:30:00', { zone: 'America/New_York' });

  test('Luxon DateTimes keep the day in their own time zone', () => {
    expect(inEveryZone(late)).toEqual(ZONES.map(() => '2026-12-31'));
    expect(inEveryZone(late.toUTC())).toEqual(ZONES.map(() => '2027-01-01'));
    expect(inEveryZone(late.setZone('Asia/Kolkata'))).toEqual(ZONES.map(() => '2027-01-01'));
  });

  test("DateTimes from n8n's copy of Luxon are recognized by their text", () => {
    const foreign = {
      text: '2026-12-31T23:30:00.000-05:00',
      toISO(): string {
        return this.text;
      },
    };
    expect(inEveryZone(foreign)).toEqual(ZONES.map(() => '2026-12-31'));
    expect(instant(foreign, 'utc')?.toMillis()).toBe(late.toMillis());
  });

  test('invalid Luxon DateTimes are refused', () => {
    expect(calendarDay(DateTime.invalid('no reason'), 'utc')).toBeUndefined();
    expect(instant(DateTime.invalid('no reason'), 'utc')).toBeUndefined();
  });
});

describe('Date objects, which have no time zone', () => {
  const late = new Date('2027-01-01T04:30:00Z');

  test("Date objects become the day in the workflow's time zone", () => {
    expect(calendarDay(late, 'America/New_York')).toBe('2026-12-31');
    expect(calendarDay(late, 'Asia/Tokyo')).toBe('2027-01-01');
    expect(instant(late, 'Asia/Tokyo')?.toISO()).toBe('2027-01-01T13:30:00.000+09:00');
  });

  test('Date objects become a moment in the given time zone', () => {
    expect(instant(late, 'America/New_York')?.toISO()).toBe('2026-12-31T23:30:00.000-05:00');
  });

  test('invalid Date objects are refused', () => {
    expect(calendarDay(new Date(NaN), 'utc')).toBeUndefined();
    expect(instant(new Date(NaN), 'utc')).toBeUndefined();
  });
});

describe('moments', () => {
  const at = (value: unknown, timezone = 'America/Los_Angeles') => instant(value, timezone)?.toUTC().toISO();

  test.each([
    ['2026-03-31', '2026-03-31T07:00:00.000Z'],
    ['2026-03-31 14:05:06', '2026-03-31T21:05:06.000Z'],
    ['2026-03-31T14:05:06.789', '2026-03-31T21:05:06.789Z'],
    ['20260331T1405', '2026-03-31T21:05:00.000Z'],
    ['2026-03-31 14', '2026-03-31T21:00:00.000Z'],
  ])('reads %s without an offset in the given time zone', (given, wanted) => {
    expect(at(given)).toBe(wanted);
  });

  test.each([
    ['2026-03-31T00:00:00Z', '2026-03-31T00:00:00.000Z'],
    ['2026-03-31 00:00:00 utc', '2026-03-31T00:00:00.000Z'],
    ['2026-03-31 00:00:00 GMT', '2026-03-31T00:00:00.000Z'],
    ['2026-03-31T23:30:00-07:00', '2026-04-01T06:30:00.000Z'],
    ['2026-03-31 23:30:00,25 -0700', '2026-04-01T06:30:00.250Z'],
    ['20260331T233000+02', '2026-03-31T21:30:00.000Z'],
    ['2026-03-31T23:30:00\u221207:00', '2026-04-01T06:30:00.000Z'],
    ['2026-03-31T23:30:00+05:45', '2026-03-31T17:45:00.000Z'],
    ['2026-03-31T23:30-07:00[America/Los_Angeles]', '2026-04-01T06:30:00.000Z'],
  ])('reads %s with its offset', (given, wanted) => {
    expect(at(given, 'Asia/Tokyo')).toBe(wanted);
    expect(at(given)).toBe(wanted);
  });

  test('keeps the written offset', () => {
    expect(instant('2026-03-31T23:30:00-07:00', 'Asia/Tokyo')?.toISO()).toBe('2026-03-31T23:30:00.000-07:00');
    expect(instant('2026-03-31T23:30:00', 'Asia/Tokyo')?.toISO()).toBe('2026-03-31T23:30:00.000+09:00');
  });

  test.each([
    ['2026-03-31 14:05:06', '2026-03-31T21:05:06.000Z', '2026-03-31T21:05:06.000Z'],
    ['2026-03-31', '2026-03-31T07:00:00.000Z', '2026-04-01T06:59:59.999Z'],
    ['2026-03-31 00:00:00', '2026-03-31T07:00:00.000Z', '2026-04-01T06:59:59.999Z'],
    ['2026-03-31T00:00:00.000Z', '2026-03-31T00:00:00.000Z', '2026-04-01T06:59:59.999Z'],
    ['2026-03-31T00:00:00.001Z', '2026-03-31T00:00:00.001Z', '2026-03-31T00:00:00.001Z'],
    ['2026-11-01 01:30:00', '2026-11-01T08:30:00.000Z', '2026-11-01T09:30:00.000Z'],
    ['2026-11-01T01:30:00-08:00', '2026-11-01T09:30:00.000Z', '2026-11-01T09:30:00.000Z'],
  ])('reads %s as a moment from %s to %s', (given, first, last) => {
    const moments = momentsOf(given, 'America/Los_Angeles');
    expect(moments?.map((one) => one.toUTC().toISO())).toEqual([first, last]);
  });

  test("refuses a moment on a day that doesn't exist", () => {
    expect(at('2026-02-30T12:00:00Z')).toBeUndefined();
    expect(momentsOf('2026-02-30T12:00:00Z', 'utc')).toBeUndefined();
  });
});

describe('calendar day fields', () => {
  test('calendar day fields are sent as a timestamp', () => {
    expect(read('2026-03-31')).toEqual({ value: '2026-03-31T00:00:00.000Z', problems: [] });
    expect(read(new Date('2026-04-01T03:00:00Z'), 'America/New_York').value).toBe('2026-03-31T00:00:00.000Z');
  });

  test('calendar day fields send nothing if they are empty, and report an empty required value', () => {
    expect(read('')).toEqual({ value: undefined, problems: [] });
    const required = calendarDate({ name: 'd', label: 'D', description: '', required: true });
    const problems: Problem[] = [];
    expect(readField(required, {}, problems, { timezone: 'utc' })).toBeUndefined();
    expect(problems).toEqual([{ label: 'D', found: 'nothing', allowed: 'is required' }]);
  });

  test('the editor states that calendar day fields ignore time and time zone', () => {
    expect(field.property).toEqual({
      displayName: 'Invoice Date',
      name: 'date_invoice',
      description: 'Day on the invoice. The node ignores a time and time zone.',
      type: 'dateTime',
      default: '',
    });
    const { property: other } = calendarDate({ name: 'd', label: 'D', description: 'A day', default: '2026-01-01' });
    expect(other.description).toMatch(/^A day\. The node ignores a time and time zone\.$/);
    expect(other.default).toBe('2026-01-01');
  });
});

test.each([null, undefined, true, 'text', Symbol('toISO')])("doesn't treat %p as a DateTime", (given) => {
  expect(calendarDay(given, 'utc')).toBeUndefined();
});

test('moment fields add a sentence about time zones to the description', () => {
  const described = (description: string) => calendarDate({ name: 'd', label: 'D', description }).property.description;
  const wanted = 'e.g. the first. The node ignores a time and time zone.';
  expect(described('e.g. the first')).toBe(wanted);
  expect(described('e.g. the first.')).toBe(wanted);
});

describe('a process with its own time zone', () => {
  const { defaultZone } = Settings;
  beforeAll(() => void (Settings.defaultZone = 'Asia/Tokyo'));
  afterAll(() => void (Settings.defaultZone = defaultZone));

  test.each(['2026-03-31T12:00:00Z', '2026-03-31 12:00 utc', '2026-03-31T14:00+02:00'])(
    'reads %s as the same moment',
    (given) => {
      expect(instant(given, 'America/New_York')?.toMillis()).toBe(Date.UTC(2026, 2, 31, 12));
    },
  );

  test('reads days even if the process time zone does not exist', () => {
    Settings.defaultZone = 'Nowhere/Never';
    expect(calendarDay('2026-03-31', 'utc')).toBe('2026-03-31');
    expect(read('31.03.2026').problems[0]?.allowed).toContain('2026-03-31');
    expect(instant(new Date('2026-03-31T12:00:00Z'), 'utc')?.toISO()).toBe('2026-03-31T12:00:00.000Z');
  });
});

describe('month fields', () => {
  const month = calendarMonth({ name: 'date_invoice', label: 'Month', description: 'Month of the report.' });
  const readMonth = (value: unknown, timezone = 'utc') => {
    const problems: Problem[] = [];
    return { value: readField(month, { date_invoice: value as string }, problems, { timezone }), problems };
  };

  test.each([
    ['2026-03', '2026-03'],
    ['1999-12', '1999-12'],
    ['2000-10', '2000-10'],
    [' 2026-03 ', '2026-03'],
    ['03/2026', '2026-03'],
    ['12/1999', '1999-12'],
    ['10/2040', '2040-10'],
    ['2026-03-31', '2026-03'],
    ['2026-03-31T23:30:00-07:00', '2026-03'],
    ['20260331', '2026-03'],
  ])('reads %j as the month %s', (given, value) => {
    expect(readMonth(given)).toEqual({ value, problems: [] });
  });

  test("reads a Date object as the month in the workflow's time zone", () => {
    expect(readMonth(new Date('2027-01-01T04:30:00Z'), 'America/New_York').value).toBe('2026-12');
  });

  test.each(['2026-13', '2026-00', '2026-3', '13/2026', '00/2026', '1826-03', '03/1826', '03/3026', 202603])(
    'refuses %p as a month',
    (given) => {
      expect(readMonth(given)).toMatchObject({
        value: undefined,
        problems: [{ allowed: 'must be a month, e.g. 2026-03, or a date, e.g. 2026-03-31' }],
      });
    },
  );

  test.each(['2026-031', '2026-1201', '03/20261'])('refuses more digits than a month has: %j', (given) => {
    expect(readMonth(given).problems).toHaveLength(1);
  });

  test('month fields are text fields that are empty by default', () => {
    expect(month.property).toMatchObject({ type: 'string', default: '' });
    const other = calendarMonth({ name: 'm', label: 'M', description: '', default: '2026-01' });
    expect(other.property.default).toBe('2026-01');
  });
});

test('treats a day as today if it is today anywhere up to twelve hours behind UTC', () => {
  const { now } = Settings;
  try {
    Settings.now = () => Date.UTC(2026, 2, 31, 11, 59);
    expect(todayAtLeast().toISODate()).toBe('2026-03-30');
    Settings.now = () => Date.UTC(2026, 2, 31, 12);
    expect(todayAtLeast().toISODate()).toBe('2026-03-31');
  } finally {
    Settings.now = now;
  }
});

test("reads times of the service's records in Pacific time", () => {
  expect(REPORT_ZONE).toBe('America/Los_Angeles');
});

describe('a calendar day that defaults to today', () => {
  const start = calendarDateOrToday({ name: 'start', label: 'Start', description: 'First day.' });
  const readStart = (value: string, timezone: string, isExpression = false) => {
    const problems: Problem[] = [];
    const context = { timezone, isExpression: (name: string) => name === 'start' && isExpression };
    return { value: readField(start, { start: value }, problems, context), problems };
  };

  test.each(ZONES)('an empty date is the current day in %s', (zone) => {
    const day = DateTime.now().setZone(zone).toFormat('yyyy-MM-dd');
    expect(readStart(' ', zone)).toEqual({ value: `${day}T00:00:00.000Z`, problems: [] });
  });

  test('an entered date is sent as entered', () => {
    expect(readStart('2026-03-31', 'utc', true)).toEqual({ value: '2026-03-31T00:00:00.000Z', problems: [] });
  });

  test('an expression must return a date', () => {
    const problems = [{ label: 'Start', found: 'nothing', allowed: 'is required' }];
    expect(readStart('', 'utc', true)).toEqual({ value: undefined, problems });
  });

  test('a date that defaults to today has neither a default expression nor a required mark in the editor', () => {
    expect(start).toMatchObject({ required: true, property: { default: '' } });
    expect(start).not.toHaveProperty('property.required');
  });
});
