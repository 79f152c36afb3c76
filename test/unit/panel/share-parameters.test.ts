import { NodeHelpers, type INode, type INodeProperties } from 'n8n-workflow';

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
    ['simplify', { show: { resource: ['a', 'b'], operation: ['get', 'list'] } }],
  ]);
});

test("doesn't show a shared parameter for other combinations of resource and operation", () => {
  const panels = [
    panel('a.get', [parameter('x')]),
    panel('a.list', []),
    panel('b.get', []),
    panel('b.list', [parameter('x')]),
  ];
  expect(shown(shareParameters(panels))).toEqual([
    ['x', { show: { resource: ['a'], operation: ['get'] } }],
    ['x', { show: { resource: ['b'], operation: ['list'] } }],
  ]);
});

test('shows a shared parameter once per operation', () => {
  const having = ['a.create', 'a.list', 'b.get', 'b.list', 'c.create', 'c.list', 'c.get'];
  const panels = [...having.map((path) => panel(path, [parameter('x')])), panel('a.get', []), panel('b.create', [])];
  const pairs = shareParameters(panels).flatMap(({ displayOptions }) =>
    (displayOptions?.show?.resource ?? []).flatMap((resource) =>
      (displayOptions?.show?.operation ?? []).map((operation) => JSON.stringify([resource, operation])),
    ),
  );
  expect(pairs.sort()).toEqual(having.map((path) => JSON.stringify(path.split('.'))).sort());
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
])('keeps parameters separate that differ only in their %s', (_, more) => {
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
    expect(
      declared
        .filter(({ displayOptions }) => displayOptions?.show?.resource?.includes(path.split('.')[0] ?? ''))
        .map(({ name }) => name),
    ).toEqual(list.map(({ name }) => name));
});

describe('a collection with different options', () => {
  const collection = (...options: INodeProperties[]) => parameter('more', { type: 'collection', default: {}, options });
  const optionsOf = (properties: INodeProperties[]) => (properties[0]?.options ?? []) as INodeProperties[];

  test('a collection with different options is declared once with a condition for each option', () => {
    const declared = shareParameters([
      panel('a.get', [collection(parameter('x'), parameter('y'))]),
      panel('a.list', [collection(parameter('y'), parameter('z', { displayOptions: { show: { y: ['on'] } } }))]),
    ]);
    expect(shown(declared)).toEqual([['more', { show: { resource: ['a'], operation: ['get', 'list'] } }]]);
    expect(shown(optionsOf(declared))).toEqual([
      ['x', { show: { '/resource': ['a'], '/operation': ['get'] } }],
      ['y', undefined],
      ['z', { show: { '/resource': ['a'], '/operation': ['list'], y: ['on'] } }],
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
  const node = { typeVersion: 1, parameters: {} } as INode;
  /** Checks only the conditions on the two selectors, because the other conditions depend on entered values. */
  const bySelectors = description.properties.filter((property) => {
    const { resource: resourceList = [], operation: operationList } = property.displayOptions?.show ?? {};
    const show = { resource: resourceList, ...(operationList && { operation: operationList }) };
    const alone = { ...property, displayOptions: { show } };
    return operationList && NodeHelpers.displayParameter(chosen, alone, node, description);
  });
  const optionsOf = ({ type, options = [] }: INodeProperties) =>
    type === 'collection' ? (options as INodeProperties[]) : [];
  const isOffered = ({ displayOptions }: INodeProperties) => {
    const { '/resource': resourceList, '/operation': operationList } = displayOptions?.show ?? {};
    return (resourceList?.includes(resource) ?? true) && (operationList?.includes(operation.value) ?? true);
  };
  const wordsOf = ({ name, type, description: text, displayName }: INodeProperties) => [name, type, displayName, text];
  expect(bySelectors.map((one) => [...wordsOf(one), optionsOf(one).filter(isOffered).map(wordsOf)])).toEqual(
    operationParameters(operation).map((one) => [...wordsOf(one), optionsOf(one).map(wordsOf)]),
  );
});

test('repeats almost nothing in the description', () => {
  const own = description.properties.map((property) => {
    const show = { ...property.displayOptions?.show };
    delete show.resource;
    delete show.operation;
    return JSON.stringify([{ ...property, displayOptions: undefined }, show, property.displayOptions?.hide]);
  });
  const repeated = own.filter((one, index) => own.indexOf(one) !== index);
  expect(repeated.join('').length).toBeLessThan(JSON.stringify(description).length / 20);
});
