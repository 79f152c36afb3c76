import type { IDataObject } from 'n8n-workflow';

import { extraBody } from '../../../nodes/PaymentPlatform/model/extra-fields';
import { nameList, nameValuePairs } from '../../../nodes/PaymentPlatform/fields/kinds/multiple-values';
import { locator } from '../../../nodes/PaymentPlatform/fields/kinds/locator';
import { openChoice } from '../../../nodes/PaymentPlatform/fields/kinds/choice';
import { alteredNumberIn, isRounded, lostNumberIn } from '../../../nodes/PaymentPlatform/fields/kinds/number';
import { text } from '../../../nodes/PaymentPlatform/fields/kinds/text';
import { readField } from '../../../nodes/PaymentPlatform/fields/read-field';
import type { Field, Problem } from '../../../nodes/PaymentPlatform/fields/types';
import { lineItems } from '../../../nodes/PaymentPlatform/resources/invoice/fields';
import { api } from '../../../nodes/PaymentPlatform/resources/api';

const read = (field: Field, parameters: Record<string, unknown>) => {
  const problems: Problem[] = [];
  return { value: readField(field, parameters as IDataObject, problems, { timezone: 'utc' }), problems };
};
const ADVICE =
  /must be text, because numbers of this length are rounded\. In a spreadsheet, format the column .* in quotes$/;

const id = text({ name: 'id', label: 'ID', description: '' });

test.each([2 ** 53, -(2 ** 53), 426351789012345660, 1e21, 1e300])(
  'recognizes that JavaScript rounded the number %d',
  (given) => {
    expect(isRounded(given)).toBe(true);
    expect(read(id, { id: given })).toEqual({
      value: undefined,
      problems: [
        { label: 'ID', found: expect.any(String) as string, allowed: expect.stringMatching(ADVICE) as string },
      ],
    });
  },
);

test.each([
  [2 ** 53 - 1, '9007199254740991'],
  [-(2 ** 53 - 1), '-9007199254740991'],
  [4111111111111111, '4111111111111111'],
  [1001.5, '1001.5'],
  [0, '0'],
])('converts the exact number %d to text', (given, wanted) => {
  expect(isRounded(given)).toBe(false);
  expect(read(id, { id: given })).toEqual({ value: wanted, problems: [] });
});

test.each(['4.26352E+17', '4,26352E+17', '4e+17', ' 1E+15 '])(
  'recognizes %j as an ID that a spreadsheet rounded',
  (given) => {
    expect(read(id, { id: given }).problems[0]?.allowed).toMatch(ADVICE);
  },
);

test.each(['4E17', 'E+17', '4.26352E+17 x', 'x 4E+17', '426351789012345678', 'A1E+5', '1E+'])(
  'accepts the text %j',
  (given) => {
    expect(read(id, { id: given })).toEqual({ value: given, problems: [] });
  },
);

test('keeps all digits of a BigInt', () => {
  expect(read(id, { id: 426351789012345678n })).toEqual({ value: '426351789012345678', problems: [] });
});

test.each([NaN, Infinity, -Infinity, {}, [], ['1'], () => 1, Symbol('1')])('refuses %p as text', (given) => {
  expect(read(id, { id: given }).problems[0]?.allowed).toBe('must be text');
});

test('describes long numbers and secrets without any digit', () => {
  expect(read(id, { id: 426351789012345660 }).problems[0]?.found).toBe('a number of 18 digits');
  const secret = text({ name: 'id', label: 'ID', description: '', secret: true });
  expect(read(secret, { id: 426351789012345660 }).problems[0]?.found).toBe('a value of 18 characters');
});

test('refuses a rounded number in a resource locator', () => {
  const field = locator({ name: 'id', label: 'ID', description: '', search: 'searchSales' });
  expect(read(field, { id: { __rl: true, mode: 'id', value: 426351789012345660 } }).problems[0]?.allowed).toMatch(
    ADVICE,
  );
});

test('refuses rounded numbers in lists of names and open choices', () => {
  const names = nameList({ name: 'id', label: 'ID', description: '' });
  expect(read(names, { id: [12, 426351789012345660] }).problems).toHaveLength(1);
  expect(read(names, { id: [NaN] }).problems).toHaveLength(1);
  expect(read(names, { id: [true] }).problems).toHaveLength(1);
  const pattern = { matches: /^\d+$/, allowed: 'must be digits' };
  const field = openChoice({ name: 'id', label: 'ID', description: '', pattern }, { default: '' });
  expect(read(field, { id: 12 }).value).toBe('12');
  expect(read(field, { id: 426351789012345660 }).problems).toHaveLength(1);
});

describe('name and value pairs', () => {
  const echo = nameValuePairs({ name: 'echo', label: 'Echo', description: '' });

  test.each([
    ['fields', { echo: { item: [{ name: 'sale', value: 426351789012345660 }] } }],
    ['an expression', { echoMode: 'json', echoJson: [{ name: 'sale', value: 426351789012345660 }] }],
  ])('name and value pairs refuse a number that has lost digits in %s', (_, parameters) => {
    expect(read(echo, parameters).problems).toEqual([
      { label: 'Echo 1 > Value', found: 'a number of 18 digits', allowed: expect.stringMatching(ADVICE) as string },
    ]);
  });

  test.each(['"426351789012345678"', '426351789012345678'])(
    'name and value pairs keep all digits of %s in JSON text',
    (value) => {
      expect(read(echo, { echoMode: 'json', echoJson: `[{"name":"sale","value":${value}}]` })).toEqual({
        value: '[{"name":"sale","value":"426351789012345678"}]',
        problems: [],
      });
    },
  );
});

describe('line items as JSON text', () => {
  const json = (line: string) => read(lineItems(), { line_itemsMode: 'json', line_itemsJson: `[${line}]` });

  test('line items as JSON text refuse an amount with more digits than a number keeps', () => {
    const { problems } = json('{"quantity":1,"description":"Work","unit_cost":12.500000000000000001}');
    expect(problems).toEqual([
      { label: 'Line Items (JSON)', found: 'x0001', allowed: expect.stringMatching(ADVICE) as string },
    ]);
  });

  test('line items as JSON text keep the digits of text written as a number', () => {
    const { value, problems } = json('{"quantity":1,"description":426351789012345678,"unit_cost":12.5}');
    expect({ value, problems }).toEqual({
      value: [{ quantity: 1, description: '426351789012345678', unit_cost: 12.5 }],
      problems: [],
    });
  });

  test('in line items as JSON text, the field of an overlong amount is named', () => {
    const { problems } = json('{"quantity":1,"description":"Work","unit_cost":426351789012345678}');
    expect(problems.map(({ label }) => label)).toEqual(['Line Items 1 > Unit Cost']);
  });

  test('line items as JSON text accept amounts as programs print them', () => {
    const { value, problems } = json('{"quantity":1.0,"description":"Work 426351789012345678","unit_cost":12.500}');
    expect({ value, problems }).toEqual({
      value: [{ quantity: 1, description: 'Work 426351789012345678', unit_cost: 12.5 }],
      problems: [],
    });
  });
});

const body = api.operations[0]?.fields.find(({ name }) => name === 'body');

describe.each([
  ['Extra Body Fields (JSON)', extraBody],
  ['Body', body as Field],
])('lost digits in %s', (label, field) => {
  const given = (value: unknown) => read(field, { [field.name]: value });

  test.each([
    ['{"sale":426351789012345678}', { sale: '426351789012345678' }],
    ['{"a":{"b":[1,{"id":-426351789012345678}]}}', { a: { b: [1, { id: '-426351789012345678' }] } }],
    ['{"list":[[1],[2,9007199254740992]]}', { list: [[1], [2, '9007199254740992']] }],
  ])('all digits of %s in JSON text are kept', (json, value) => {
    expect(given(json)).toEqual({ value, problems: [] });
  });

  test('refuses a decimal in JSON text with more digits than a number keeps', () => {
    const { value, problems } = given('{"factor":0.12345678901234567891}');
    expect(value).toBeUndefined();
    expect(problems).toEqual([
      {
        label,
        found: expect.any(String) as string,
        allowed: expect.stringMatching(ADVICE) as string,
      },
    ]);
    expect(problems[0]?.found).not.toMatch(/\d{12}/);
  });

  test.each([
    [{ sale: 426351789012345660 }, ' > sale'],
    [{ a: [{ b: { c: 2 ** 53 } }] }, ' > a 1 > b > c'],
    [{ sale: 426351789012345678n }, ' > sale'],
  ])('refuses number %# in an object and names its position', (object, place) => {
    expect(given(object).problems).toEqual([
      {
        label: `${label}${place}`,
        found: expect.any(String) as string,
        allowed: expect.stringMatching(ADVICE) as string,
      },
    ]);
  });

  test.each([NaN, Infinity])("refuses %d in an object, because JSON can't represent it", (number) => {
    expect(given({ a: { b: number } }).problems).toEqual([
      {
        label: `${label} > a > b`,
        found: String(number),
        allowed: 'must be a number that JSON can represent',
      },
    ]);
  });

  test.each([
    '{"sale":"426351789012345678","amt_tran":12.50,"n":9007199254740991,"zero":0,"e":1.5e3,"small":0.000001}',
    '{"text":"he said \\"426351789012345678\\" twice","path":"c:\\\\","n":-1}',
    '{"printed in full":0.10000000000000001,"by PHP":12.300000000000001}',
  ])('accepts the JSON %s unchanged', (json) => {
    expect(given(json)).toEqual({ value: JSON.parse(json) as IDataObject, problems: [] });
  });

  test("refuses text that isn't a JSON object, and the message doesn't show the text", () => {
    for (const wrong of ['{"a":', '[1]', '7', 7, 'null', []])
      expect(given(wrong).problems).toEqual([
        {
          label,
          found: expect.stringMatching(/^a value of \d+ characters$/) as string,
          allowed: expect.stringContaining('must be a JSON object') as string,
        },
      ]);
  });

  test('checks JSON that is nested deeper than function calls can be', () => {
    const deep = `${'{"a":'.repeat(5_000)}1e400${'}'.repeat(5_000)}`;
    expect(given(deep).problems).toHaveLength(1);
  });
});

test('the search for numbers ignores dates and objects that contain themselves', () => {
  const round: Record<string, unknown> = { at: { seconds: 2 ** 60, toJSON: () => '2026-03-31' } };
  round.self = round;
  expect(lostNumberIn(round)).toBeUndefined();
});

test('names the first of several rounded numbers in reading order', () => {
  expect(lostNumberIn({ a: 1, b: [1e20, 1e21], c: 1e22 })?.place).toBe(' > b 1');
});

test.each([
  ['1', false],
  ['100', false],
  ['-0.0', false],
  ['0.30000000000000004', false],
  ['123456789012345', false],
  ['12345678901234.50', false],
  ['9007199254740991', false],
  ['9007199254740993', false],
  ['4503599627370497.4', true],
  ['0.300000000000000041', true],
  ['1e400', true],
  ['1e-400', true],
  ['1E5', false],
])('detects whether parsing changes the number %s in JSON text: %p', (number, altered) => {
  expect(alteredNumberIn(`{"a":"1e400","b":[${number}]}`) !== undefined).toBe(altered);
});

describe('the rule for lost digits', () => {
  test.each([null, undefined, true, {}, [], 5n])('accepts %p as a value without lost digits', (given) => {
    expect(isRounded(given)).toBe(false);
  });

  test('recognizes several digits before the exponent as rounded by a spreadsheet', () => {
    expect(isRounded('426E+15')).toBe(true);
    expect(isRounded('426.351E+15')).toBe(true);
  });

  test('ignores text, empty values and objects with toJSON', () => {
    expect(
      lostNumberIn({ a: '4.26E+17', b: null, c: undefined, d: { toJSON: () => 'x', n: 2 ** 60 } }),
    ).toBeUndefined();
    expect(lostNumberIn({ a: null, b: 2 ** 60 })).toMatchObject({ place: ' > b' });
  });

  test('shortens a long name in a message', () => {
    expect(lostNumberIn({ ['n'.repeat(100)]: NaN })?.place).toBe(` > ${'n'.repeat(60)}`);
  });

  test('accepts JSON text without numbers or with a very small number', () => {
    for (const json of ['', '{}', 'true', '"426351789012345678"', '0.00000000000000000001234'])
      expect(alteredNumberIn(json)).toBeUndefined();
  });
});
