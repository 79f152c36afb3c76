import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import { breaks, recorded } from './compatibility';
import { stale } from '../../interface/generate/written';
import { packageName } from '../package-nodes';
import { storedToday, type Stored, type StoredParameter, type StoredParameters, type StoredVersion } from './stored';
import type { OutputTypes } from './output-types';
import { releasedDescription, releasedFiles } from './released';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { ALL_EVENTS, eventOptions } from '../../nodes/PaymentPlatform/fields/events';

const today = storedToday();
const NODE = `${packageName}.paymentPlatform`;
const copy = (): Stored => JSON.parse(JSON.stringify(today)) as Stored;
const versionOf = ({ nodes }: Stored) => nodes[NODE]?.versions['1'];

test('released workflows keep working', () => {
  expect(breaks(releasedDescription(), today)).toEqual([]);
});

test('released.json lists everything that workflows can store', () => {
  const missing = stale(releasedFiles());
  if (missing.length > 0) throw new Error(`${missing.join()} lacks additions: run "npm run generate" and commit it.`);
});

function changed(path: string, change: (parameter: StoredParameter) => StoredParameter | undefined): Stored {
  const stored = copy();
  const parameters = versionOf(stored)?.parameters['invoice.addPayment'] as StoredParameters;
  const after = change(parameters[path] as StoredParameter);
  if (after) parameters[path] = after;
  else delete parameters[path];
  return stored;
}

const CHANGES: Array<[string, Stored, RegExp]> = [
  ['a removed parameter', changed('amt_paid', () => undefined), /addPayment > amt_paid is gone/],
  [
    'a removed parameter of a collection',
    changed('additionalFields.extraBodyFields', () => undefined),
    /addPayment > additionalFields\.extraBodyFields is gone/,
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

test.each(CHANGES)('the check reports %s with the stored value that would stop working', (_, later, sentence) => {
  const [first, ...others] = breaks(today, later);
  expect(first).toMatch(sentence);
  expect(others).toEqual([]);
});

test('text may become a list, but a list may not become text', () => {
  const asText = { type: 'string', default: '' };
  const asPicker = { type: 'resourceLocator', default: { mode: 'list', value: '' }, values: ['list', 'id'] };
  const [text, picker] = [asText, asPicker].map((own) => changed('invoice_id', () => ({ ...own, required: true })));
  expect(breaks(text ?? today, picker ?? today)).toEqual([]);
  expect(breaks(picker ?? today, text ?? today).join()).toMatch(/invoice_id was of the type resourceLocator/);
});

test('the check reports removed operations, nodes, versions and credentials', () => {
  const later = copy();
  delete versionOf(later)?.parameters['invoice.send'];
  delete versionOf(later)?.outputs['invoice.send'];
  const trigger = later.nodes[`${NODE}Trigger`];
  if (trigger) trigger.versions = { 2: trigger.versions['1'] as StoredVersion };
  later.credentials = {};
  expect(breaks(today, later)).toEqual([
    expect.stringMatching(/invoice\.send is gone/),
    expect.stringMatching(/paymentPlatformTrigger no longer has the version 1/),
    expect.stringMatching(/credential paymentPlatformApi is gone/),
  ]);
  expect(breaks(today, { ...copy(), nodes: {} }).length).toBe(Object.keys(today.nodes).length);
});

test('recording adds new parameters and never changes released ones', () => {
  const before = changed('type', (own) => ({ ...own, default: 'CASH', values: ['CASH', 'GONE'] }));
  before.frozen = true;
  before.nodes['gone.node'] = { credentials: [], versions: {} };
  delete versionOf(before)?.parameters['invoice.send'];
  Object.assign(versionOf(before)?.outputs['invoice.addPayment'] ?? {}, { gone: 'string', status: 'number' });
  const after = recorded(before, today);
  expect(after.frozen).toBe(true);
  expect(after.nodes['gone.node']).toEqual(before.nodes['gone.node']);
  expect(versionOf(after)?.parameters['invoice.send']).toEqual(versionOf(today)?.parameters['invoice.send']);
  expect(versionOf(after)?.parameters['invoice.addPayment']?.type).toMatchObject({
    default: 'CASH',
    values: ['CASH', 'GONE', 'CHECK', 'OTHER'],
  });
  expect(versionOf(after)?.outputs['invoice.addPayment']).toMatchObject({ gone: 'string', status: 'number' });
});

test('before the first release, recording replaces the content of released.json', () => {
  expect(recorded({ ...copy(), frozen: false, nodes: {} }, today)).toEqual(today);
});

/** Output fields that a release must not remove: the node, the output and the path of the field. */
const OUTPUTS: Array<[string, string, string]> = [
  [NODE, 'invoice.create', 'line_items[].unit_cost'],
  [NODE, 'invoice.create, simplified', 'what_happened'],
  [NODE, 'a failed item', 'error.outcome'],
  [NODE, 'a failed item, on the error output', 'error.description'],
  [NODE, 'a failed call of a tool', 'result'],
  [`${NODE}Trigger`, 'invoice_paid', 'payload.data.invoice_id'],
  [`${NODE}Trigger`, 'an entry of many', 'entry_count'],
];

test.each(OUTPUTS)(
  '%s: no field of "%s", such as %s, may be removed or change its type, but fields may be added',
  (node, scope, path) => {
    const withChange = (change: (types: OutputTypes) => void): Stored => {
      const later = copy();
      change(later.nodes[node]?.versions['1']?.outputs[scope] ?? {});
      return later;
    };
    const gone = breaks(
      today,
      withChange((types) => delete types[path]),
    );
    expect(gone).toEqual([expect.stringContaining(`${scope} > ${path} is gone from the output`)]);
    const other = breaks(
      today,
      withChange((types) => Object.assign(types, { [path]: 'boolean' })),
    );
    expect(other).toEqual([expect.stringContaining(`${scope} > ${path} was of the type `)]);
    expect(
      breaks(
        today,
        withChange((types) => Object.assign(types, { one_more: 'string' })),
      ),
    ).toEqual([]);
  },
);

test('the outputs of all operations, events and failures are recorded', () => {
  const scopes = Object.values(today.nodes).flatMap(({ versions }) => Object.keys(versions['1']?.outputs ?? {}));
  const answered = resources.flatMap(({ value, operations }) =>
    operations.filter(({ request }) => request.operationId).map((operation) => `${value}.${operation.value}`),
  );
  const events = eventOptions.map(({ value }) => value).filter((value) => value !== ALL_EVENTS);
  expect(scopes).toEqual(expect.arrayContaining([...answered, ...events]));
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

function storedValues(value: unknown, path = ''): Array<[string, unknown]> {
  if (Array.isArray(value)) return value.flatMap((one) => storedValues(one, path));
  if (typeof value !== 'object' || value === null || '__rl' in value) return [[path, value]];
  const inside = Object.entries(value).flatMap(([name, one]) => storedValues(one, path ? `${path}.${name}` : name));
  return path ? [[path, value], ...inside] : inside;
}

const isKnown = (known: StoredParameters, path: string) =>
  path in known || Object.keys(known).some((name) => name.startsWith(`${path}.`));

/** If an agent uses the node, n8n appends "Tool" to the type's name. */
const recordOf = ({ type }: INode) => today.nodes[type.replace(/Tool$/, '')];

function parametersOf(node: INode): StoredParameters {
  const { parameters } = node;
  const scopes = recordOf(node)?.versions['1']?.parameters ?? {};
  const { resource = '', operation = '' } = parameters as Record<string, string>;
  const wanted = ['', resource, `${resource}.${operation}`];
  return Object.assign({}, ...wanted.map((scope) => scopes[scope] ?? {})) as StoredParameters;
}

const isExpression = (value: unknown) => typeof value === 'string' && value.startsWith('=');

test.each(exampleNodes)('$file: "$name" stores only known parameters', ({ node }) => {
  const description = recordOf(node);
  expect(Object.keys(description?.versions ?? {})).toContain(String(node.typeVersion));
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
