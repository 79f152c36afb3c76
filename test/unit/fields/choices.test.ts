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

describe('yes or no', () => {
  const receipt = boolean({ name: 'email_receipt', label: 'Email Receipt', description: '' });

  test.each([true, 'true', 'TRUE', ' True ', 'yes', 'Yes', 1, '1'])('%j is yes', (given) => {
    expect(read(receipt, { email_receipt: given })).toEqual({ value: true, problems: [] });
  });

  test.each([false, 'false', 'FALSE', ' no ', 0, '0'])('%j is no', (given) => {
    expect(read(receipt, { email_receipt: given })).toEqual({ value: false, problems: [] });
  });

  test.each([2, -1, 'on', 'off', 'maybe', '1.0', {}, [], [true], ['true'], [1], NaN])('%p is neither', (given) => {
    expect(read(receipt, { email_receipt: given })).toEqual({
      value: undefined,
      problems: [{ label: 'Email Receipt', found: expect.any(String) as string, allowed: 'must be true or false' }],
    });
  });

  test.each(['', ' ', null, undefined])('%j says nothing', (given) => {
    expect(read(receipt, { email_receipt: given })).toEqual({ value: undefined, problems: [] });
  });
});

describe('one of a fixed set', () => {
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
  ])('%j is %j', (given, wanted) => {
    expect(read(kind, { kind: given })).toEqual({ value: wanted, problems: [] });
  });

  test.each([{ given: ['CASH'] }, { given: [0] }, { given: {} }, { given: true }, { given: 'Check' }, { given: 1 }])(
    '%j is none of them',
    ({ given }) => {
      expect(read(kind, { kind: given }).problems[0]?.allowed).toBe('must be one of: CASH (Cash), 0 (Weekly)');
    },
  );

  test('a value that a person might try is refused with the reason', () => {
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
  ])('%j is understood', (line_itemsMode, length) => {
    const { value, problems } = read(lineItems(), { ...both, line_itemsMode });
    expect({ problems, length: (value as unknown[]).length }).toEqual({ problems: [], length });
  });

  test('one object where a list is wanted is a list of one', () => {
    const given = { line_itemsMode: 'json', line_itemsJson: JSON.stringify(line) };
    expect(read(lineItems(), given)).toEqual({ value: [line], problems: [] });
  });

  test('a word that is neither is refused: what was given would be left out', () => {
    expect(read(lineItems(), { ...both, line_itemsMode: 'text' }).problems[0]).toMatchObject({
      label: 'Specify Line Items',
      found: '"text"',
    });
  });
});

describe('a length of time', () => {
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
  ])('of %j %s is %d seconds', (given, unit, wanted) => {
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
  ])('of %j %s is refused with the bounds', (given, unit) => {
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
  ])('of %j %s is told as one length of time: %s', (given, unit, found) =>
    expect(of(given, unit).problems[0]?.found).toBe(found),
  );

  test('is text in the editor, and "1,5" is no 15', () => {
    expect(editorProperties(lifetime)[0]).toMatchObject({ type: 'string', default: '' });
    expect(of('1,5', 'hours').problems).toEqual([
      {
        label: 'Expires',
        found: '"1,5", in hours',
        allowed: 'must be written with a point before its decimals: did you mean 1.5?',
      },
    ]);
  });

  test.each(['weeks', ['days'], 86_400])('in the unit %j is refused', (unit) => {
    expect(of(1, unit)).toMatchObject({ value: undefined, problems: [{ label: 'Unit' }] });
  });

  test('that is empty says nothing, whatever the unit', () => {
    expect(of('', 'weeks')).toEqual({ value: undefined, problems: [] });
  });
});

describe('the due date of an invoice', () => {
  const of = (parameters: Record<string, unknown>) => read(due(), parameters);

  test.each([
    ['a day', { date_due: '2026-03-31T00:00:00' }, { type: 'DATE', value: '2026-03-31' }],
    ['a number of days', { dueAfterDays: 30 }, { type: 'DAYS', value: '30' }],
    ['more days than a person would think of', { dueAfterDays: 1500 }, { type: 'DAYS', value: '1500' }],
    ['no day at all, at once', { dueAfterDays: '0', date_due: '' }, { type: 'DAYS', value: '0' }],
    ['nothing', { dueAfterDays: '', date_due: '' }, undefined],
  ])('may be %s', (_, given, value) => {
    expect(of(given)).toEqual({ value, problems: [] });
  });

  test.each([
    [{ date_due: '2026-02-30' }, 'Due Date'],
    [{ date_due: '30' }, 'Due Date'],
    [{ dueAfterDays: 30.5 }, 'Due After (Days)'],
    [{ dueAfterDays: -1 }, 'Due After (Days)'],
    [{ dueAfterDays: '2026-03-31' }, 'Due After (Days)'],
    [{ dueAfterDays: 30, date_due: '2026-03-31' }, 'Due Date'],
  ])('is never %j', (given, label) => {
    const { value, problems } = of(given);
    expect({ value, labels: problems.map((problem) => problem.label) }).toEqual({ value: undefined, labels: [label] });
  });
});
