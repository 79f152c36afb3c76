import type { IDataObject } from 'n8n-workflow';

import { boolean, choice } from '../../../nodes/PaymentPlatform/fields/kinds/choice';
import { duration } from '../../../nodes/PaymentPlatform/fields/kinds/duration';
import { editorProperties } from '../../../nodes/PaymentPlatform/fields/editor';
import { readField } from '../../../nodes/PaymentPlatform/fields/read-field';
import type { Field, Problem } from '../../../nodes/PaymentPlatform/fields/types';
import { due } from '../../../nodes/PaymentPlatform/resources/invoice/due';
import { lineItems } from '../../../nodes/PaymentPlatform/resources/invoice/fields';

const read = (field: Field, parameters: Record<string, unknown>) => {
  const problems: Problem[] = [];
  return { value: readField(field, parameters as IDataObject, problems, { timezone: 'utc' }), problems };
};

describe('switches', () => {
  const receipt = boolean({ name: 'email_receipt', label: 'Email Receipt', description: '' });

  test.each([true, 'true', 'TRUE', ' True ', 'yes', 'Yes', 1, '1'])('reads %j as a switch that is on', (given) => {
    expect(read(receipt, { email_receipt: given })).toEqual({ value: true, problems: [] });
  });

  test.each([false, 'false', 'FALSE', ' no ', 0, '0'])('reads %j as a switch that is off', (given) => {
    expect(read(receipt, { email_receipt: given })).toEqual({ value: false, problems: [] });
  });

  test.each([2, -1, 'on', 'off', 'maybe', '1.0', {}, [], [true], ['true'], [1], NaN])(
    'refuses %p as a switch',
    (given) => {
      expect(read(receipt, { email_receipt: given })).toEqual({
        value: undefined,
        problems: [{ label: 'Email Receipt', found: expect.any(String) as string, allowed: 'must be true or false' }],
      });
    },
  );

  test.each(['', ' ', null, undefined])('treats %j as a missing value', (given) => {
    expect(read(receipt, { email_receipt: given })).toEqual({ value: undefined, problems: [] });
  });
});

describe('choices', () => {
  const kind = choice({
    name: 'kind',
    label: 'Kind',
    description: '',
    options: [
      { name: 'Cash', value: 'CASH' },
      { name: 'Weekly', value: 0 },
    ],
    refused: { CARD: 'can not be CARD' },
  });

  test.each([
    ['CASH', 'CASH'],
    ['cash', 'CASH'],
    [' Cash ', 'CASH'],
    ['weekly', 0],
    ['0', 0],
    [0, 0],
  ])('reads the choice %j as %j', (given, wanted) => {
    expect(read(kind, { kind: given })).toEqual({ value: wanted, problems: [] });
  });

  test.each([{ given: ['CASH'] }, { given: [0] }, { given: {} }, { given: true }, { given: 'Check' }, { given: 1 }])(
    'refuses %j as a choice',
    ({ given }) => {
      expect(read(kind, { kind: given }).problems[0]?.allowed).toBe('must be one of: CASH (Cash), 0 (Weekly)');
    },
  );

  test('refuses an unavailable value with the reason', () => {
    expect(read(kind, { kind: 'card' }).problems[0]?.allowed).toBe('can not be CARD');
  });
});

describe('the switch between fields and JSON', () => {
  const line = { quantity: 1, description: 'Work', unit_cost: 2 };
  const both = { line_items: { item: [line] }, line_itemsJson: [line, line] };

  test.each([
    ['json', 2],
    ['JSON', 2],
    ['Using JSON', 2],
    ['fields', 1],
    ['Using fields below', 1],
    ['', 1],
    [undefined, 1],
  ])('accepts %j as the mode', (line_itemsMode, length) => {
    const { value, problems } = read(lineItems(), { ...both, line_itemsMode });
    expect({ problems, length: (value as unknown[]).length }).toEqual({ problems: [], length });
  });

  test('accepts a single object as a list with one entry', () => {
    const given = { line_itemsMode: 'json', line_itemsJson: JSON.stringify(line) };
    expect(read(lineItems(), given)).toEqual({ value: [line], problems: [] });
  });

  test('refuses an unknown mode instead of dropping the given objects', () => {
    expect(read(lineItems(), { ...both, line_itemsMode: 'text' }).problems[0]).toMatchObject({
      label: 'Specify Line Items',
      found: '"text"',
    });
  });
});

describe('durations', () => {
  const lifetime = duration({
    name: 'secs',
    label: 'Expires',
    description: '',
    unitLabel: 'Unit',
    least: 900,
    most: 7_776_000,
  });
  const of = (secs: unknown, secsUnit: unknown = 'days') => read(lifetime, { secs, secsUnit });

  test.each([
    [90, 'days', 7_776_000],
    ['0.25', 'hours', 900],
    [0.1, 'days', 8_640],
    ['900', 'Seconds', 900],
    [15, 'MINUTES', 900],
    [0.7, 'days', 60_480],
  ])('reads %j %s as %d seconds', (given, unit, wanted) => {
    expect(of(given, unit)).toEqual({ value: wanted, problems: [] });
  });

  test.each([
    [90.000012, 'days'],
    [899, 'seconds'],
    [900.5, 'seconds'],
    ['900.0000001', 'seconds'],
    [1 / 3, 'hours'],
    [-1, 'days'],
    ['1,5 to 2', 'hours'],
    [true, 'days'],
    [[15], 'minutes'],
    [2 ** 53, 'seconds'],
  ])('refuses %j %s with the bounds', (given, unit) => {
    expect(of(given, unit)).toEqual({
      value: undefined,
      problems: [
        {
          label: 'Expires',
          found: expect.stringMatching(new RegExp(` ${unit}$`)) as string,
          allowed: 'must be from 15 minutes to 90 days',
        },
      ],
    });
  });

  test.each([
    ['5', 'minutes', '5 minutes'],
    [5, 'minutes', '5 minutes'],
    ['1', 'minutes', '1 minute'],
    ['91', 'days', '91 days'],
    ['soon', 'days', '"soon", in days'],
  ])('describes %j %s as a duration: %s', (given, unit, found) =>
    expect(of(given, unit).problems[0]?.found).toBe(found),
  );

  test('a duration is a text parameter, so that "1,5" doesn\'t become 15', () => {
    expect(editorProperties(lifetime)[0]).toMatchObject({ type: 'string', default: '' });
    expect(of('1,5', 'hours').problems).toEqual([
      {
        label: 'Expires',
        found: '"1,5", in hours',
        allowed: 'must be written with a decimal point. Did you mean 1.5?',
      },
    ]);
  });

  test.each(['weeks', ['days'], 86_400])('refuses the unit %j', (unit) => {
    expect(of(1, unit)).toMatchObject({ value: undefined, problems: [{ label: 'Unit' }] });
  });

  test('sends nothing for an empty duration with any unit', () => {
    expect(of('', 'weeks')).toEqual({ value: undefined, problems: [] });
  });
});

describe('due dates of invoices', () => {
  const of = (parameters: Record<string, unknown>) => read(due(), parameters);

  test('describes an invoice with no due date or invoice date as due today', () => {
    const texts = editorProperties(due()).map(({ displayName, description }) => `${displayName}: ${description}`);
    expect(texts).toContainEqual(expect.stringMatching(/^Due Date: .*which is today unless you enter one\./));
  });

  test.each([
    ['a day', { date_due: '2026-03-31T00:00:00' }, { type: 'DATE', value: '2026-03-31' }],
    ['a number of days', { dueAfterDays: 30 }, { type: 'DAYS', value: '30' }],
    ['more days than a person would think of', { dueAfterDays: 1500 }, { type: 'DAYS', value: '1500' }],
    ['no day at all, at once', { dueAfterDays: '0', date_due: '' }, { type: 'DAYS', value: '0' }],
    ['nothing', { dueAfterDays: '', date_due: '' }, undefined],
  ])('accepts the due date as %s', (_, given, value) => {
    expect(of(given)).toEqual({ value, problems: [] });
  });

  test.each([
    [{ date_due: '2026-02-30' }, 'Due Date'],
    [{ date_due: '30' }, 'Due Date'],
    [{ dueAfterDays: 30.5 }, 'Due After (Days)'],
    [{ dueAfterDays: -1 }, 'Due After (Days)'],
    [{ dueAfterDays: '2026-03-31' }, 'Due After (Days)'],
    [{ dueAfterDays: 30, date_due: '2026-03-31' }, 'Due Date'],
  ])('refuses the due date %j', (given, label) => {
    const { value, problems } = of(given);
    expect({ value, labels: problems.map((problem) => problem.label) }).toEqual({ value: undefined, labels: [label] });
  });
});
