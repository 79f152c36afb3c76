import type { INodeProperties } from 'n8n-workflow';

import { isShownFor } from '../../shown-for';
import { PaymentPlatform } from '../../../nodes/PaymentPlatform/PaymentPlatform.node';
import { shareParameters } from '../../../nodes/PaymentPlatform/panel/share-parameters';
import { operationParameters } from '../../../nodes/PaymentPlatform/panel/node-properties';
import { resources } from '../../../nodes/PaymentPlatform/resources';

const parameter = (name: string, more: Partial<INodeProperties> = {}): INodeProperties => ({
  displayName: name,
  name,
  type: 'string',
  default: '',
  ...more,
});
const panel = (path: string, properties: INodeProperties[]) => {
  const [resource = '', operation = ''] = path.split('.');
  return { chosen: { resource, operation }, properties };
};
const shown = (properties: INodeProperties[]) => properties.map(({ name, displayOptions }) => [name, displayOptions]);

test('declares a parameter once for several operations', () => {
  const own = () => parameter('simplify');
  expect(shown(shareParameters([panel('a.get', [own()]), panel('b.get', [own()]), panel('b.list', [own()])]))).toEqual([
    ['simplify', { show: { operation: ['get', 'list'], resource: ['a', 'b'] } }],
  ]);
});

test("doesn't show a shared parameter for other combinations of resource and operation", () => {
  const panels = [
    panel('a.get', [parameter('x')]),
    panel('a.list', []),
    panel('b.get', []),
    panel('b.list', [parameter('x')]),
  ];
  const declared = shareParameters(panels);
  expect(panels.map(({ chosen }) => declared.filter((one) => isShownFor(chosen, one)).length)).toEqual([1, 0, 0, 1]);
});

test('shares the longer parameter if two operations show the same parameters in a different order', () => {
  const short = () => parameter('short');
  const long = () => parameter('long', { description: 'Has a long description' });
  const declared = shareParameters([panel('a.create', [long(), short()]), panel('a.update', [short(), long()])]);
  expect(declared.map(({ name }) => name)).toEqual(['short', 'long', 'short']);
});

test('lists the operations without a parameter if they are fewer', () => {
  const names = ['create', 'update', 'cancel', 'send', 'resend'];
  const panels = [...names.map((name) => panel(`a.${name}`, [parameter('x')])), panel('a.get', []), panel('b.get', [])];
  expect(shown(shareParameters(panels))).toEqual([['x', { hide: { operation: ['get'] } }]]);
});

test("a parameter of several resources depends on resource and operation, so that n8n doesn't keep its value", () => {
  const panels = ['a.get', 'b.get', 'c.list'].map((path) => panel(path, path === 'c.list' ? [] : [parameter('x')]));
  const [{ displayOptions: { show, hide } = {} } = {}] = shareParameters(panels);
  expect(Object.keys({ ...show, ...hide }).sort()).toEqual(['operation', 'resource']);
});

test('shows a shared parameter once per operation', () => {
  const having = ['a.create', 'a.list', 'b.get', 'b.list', 'c.create', 'c.list', 'c.get'];
  const panels = [...having.map((path) => panel(path, [parameter('x')])), panel('a.get', []), panel('b.create', [])];
  const declared = shareParameters(panels);
  const times = panels.map(({ chosen }) => declared.filter((property) => isShownFor(chosen, property)).length);
  expect(times).toEqual([...having.map(() => 1), 0, 0]);
});

test('declares a parameter once even if an operation without it is between others', () => {
  const panels = [
    panel('a.create', [parameter('big')]),
    panel('a.get', [parameter('id')]),
    panel('a.update', [parameter('id'), parameter('big'), parameter('more')]),
  ];
  expect(shown(shareParameters(panels)).map(([name]) => name)).toEqual(['id', 'big', 'more']);
});

test.each([
  ['label', { displayName: 'Other' }],
  ['default', { default: 'x' }],
  ['condition', { displayOptions: { show: { y: [true] } } }],
  ['hint', { hint: 'h' }],
])('parameters that differ only in their %s stay separate', (_, more) => {
  const panels = [panel('a.get', [parameter('x')]), panel('b.get', [parameter('x', more)])];
  expect(shareParameters(panels)).toHaveLength(2);
});

test('keeps the conditions of a shared parameter', () => {
  const limit = parameter('limit', { displayOptions: { show: { returnAll: [false] }, hide: { x: [1] } } });
  const [only] = shareParameters([panel('a.get', [limit]), panel('b.get', [limit])]);
  expect(only?.displayOptions).toEqual({
    show: { resource: ['a', 'b'], operation: ['get'], returnAll: [false] },
    hide: { x: [1] },
  });
});

test('keeps the order of each operation, even if two operations differ', () => {
  const [x, y, z] = ['x', 'y', 'z'].map((name) => parameter(name)) as [
    INodeProperties,
    INodeProperties,
    INodeProperties,
  ];
  const orders = { 'a.get': [x, y, z], 'b.get': [y, x, z], 'c.get': [z, y] };
  const declared = shareParameters(Object.entries(orders).map(([path, list]) => panel(path, list)));
  for (const [path, list] of Object.entries(orders))
    expect(declared.filter((property) => isShownFor(panel(path, []).chosen, property)).map(({ name }) => name)).toEqual(
      list.map(({ name }) => name),
    );
});

describe('a collection with different options', () => {
  const collection = (...options: INodeProperties[]) => parameter('more', { type: 'collection', default: {}, options });
  const optionsOf = (properties: INodeProperties[]) => (properties[0]?.options ?? []) as INodeProperties[];

  test('a collection with different options is declared once with a condition for each option', () => {
    const declared = shareParameters([
      panel('a.get', [collection(parameter('x'), parameter('y'))]),
      panel('a.list', [collection(parameter('y'), parameter('z', { displayOptions: { show: { y: ['on'] } } }))]),
    ]);
    expect(shown(declared)).toEqual([['more', { show: { operation: ['get', 'list'] } }]]);
    expect(shown(optionsOf(declared))).toEqual([
      ['x', { show: { '/operation': ['get'] } }],
      ['y', undefined],
      ['z', { show: { y: ['on'] }, hide: { '/operation': ['get'] } }],
    ]);
  });

  test.each([
    ['default', { default: 'x' }],
    ['type', { type: 'number' }],
    ['number of values', { typeOptions: { multipleValues: true } }],
  ] as Array<[string, Partial<INodeProperties>]>)(
    'a collection with different options stays separate if two options of one name differ in their %s',
    (_, more) => {
      const panels = [panel('a.get', [collection(parameter('x'))]), panel('b.get', [collection(parameter('x', more))])];
      expect(shareParameters(panels)).toHaveLength(2);
    },
  );
});

const { description } = new PaymentPlatform();
const panels = resources.flatMap(({ value, operations }) =>
  operations.map((operation) => ({ path: `${value}.${operation.value}`, resource: value, operation })),
);

test.each(panels)('shows the parameters of $path in their order', ({ resource, operation }) => {
  const chosen = { resource, operation: operation.value };
  const bySelectors = description.properties.filter(
    (property) => !['resource', 'operation'].includes(property.name) && isShownFor(chosen, property),
  );
  const optionsOf = ({ type, options = [] }: INodeProperties) =>
    type === 'collection' ? (options as INodeProperties[]) : [];
  const isOffered = (property: INodeProperties) => isShownFor(chosen, property);
  const wordsOf = ({ name, type, description: text, displayName }: INodeProperties) => [name, type, displayName, text];
  expect(bySelectors.map((one) => [...wordsOf(one), optionsOf(one).filter(isOffered).map(wordsOf)])).toEqual(
    operationParameters(operation).map((one) => [...wordsOf(one), optionsOf(one).map(wordsOf)]),
  );
});

test('the description contains almost no repetition', () => {
  const own = description.properties.map((property) => {
    const [show, hide] = [{ ...property.displayOptions?.show }, { ...property.displayOptions?.hide }];
    for (const conditions of [show, hide]) for (const name of ['resource', 'operation']) delete conditions[name];
    return JSON.stringify([{ ...property, displayOptions: undefined }, show, hide]);
  });
  const repeated = own.filter((one, index) => own.indexOf(one) !== index);
  expect(repeated.join('').length).toBeLessThan(JSON.stringify(description).length / 20);
});
