import type { IExecuteFunctions } from 'n8n-workflow';

import { choice } from '../../../nodes/PaymentPlatform/fields/kinds/choice';
import { filters } from '../../../nodes/PaymentPlatform/fields/kinds/filters-and-sorting';
import { group, section } from '../../../nodes/PaymentPlatform/fields/kinds/group';
import { jsonObject } from '../../../nodes/PaymentPlatform/fields/kinds/json';
import { amount } from '../../../nodes/PaymentPlatform/fields/kinds/number';
import { text } from '../../../nodes/PaymentPlatform/fields/kinds/text';
import { when } from '../../../nodes/PaymentPlatform/fields/kinds/when';
import { expressionIn } from '../../../nodes/PaymentPlatform/n8n/read-parameter';
import { planItem } from '../../../nodes/PaymentPlatform/run/plan-item';
import type { Account, Operation } from '../../../nodes/PaymentPlatform/model/types';
import { contextOf, throws } from '../context';
import { operationOf } from '../requests';

const account = { environment: 'production', merchantId: '123456789012' } as Account;
const cost = amount({ name: 'amt_tran', label: 'Amount', description: '', required: true, money: true });
const paying = operationOf({ fields: [cost] });
const number = { matches: /^\d+$/, allowed: 'must be digits' };
const field = (name: string, more: object = {}) =>
  text({ name, label: `The ${name}`, description: '', pattern: number, ...more });

interface Given {
  operation?: Operation;
  from?: string;
  type?: string;
  gives?: unknown;
}

function advice(parameters: Record<string, unknown>, { operation = paying, from, type, gives = 'x' }: Given = {}) {
  const expressions = new Proxy({}, { get: () => () => gives });
  const context = {
    ...contextOf(parameters, { expressions, type }),
    getInputSourceData: () => {
      if (from === undefined) throw new Error('Source data is missing');
      return { previousNode: from };
    },
  } as unknown as IExecuteFunctions;
  const planned = planItem(context, operation, account, 0);
  if (!('failure' in planned)) throw new Error('It was not refused');
  return planned.failure.advice;
}

const USUAL = 'Correct the value, and then run the node again.';

describe('naming the node that provided a refused value', () => {
  test.each([
    ["{{ $('CRM').item.json.amount }}", '"CRM"'],
    ['{{ $("My \\"big\\" CRM").first().json.amount }}', '"My "big" CRM"'],
    ['{{ $(`CRM`).item.json.amount }}', '"CRM"'],
    ['{{ $( "CRM" ).all()[0].json.amount }}', '"CRM"'],
    ['{{ $node["CRM"].json.amount }}', '"CRM"'],
    ["{{ $node['CRM'].json.amount }}", '"CRM"'],
    ['{{ $node.CRM.json.amount }}', '"CRM"'],
    ['{{ $items("CRM")[0].json.amount }}', '"CRM"'],
    ['{{ $json.amount }}', '"Form"'],
    ['{{ $json["amount"] }}', '"Form"'],
    ['{{ $input.item.json.amount }}', '"Form"'],
    ['{{ $input.first().json.amount }}', '"Form"'],
    ['{{ $items()[0].json.amount }}', '"Form"'],
  ])('finds the node in %s', (code, node) => {
    expect(advice({ amt_tran: `=${code}` }, { from: 'Form' })).toBe(
      `The value comes from the node ${node} (${code}). Correct the value there, and then run the node again.`,
    );
  });

  test('names several nodes once each', () => {
    const code = `{{ $("A").item.json.a + $json.b + $("C").item.json.c + $("A").item.json.d }}`;
    expect(advice({ amt_tran: `=${code}` }, { from: 'B' })).toContain(
      'The value comes from the nodes "A", "C" and "B" ({{ $(',
    );
  });

  test('names no node if the previous one is unknown or provided no value', () => {
    for (const code of ['{{ $json.amount }}', '{{ "a" + 2 }}', '{{ $json.a + $("C").item.json.c }}'])
      expect(advice({ amt_tran: `=${code}` })).toBe(
        `The value comes from the expression ${code}. Correct the value there, and then run the node again.`,
      );
  });

  test('finds the node in an expression within text', () => {
    expect(advice({ amt_tran: '=USD {{ $json.amount }}' }, { from: 'CRM' })).toContain('(USD {{ $json.amount }})');
  });

  test('names the expression if the node returned nothing', () => {
    expect(advice({ amt_tran: '={{ $json.amuont }}' }, { from: 'CRM', gives: null })).toBe(
      'The value should come from the node "CRM" ({{ $json.amuont }}), which returned no value. Correct the value there or the expression here, and then run the node again.',
    );
  });

  test('shortens the expression to one line of 60 characters', () => {
    const code = `={{\n  $json\n    .${'a'.repeat(100)}\n}}`;
    expect(advice({ amt_tran: code }, { from: 'C'.repeat(100) })).toBe(
      `The value comes from the node "${'C'.repeat(57)}..." ({{ $json .${'a'.repeat(47)}...). Correct the value there, and then run the node again.`,
    );
  });
});

describe('refused values without a node', () => {
  test('names no node for a fixed value', () => {
    for (const value of ['x', '{{ $json.amount }}', '=x', ''])
      expect(advice({ amt_tran: value }, { from: 'CRM' })).toBe(USUAL);
  });

  test('names no node if the expression itself fails', () => {
    const context = contextOf({ amt_tran: '=fails {{ $json.a }}' }, { expressions: { 'fails {{ $json.a }}': throws } });
    expect(planItem(context, paying, account, 0)).toMatchObject({ failure: { advice: USUAL } });
  });
});

describe('several refused values', () => {
  const operation = operationOf({ fields: [field('a'), field('b'), field('c')] });

  test('groups several refused values of one expression', () => {
    const parameters = { a: '={{ $json.a }}', b: '={{ $("CRM").item.json.b }}', c: 'x' };
    expect(advice(parameters, { operation, from: 'Form' })).toBe(
      '"The a" comes from the node "Form" ({{ $json.a }}). "The b" comes from the node "CRM" ({{ $("CRM").item.json.b }}). Correct each value at its source, and then run the node again.',
    );
    expect(advice({ a: '={{ $json.a }}', b: '={{ $json.a }}' }, { operation, from: 'Form' })).toMatch(
      /^"The a" and "The b" come from the node "Form" \(\{\{ \$json\.a \}\}\)\. Correct each/,
    );
  });
});

describe('finding the parameter of a refused value', () => {
  const lines = group({
    name: 'line_items',
    label: 'Line Items',
    description: '',
    itemLabel: 'Line Item',
    type: 'list',
    topLevel: true,
    fields: [field('cost')],
    additional: [field('tax')],
  });
  const kind = choice({
    name: 'kind',
    label: 'Kind',
    description: '',
    place: 'node',
    options: [
      { name: 'A', value: 'a' },
      { name: 'B', value: 'b' },
    ],
  });
  const operation = operationOf({
    fields: [lines, kind, when(kind, ['a'], field('when'), { required: true })],
    additional: [
      field('extra'),
      field('technical', { technical: true }),
      section({ name: 'address', label: 'Address', fields: [field('zip')] }),
      group({ name: 'more', label: 'More', description: '', itemLabel: 'M', type: 'list', fields: [field('m')] }),
    ],
  });
  const CODE = '={{ $json.value }}';
  const FROM =
    'The value comes from the node "CRM" ({{ $json.value }}). Correct the value there, and then run the node again.';

  test.each([
    ['a field of a list', { line_items: { item: [{ cost: '1' }, { cost: CODE }] } }],
    ['a rare field of a list', { line_items: { item: [{ cost: '1', additionalFields: { tax: CODE } }] } }],
    ['a list as JSON', { line_itemsMode: 'json', line_itemsJson: CODE }],
    ['what applies while a choice is made', { kind: 'a', when: CODE }],
    ['an additional field', { additionalFields: { extra: CODE } }],
    ['a technical field', { additionalFields: { technical: CODE } }],
    ['a section', { additionalFields: { address: { zip: CODE } } }],
    ['a list in a collection', { additionalFields: { more: { given: { more: { item: [{ m: CODE }] } } } } }],
    ['its JSON', { additionalFields: { more: { given: { moreMode: 'json', moreJson: CODE } } } }],
    ['a choice', { kind: CODE }],
    ['an option that guards money', { options: { limitPerItem: CODE } }],
  ])('finds the parameter of a refused value: %s', (_, parameters) => {
    expect(advice({ ...parameters }, { operation, from: 'CRM' })).toBe(FROM);
  });

  test('finds the fields of a JSON list', () => {
    const parameters = { line_itemsMode: 'json', line_itemsJson: '={{ $json.lines }}' };
    const gives = [{ cost: 'x' }, { tax: 'x' }];
    expect(advice(parameters, { operation, from: 'CRM', gives })).toBe(
      '"Line Items 1 > The cost" and "Line Items 2 > The tax" come from the node "CRM" ({{ $json.lines }}). Correct each value at its source, and then run the node again.',
    );
  });

  test('finds the limit of a list, which has no field', () => {
    const list = operationOf({ list: { fields: [] } });
    expect(advice({ limit: CODE }, { operation: list, from: 'CRM' })).toBe(FROM);
    const filtered = operationOf({
      list: { fields: [] },
      fields: [filters({ name: 'filter', place: 'query' } as never, [])],
    });
    const filter = {
      item: [
        { field: 'a b', condition: 'IS', value: '1' },
        { field: CODE, condition: 'IS' },
      ],
    };
    expect(advice({ filter }, { operation: filtered, from: 'CRM', gives: 'a b' })).toContain(
      '> Field" comes from the node "CRM"',
    );
  });

  test('finds the target record of a request', () => {
    const locator = { __rl: true, mode: 'id', value: CODE };
    expect(advice({ amt_tran: locator }, { from: 'CRM' })).toBe(FROM);
  });

  test("doesn't confuse fields whose labels begin alike", () => {
    const street = operationOf({
      fields: [text({ name: 'a', label: 'Street', description: '' }), field('b', { label: 'Street 2' })],
    });
    expect(advice({ a: CODE, b: 'x' }, { operation: street, from: 'CRM' })).toBe(USUAL);
    const number = operationOf({
      fields: [text({ name: 'a', label: 'Card', description: '' }), field('b', { label: 'Card Number' })],
    });
    expect(advice({ a: CODE }, { operation: number, from: 'CRM', gives: { a: 1 } })).not.toBe('');
    expect(advice({ a: CODE, b: 'x' }, { operation: number, from: 'CRM' })).toBe(USUAL);
  });

  test('names an amount above a limit instead of the limit', () => {
    const parameters = { amt_tran: '={{ $json.amount }}', options: { limitPerItem: 3 } };
    expect(advice(parameters, { from: 'CRM', gives: 5 })).toBe(
      '"Amount" comes from the node "CRM" ({{ $json.amount }}). Correct the value there, and then run the node again.',
    );
  });
});

describe('private parts of expressions', () => {
  test.each([
    '4111 1111 1111 1111',
    '4111111111111111',
    '4111-1111-1111-1111',
    '4111" + "1111" + "1111" + "1111',
    '123456789',
  ])('hides digits that resemble a card or account number (%s)', (digits) => {
    const told = advice({ amt_tran: `={{ $json.a + "${digits}" }}` }, { from: 'CRM' });
    expect(told).toMatch(/^The value comes from the node "CRM" \(\{\{ \$json\.a \+ "x\d{4}" \}\}\)/);
  });

  test('hides digits in the name of a node', () => {
    expect(advice({ amt_tran: '={{ $json.a }}' }, { from: 'Card 4111 1111 1111 1111' })).toMatch(
      /^The value comes from the node "Card x1111" \(/,
    );
    const named = advice({ amt_tran: "={{ $('Card 4111 1111 1111 1111').item.json.a }}" });
    expect(named).toContain(`the node "Card x1111" ({{ $('Card x1111')`);
  });

  test('names only the node for a secret field', () => {
    const operation = operationOf({ fields: [field('cvv2', { secret: true })] });
    expect(advice({ cvv2: '={{ $json.cvv + "12x" }}' }, { operation, from: 'CRM' })).toBe(
      'The value comes from the node "CRM". Correct the value there, and then run the node again.',
    );
    expect(advice({ cvv2: '={{ "12x" }}' }, { operation, from: 'CRM' })).toBe(
      'The value comes from an expression. Correct the value there, and then run the node again.',
    );
  });

  test('shows only JSON expressions without literal values', () => {
    const operation = operationOf({ fields: [jsonObject({ name: 'body', label: 'Body', description: '' })] });
    const of = (body: string) => advice({ body }, { operation, from: 'CRM' });
    expect(of('={"cvv": "123", "amount": {{ $json.lines[0]["the amount"] }}}')).toContain(
      '"CRM" ({{ $json.lines[0]["the amount"] }}). Correct',
    );
    for (const code of ['{{ { cvv: "123" } }}', '{{ { cvv: 123, a: $json.a } }}', '{{ $json.a }} {{ $json.b }}'])
      expect(of(`=${code}`)).not.toContain('{{');
  });

  test("hides the request's secrets in expressions", () => {
    const operation = operationOf({ fields: [field('cvv2', { secret: true }), field('a')] });
    const parameters = { cvv2: '987', a: '={{ $json.note + "987" }}' };
    expect(advice(parameters, { operation, from: 'CRM' })).toContain('({{ $json.note + "***" }})');
  });
});

describe("refused values in an agent's tool", () => {
  const type = 'paymentPlatformTool';
  const guards = { testEnvironmentOnly: false, limitPerItem: 50, limitPerExecution: 50 };
  const told = (code: string, more: Given = {}) => advice({ amt_tran: code, ...guards }, { type, ...more });
  const INVITES = /again|retry|correct the value|repeat/i;

  test("says that the model filled in the value and doesn't suggest another call", () => {
    for (const code of [
      '={{ $fromAI("amount") }}',
      "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('Amount', ``, 'number') }}",
    ]) {
      expect(told(code)).toBe('The model provided this value.');
      expect(told(code, { gives: '' })).toBe('The model provided no value for this value.');
    }
    const operation = operationOf({ fields: [field('a'), field('b'), field('c')] });
    const parameters = { a: '={{ $fromAI("a") }}', b: '={{ $fromAI("b") }}', c: '={{ $json.c }}' };
    const several = advice({ ...parameters, ...guards }, { type, operation, from: 'CRM' });
    expect(several).toMatch(/^The model provided "The a" and "The b"\. "The c" comes from the expression/);
    expect(several).not.toMatch(INVITES);
  });

  test('asks the user to correct other values', () => {
    expect(told("={{ $('CRM').item.json.amount }}")).toBe(
      `The value comes from the node "CRM" ({{ $('CRM').item.json.amount }}). Only a person can change this value.`,
    );
    expect(told('={{ $json.amount }}')).not.toMatch(INVITES);
  });

  test("doesn't say whether the model or a node gave the agent's input", () => {
    expect(told('={{ $json.amount }}', { from: 'Agent' })).toBe(
      'The value comes from the expression {{ $json.amount }}. Only a person can change this value.',
    );
  });

  test('reports a guard with an expression like other refused values', () => {
    const parameters = { amt_tran: 4, ...guards, limitPerItem: '={{ $fromAI("limit") }}' };
    expect(advice(parameters, { type })).toBe(USUAL);
  });
});

test("doesn't treat text without the equals sign and braces as an expression", () => {
  for (const value of ['{{ $json.a }}', '=a', 5, undefined, { a: '={{ $json.a }}' }])
    expect(expressionIn(value)).toBeUndefined();
});
