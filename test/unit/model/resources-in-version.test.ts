import type { INodeProperties } from 'n8n-workflow';

import { editorProperties } from '../../../nodes/PaymentPlatform/fields/editor';
import { group, section } from '../../../nodes/PaymentPlatform/fields/kinds/group';
import { composite } from '../../../nodes/PaymentPlatform/fields/kinds/composite';
import { choice } from '../../../nodes/PaymentPlatform/fields/kinds/choice';
import { readFields } from '../../../nodes/PaymentPlatform/fields/read-field';
import { text } from '../../../nodes/PaymentPlatform/fields/kinds/text';
import type { Field, Problem } from '../../../nodes/PaymentPlatform/fields/types';
import { fieldsAt } from '../../../nodes/PaymentPlatform/fields/versions';
import { when } from '../../../nodes/PaymentPlatform/fields/kinds/when';
import { inVersions, propertiesAt } from '../../../nodes/PaymentPlatform/panel/parameters-in-versions';
import { resourcesAt } from '../../../nodes/PaymentPlatform/model/operation';
import type { Operation } from '../../../nodes/PaymentPlatform/model/types';
import { declared, resources } from '../../../nodes/PaymentPlatform/resources';
import { since, until } from '../../../nodes/PaymentPlatform/shared/versions';
import { operationOf } from '../requests';

const words = (name: string) => text({ name, label: name, description: name });
const old = until(1, words('old'));
const added = since(1.1, words('added'));
const kind = choice({ name: 'kind', label: 'Kind', description: 'Kind', options: [{ name: 'A', value: 'a' }] });

const KINDS: Array<[string, (fields: Field[]) => Field]> = [
  ['an object', (fields) => group({ name: 'o', label: 'O', description: 'O', type: 'object', itemLabel: 'O', fields })],
  ['a list', (fields) => group({ name: 'o', label: 'O', description: 'O', type: 'list', itemLabel: 'O', fields })],
  [
    'more of an object',
    (additional) =>
      group({ name: 'o', label: 'O', description: 'O', type: 'object', itemLabel: 'O', fields: [kind], additional }),
  ],
  ['a section', (fields) => section({ name: 'o', label: 'O', fields })],
  ['what several parameters make', (fields) => composite(words('o'), fields, ({ read }) => fields.map(read).join())],
  [
    'an object that applies only sometimes',
    (fields) =>
      when(kind, ['a'], group({ name: 'o', label: 'O', description: 'O', type: 'object', itemLabel: 'O', fields })),
  ],
];

const names = (properties: INodeProperties[]): string[] =>
  properties.flatMap(({ name, options = [] }) => [
    name,
    ...options.flatMap((one) => names('values' in one ? one.values : 'type' in one ? [one] : [])),
  ]);

test.each(KINDS)("the editor doesn't show a field that %s has only in the other version", (_, make) => {
  const fields = [make([old, added, words('same')])];
  for (const [version, shown, hidden] of [
    [1, 'old', 'added'],
    [1.1, 'added', 'old'],
  ] as const) {
    const offered = names(fieldsAt(fields, version).flatMap(editorProperties));
    expect(offered).toEqual(expect.arrayContaining([shown, 'same']));
    expect(offered).not.toContain(hidden);
  }
});

test.each(KINDS)("doesn't send a leftover value of a field of %s in another version", (_, make) => {
  const values = { old: 'a', added: 'b', same: 'c' };
  const given = { ...values, kind: 'a', o: { ...values } };
  const sent = (version: number) => {
    const problems: Problem[] = [];
    const record = readFields(fieldsAt([make([old, added, words('same')])], version), given, problems, {
      timezone: 'utc',
    });
    return JSON.stringify([record, problems]);
  };
  expect(sent(1)).toMatch(/"?c"?/);
  expect(sent(1)).not.toMatch(/"b"|[[,"]b[",\]]/);
  expect(sent(1.1)).not.toMatch(/"a"(?!.*kind)|"a,/);
});

test('the version of a conditional field applies to the field that it shows', () => {
  const fields = [when(kind, ['a'], added), since(1.1, when(kind, ['a'], words('same')))];
  expect(fieldsAt(fields, 1)).toEqual([]);
  expect(fieldsAt(fields, 1.1)).toHaveLength(2);
});

test('an object in an old version is added without its new required field', () => {
  const required = since(1.1, text({ name: 'x', label: 'X', description: 'X', required: true }));
  const object = group({
    name: 'o',
    label: 'O',
    description: 'O',
    type: 'object',
    itemLabel: 'O',
    fields: [words('same'), required],
  });
  const types = [1, 1.1].map((version) => fieldsAt([object], version).flatMap(editorProperties)[0]?.type);
  expect(types).toEqual(['collection', 'fixedCollection']);
});

test('parts without a version are the same objects in all versions', () => {
  const fields = KINDS.map(([, make]) => make([words('same')]));
  expect(fieldsAt(fields, 1.1)).toBe(fields);
  expect(resourcesAt(declared, 1)).toBe(resourcesAt(declared, 1));
  const twice = [since(1.1, { ...resources[0] }), ...resources.slice(1)] as typeof resources;
  expect(resourcesAt(twice, 1)[0]).toBe(resources[1]);
});

describe('an operation that differs between versions', () => {
  const atVersions = (operation: Operation, other: Operation = operationOf({})) => {
    const [declaredResource] = resources;
    if (!declaredResource) throw new Error('No resource is declared.');
    const all = [{ ...declaredResource, operations: [operation, other] }];
    return [1, 1.1].map((version) => resourcesAt(all, version)[0]?.operations ?? []);
  };

  test.each(['fields', 'additional'] as const)('an operation has only the %s of its version', (place) => {
    const [same, other, summary] = [[words('same')], operationOf({}), () => 'same'];
    const varied = operationOf({ fields: same, additional: same, summary, [place]: [old, added] });
    const [first, second] = atVersions(varied, other);
    expect(first).toEqual([{ ...varied, [place]: [old] }, other]);
    expect(second).toEqual([{ ...varied, [place]: [added] }, other]);
    expect([first?.[1], second?.[1]]).toEqual([other, other]);
  });

  test('an operation without additional fields gets none', () => {
    const [first] = atVersions(operationOf({ fields: [old, added] }));
    expect(first?.[0]).not.toHaveProperty('additional');
  });

  test('a resource is the same object in a version without different operations', () => {
    const unchanged = resourcesAt(resources, 1);
    expect(unchanged).toBe(resources);
    const varied = resources.map((one) => ({ ...one, operations: [...one.operations, since(1.1, operationOf({}))] }));
    const [first] = resourcesAt(varied, 1.1);
    expect(first).toBe(varied[0]);
    expect(resourcesAt(varied, 1)[0]).toEqual(resources[0]);
  });

  test("a version's output replaces all parts of the other output, and the operation keeps its own versions", () => {
    const summary = () => 'old';
    const present = () => ({ new: true });
    const newer = since(1.1, { present });
    const varied = since(1, operationOf({ summary, addedBySimplify: ['total'], outputs: [newer] }));
    const [first, second] = atVersions(varied);
    expect(first?.[0]).toBe(varied);
    expect(second?.[0]).toEqual(since(1, operationOf({ present })));
  });
});

const parameter = (name: string, more: Partial<INodeProperties> = {}): INodeProperties => ({
  displayName: name,
  name,
  type: 'string',
  default: '',
  ...more,
});
const collection = (...options: INodeProperties[]) => parameter('more', { type: 'collection', default: {}, options });
const only = (version: number, property: INodeProperties): INodeProperties => ({
  ...property,
  displayOptions: { show: { '@version': [version], ...property.displayOptions?.show } },
});

test('puts the version condition first and keeps the order of each version', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => parameter(name)) as [
    INodeProperties,
    INodeProperties,
    INodeProperties,
  ];
  const conditional = parameter('d', { displayOptions: { show: { a: ['x'] } } });
  const all = inVersions([
    { version: 1, properties: [a, b, c] },
    { version: 1.1, properties: [conditional, a, c] },
  ]);
  expect(all).toEqual([only(1.1, conditional), a, only(1, b), c]);
  expect(Object.keys(all[0]?.displayOptions?.show ?? {})).toEqual(['@version', 'a']);
});

test('merges collections that differ only in their content', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => parameter(name)) as [
    INodeProperties,
    INodeProperties,
    INodeProperties,
  ];
  const all = inVersions([
    { version: 1, properties: [collection(a, b)] },
    { version: 1.1, properties: [collection(b, c)] },
  ]);
  expect(all).toEqual([collection(only(1, a), b, only(1.1, c))]);
});

test('merges lists of objects and adds version conditions to their fields', () => {
  const list = (...values: INodeProperties[]) =>
    parameter('list', {
      type: 'fixedCollection',
      default: {},
      options: [{ displayName: 'Item', name: 'item', values }],
    });
  const [a, b] = ['a', 'b'].map((name) => parameter(name)) as [INodeProperties, INodeProperties];
  const all = inVersions([
    { version: 1, properties: [list(a)] },
    { version: 1.1, properties: [list(a, b)] },
  ]);
  expect(all).toEqual([list(a, only(1.1, b))]);
});

test('accepts versions for parameters without a field and inside a collection', () => {
  const declaredSo = [collection(until(1, parameter('a')), parameter('b')), since(1.1, parameter('c'))];
  expect(propertiesAt(declaredSo, 1)).toEqual([collection(parameter('a'), parameter('b'))]);
  expect(propertiesAt(declaredSo, 1.1)).toEqual([collection(parameter('b')), parameter('c')]);
});
