import { DateTime } from 'luxon';

import { earlierCutoff, isAbove, isAfterCutoff, type Cutoff } from '../../../nodes/PaymentPlatform/lookup/cutoff';

const at = (time: string) => DateTime.fromISO(time, { zone: 'utc' });
const list = { path: '/list', identity: 'id', newestBy: 'id' };
const timed = { list, time: ({ made }: { made?: unknown }) => (typeof made === 'string' ? at(made) : undefined) };

test.each<[string, string, boolean]>([
  ['10', '9', true],
  ['9', '10', false],
  ['9', '9', false],
  ['426351789012000002', '426351789012000001', true],
  ['010', '9', true],
  ['A2', 'A1', false],
  ['', '0', false],
])('compares the ID %s with %s as numbers of any length: %s', (id, other, expected) =>
  expect(isAbove(id, other)).toBe(expected),
);

test('decides by the time of a record if it has one', () => {
  const since: Cutoff = { at: at('2030-01-01T10:00'), above: '5' };
  expect(isAfterCutoff({ id: 1, made: '2030-01-01T10:00' }, timed, since)).toBe(true);
  expect(isAfterCutoff({ id: 9, made: '2030-01-01T09:59' }, timed, since)).toBe(false);
  expect(isAfterCutoff({ id: 9 }, timed, since)).toBe(false);
});

test('decides by the ID of a record without a time, and otherwise not at all', () => {
  const since = (above: string | undefined): Cutoff => ({ at: at('2030-01-01T10:00'), above });
  expect(isAfterCutoff({ id: 6 }, { list }, since('5'))).toBe(true);
  expect(isAfterCutoff({ id: 5 }, { list }, since('5'))).toBe(false);
  expect(isAfterCutoff({ id: 6 }, { list }, since(undefined))).toBe(false);
});

test('treats a record with a fixed path as new if none existed before', () => {
  const record = { list: { path: '/record', identity: '' } };
  expect(isAfterCutoff({}, record, { at: at('2030-01-01T10:00'), above: '0' })).toBe(true);
  expect(isAfterCutoff({}, record, { at: at('2030-01-01T10:00'), above: undefined })).toBe(false);
});

test('combines two cutoffs to the earlier one', () => {
  const [one, other]: Cutoff[] = [
    { at: at('2030-01-01T10:00'), above: '9' },
    { at: at('2030-01-01T09:00'), above: '10' },
  ];
  expect(one && other && earlierCutoff(one, other)).toEqual({ at: at('2030-01-01T09:00'), above: '9' });
});
