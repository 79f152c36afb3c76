import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

const STEPS = {
  named: ['.value', '.a', '.deep', '.list', '.length', '.gone', '.$x', '.é', ' .a', '?.a', '.a()', '.a // a'],
  inherited: ['.toString', '.constructor', '.__proto__', "['toString']"],
  bracketed: ["['value']", '["a"]', "['a b']", '["="]', "['']", "['a' + 'b']", '["a\\"b"]', '[a]', '["{a}"]', '["}}"]'],
  indexed: ['[0]', '[1]', '[01]', '[-1]', '[0.5]'],
};
const NAMES = {
  words: ['value', 'a', 'deep', 'list', 'length', 'é', '$x'],
  others: ['a b', '=', '', '{a}', '}}', '0', '1', '01', '-1'],
};

/** Generator of the text after `$json` in an expression. */
export const pathOfField: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...Object.values(STEPS).flat()), { minLength: 1, maxLength: 3 })
  .map((steps) => steps.join(''));

const single = fc.oneof(
  fc.oneof(fc.string(), fc.constantFrom('', '=x', '={{ 1 }}', 'é', '2030-01-01', '0012')),
  fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(1e21, 2 ** 53)),
  fc.constantFrom(true, false, null),
);

export const { fields: fieldsOfItem } = fc.letrec<{ fields: IDataObject }>((tie) => ({
  fields: fc.dictionary(
    fc.constantFrom(...Object.values(NAMES).flat()),
    fc.oneof(
      { depthSize: 'small' },
      single,
      tie('fields'),
      fc.array(fc.oneof(single, tie('fields')), { maxLength: 2 }),
    ),
    { noNullPrototype: true, maxKeys: 4 },
  ) as fc.Arbitrary<IDataObject>,
}));

function pathsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [''];
  return Object.entries(value).flatMap(([name, inner]) => {
    const word = /^[a-z]+$/.test(name) ? `.${name}` : `['${name}']`;
    return pathsIn(inner).map((rest) => `${Array.isArray(value) ? `[${name}]` : word}${rest}`);
  });
}

const BEGINNINGS = [
  '={{$json',
  '={{  $json',
  '={{\n$json',
  '= {{ $json',
  '=a {{ $json',
  '={{ ($json',
  '={{ -$json',
  '={{ $JSON',
];
const ENDS = ['}}', '\n}}', ' }} ', ' }}{{ 1 }}', ') }}', ' + 1 }}', ' // }}', ' }'];
const around = fc.oneof(
  { weight: 4, arbitrary: fc.constant(['={{ $json', ' }}'] as const) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...BEGINNINGS), fc.constantFrom(' }}', ...ENDS)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('={{ $json'), fc.constantFrom(...ENDS)) },
);

/** Generator of an item and an expression, which usually reads a field of the item. */
export const itemAndExpression: fc.Arbitrary<{ json: IDataObject; expression: string }> = fc
  .tuple(fieldsOfItem, around)
  .chain(([json, [begin, end]]) =>
    fc.record({
      json: fc.constant(json),
      expression: fc.oneof(pathOfField, fc.constantFrom('.a', ...pathsIn(json))).map((path) => `${begin}${path}${end}`),
    }),
  );
