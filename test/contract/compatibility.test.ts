import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import { breaks, recorded } from '../../docs/generate/compatibility';
import { releasedDescription, releasedFiles } from '../../docs/generate/files';
import { stale } from '../../docs/generate/written';
import { packageName } from '../../docs/generate/package-nodes';
import { storedToday, type Stored, type StoredParameter, type StoredParameters } from '../../docs/generate/stored';

const today = storedToday();
const NODE = `${packageName}.paymentPlatform`;
const copy = (): Stored => JSON.parse(JSON.stringify(today)) as Stored;

test('everything that released workflows store still works', () => {
  expect(breaks(releasedDescription(), today)).toEqual([]);
});

test('everything that workflows can store today is recorded', () => {
  const missing = stale(releasedFiles());
  if (missing.length > 0) throw new Error(`${missing.join()} lacks additions: run "npm run generate" and commit it.`);
});

/** Changes one parameter of the operation invoice.addPayment of a released description. */
function changed(path: string, change: (parameter: StoredParameter) => StoredParameter | undefined): Stored {
  const stored = copy();
  const parameters = stored.nodes[NODE]?.parameters['invoice.addPayment'] as StoredParameters;
  const after = change(parameters[path] as StoredParameter);
  if (after) parameters[path] = after;
  else delete parameters[path];
  return stored;
}

const CHANGES: Array<[string, Stored, RegExp]> = [
  ['a removed parameter', changed('amt_paid', () => undefined), /addPayment > amt_paid is gone/],
  [
    'a removed parameter of a collection',
    changed('additionalFields.technicalFields.extraBodyFields', () => undefined),
    /addPayment > additionalFields\.technicalFields\.extraBodyFields is gone/,
  ],
  ['another type', changed('amt_paid', (own) => ({ ...own, type: 'number' })), /amt_paid was of the type string/],
  ['a list instead of one', changed('description', (own) => ({ ...own, multiple: true })), /and is list of string/],
  [
    'another default',
    changed('type', (own) => ({ ...own, default: 'CASH' })),
    /had the default "CHECK" and has "CASH"/,
  ],
  [
    'a removed value',
    changed('type', (own) => ({ ...own, values: own.values?.filter((value) => value !== 'OTHER') })),
    /no longer takes the value "OTHER"/,
  ],
  ['a field that becomes required', changed('description', (own) => ({ ...own, required: true })), /is required/],
  ['a new required field', changed('note', () => ({ type: 'string', default: '', required: true })), /note is new/],
];

test.each(CHANGES)('%s is found, and the sentence says which stored value would stop working', (_, later, sentence) => {
  const [first, ...others] = breaks(today, later);
  expect(first).toMatch(sentence);
  expect(others).toEqual([]);
});

test('a text may become a list to pick from, and not the other way round', () => {
  const asText = { type: 'string', default: '' };
  const asPicker = { type: 'resourceLocator', default: { mode: 'list', value: '' }, values: ['list', 'id'] };
  const [text, picker] = [asText, asPicker].map((own) => changed('invoice_id', () => ({ ...own, required: true })));
  expect(breaks(text ?? today, picker ?? today)).toEqual([]);
  expect(breaks(picker ?? today, text ?? today).join()).toMatch(/invoice_id was of the type resourceLocator/);
});

test('a removed operation, node, version or credential is found', () => {
  const later = copy();
  const node = later.nodes[NODE];
  delete node?.parameters['invoice.send'];
  if (node) node.versions = [2];
  later.credentials = {};
  expect(breaks(today, later)).toEqual([
    expect.stringMatching(/no longer has the version 1/),
    expect.stringMatching(/invoice\.send is gone/),
    expect.stringMatching(/credential paymentPlatformApi is gone/),
  ]);
  expect(breaks(today, { ...copy(), nodes: {} }).length).toBe(Object.keys(today.nodes).length);
});

test('recording adds what is new and never removes or changes what was released', () => {
  const before = changed('type', (own) => ({ ...own, default: 'CASH', values: ['CASH', 'GONE'] }));
  before.nodes['gone.node'] = { versions: [1], credentials: [], parameters: {} };
  delete before.nodes[NODE]?.parameters['invoice.send'];
  const after = recorded(before, today);
  expect(after.nodes['gone.node']).toEqual(before.nodes['gone.node']);
  expect(after.nodes[NODE]?.parameters['invoice.send']).toEqual(today.nodes[NODE]?.parameters['invoice.send']);
  expect(after.nodes[NODE]?.parameters['invoice.addPayment']?.type).toMatchObject({
    default: 'CASH',
    values: ['CASH', 'GONE', 'CHECK', 'OTHER'],
  });
});

interface Example {
  nodes: INode[];
}
const folder = join(__dirname, '../../examples');
const exampleNodes = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .flatMap((file) => {
    const { nodes } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Example;
    const own = nodes.filter(({ type }) => type.startsWith(`${packageName}.`));
    return own.map((node) => ({ file, name: node.name, node }));
  });

test('examples use the node', () => {
  expect(exampleNodes.length).toBeGreaterThan(0);
});

/** Paths of the stored values; a resource locator is one value, and the place in a list is no name. */
function storedValues(value: unknown, path = ''): Array<[string, unknown]> {
  if (Array.isArray(value)) return value.flatMap((one) => storedValues(one, path));
  if (typeof value !== 'object' || value === null || '__rl' in value) return [[path, value]];
  const inside = Object.entries(value).flatMap(([name, one]) => storedValues(one, path ? `${path}.${name}` : name));
  return path ? [[path, value], ...inside] : inside;
}

/** Whether the path names a parameter, or the entry of a fixed collection, which has no parameter of its own. */
const isKnown = (known: StoredParameters, path: string) =>
  path in known || Object.keys(known).some((name) => name.startsWith(`${path}.`));

function parametersOf({ type, parameters }: INode): StoredParameters {
  const scopes = today.nodes[type]?.parameters ?? {};
  const { resource = '', operation = '' } = parameters as Record<string, string>;
  const wanted = ['', resource, `${resource}.${operation}`];
  return Object.assign({}, ...wanted.map((scope) => scopes[scope] ?? {})) as StoredParameters;
}

const isExpression = (value: unknown) => typeof value === 'string' && value.startsWith('=');

test.each(exampleNodes)('$file: "$name" stores only what the description knows', ({ node }) => {
  const description = today.nodes[node.type];
  expect(description?.versions).toContain(node.typeVersion);
  expect(description?.credentials).toEqual(expect.arrayContaining(Object.keys(node.credentials ?? {})));
  const known = parametersOf(node);
  const stored = storedValues(node.parameters);
  expect(stored.map(([path]) => path).filter((path) => !isKnown(known, path))).toEqual([]);
  for (const [path, value] of stored) {
    const { type, values } = known[path] ?? {};
    if (type === 'options' && !isExpression(value))
      expect([path, values]).toEqual([path, expect.arrayContaining([value])]);
  }
});
