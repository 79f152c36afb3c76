import { Settings } from 'luxon';
import { NodeApiError, NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { now } from '../../../nodes/PaymentPlatform/fields/kinds/date';
import { today } from '../../../nodes/PaymentPlatform/limits/day-report';
import { timeZoneOf } from '../../../nodes/PaymentPlatform/n8n/read-parameter';
import { afterAuthorization } from '../../../nodes/PaymentPlatform/resources/transaction/still-possible';
import { SEARCHES } from '../../../nodes/PaymentPlatform/fields/searches';
import { search } from '../../../nodes/PaymentPlatform/search';
import { termsOf } from '../../../nodes/PaymentPlatform/search/engine/terms';
import { decode } from '../../../nodes/PaymentPlatform/service/decode-response';
import { ageProblem } from '../../../nodes/PaymentPlatform/trigger/delivery';
import { contextOf } from '../context';
import { editor } from '../search/service';

const inZone = (zone: string) => ({ ...contextOf({}), getTimezone: () => zone }) as IExecuteFunctions;

test.each(['UTC', 'utc', 'Europe/Berlin', 'America/New_York', 'Etc/GMT+5'])('accepts the time zone %s', (zone) => {
  expect(timeZoneOf(inZone(zone))).toBe(zone);
});

test.each(['Foo/Bar', '', ' ', 'DEFAULT', 'local', 'system', 'Europe/Berlin '])(
  'refuses the time zone "%s"',
  (zone) => {
    const refusal = () => timeZoneOf(inZone(zone));
    expect(refusal).toThrow(NodeOperationError);
    expect(refusal).toThrow(`The time zone "${zone}" does not exist`);
  },
);

test('cuts a long time zone in the message', () => {
  expect(() => timeZoneOf(inZone('x'.repeat(999)))).toThrow(`The time zone "${'x'.repeat(60)}" does not exist`);
});

test.each(SEARCHES)('a list in the editor names the time zone that does not exist: %s', async (name) => {
  const { context, asked } = editor({}, { timezone: 'Foo/Bar', customer: 'C1' });
  const error: unknown = await search(context, name).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(NodeApiError);
  expect(error).toMatchObject({
    message: 'The time zone "Foo/Bar" does not exist',
    description: expect.stringContaining('GENERIC_TIMEZONE') as string,
  });
  expect(asked).toEqual([]);
});

describe("while luxon's default time zone doesn't exist", () => {
  beforeEach(() => void (Settings.defaultZone = 'Foo/Bar'));
  afterEach(() => void (Settings.defaultZone = 'system'));

  test('the current time and day are valid', () => {
    expect([now().isValid, now('Europe/Berlin').isValid]).toEqual([true, true]);
    const { begins, ends } = today('UTC');
    expect(ends - begins).toBe(24 * 60 * 60 * 1000);
  });

  test('an event that is too old is rejected', () => {
    expect(ageProblem('2020-01-01 00:00:00', { mostMinutes: 60, isTest: false })).toBe('is older than 60 minutes');
  });

  test('a time in Retry-After is read', () => {
    const headers = { 'retry-after': new Date(Date.now() + 60_000).toUTCString() };
    const answer = decode('platform', { status: 429, headers, body: '' });
    expect(answer.ok ? undefined : answer.failure.retryAfterMs).toBeGreaterThan(50_000);
  });

  test('the deadline of an authorization is known', () => {
    expect(afterAuthorization({ pg_id: 'p' }).capturable_until).toMatch(/^\d{4}/);
  });

  test('a day in a search is recognized', () => {
    expect(termsOf('31 March 2026', now())[0]?.days).toEqual([{ day: 31, month: 3, year: 2026 }]);
  });
});
