import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';

import { outputNames } from '../../interface/generate/output-schema';
import { everyParameter, packageCredentials, packageNodes } from '../package-nodes';
import { editorProperties } from '../../nodes/PaymentPlatform/fields/editor';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { read } from './repository';
import { testEvery } from '../every-case';

const operations = resources.flatMap((resource) =>
  resource.operations.map((operation) => ({ path: `${resource.value}.${operation.value}`, resource, operation })),
);

const [node, trigger] = packageNodes().map(({ description }) => everyParameter(description.properties));
const all = [
  ...(node ?? []),
  ...(trigger ?? []),
  ...packageCredentials().flatMap((one) => everyParameter(one.properties)),
];

const texts = [
  ...new Set(
    all.flatMap(({ description, hint, type, displayName, options = [] }) => [
      description,
      // Skips examples, because an example isn't a sentence.
      hint?.startsWith('Example: ') ? undefined : hint,
      type === 'notice' ? displayName : undefined,
      ...options.map((option) => ('description' in option ? option.description : undefined)),
    ]),
  ),
].filter((text) => text !== undefined && text !== '') as string[];

const SENTENCE = /^[A-Z][^A-Z]*(\b(API|ACH)\b[^A-Z]*)*$/;

testEvery(operations)(
  'the action of an operation is in sentence case, without articles, and names the resource',
  (one) => {
    const { action } = one.operation;
    expect(action).toMatch(SENTENCE);
    expect(action).not.toMatch(/\b(a|an|the)\b/i);
    expect(action.toLowerCase()).toContain(one.resource.name.toLowerCase());
  },
);

testEvery(operations)('the name of an operation is in title case and ends with a noun or a verb', ({ operation }) => {
  for (const word of operation.name.split(' '))
    expect(word).toMatch(/^([A-Z]|(a|an|and|by|for|from|in|of|on|or|the|to|with)$)/);
  expect(operation.name).not.toMatch(/\b(All|Of|By|For|From|In|On|To|With)$/i);
});

testEvery(operations)('the description of an operation adds to its name and action', ({ operation }) => {
  const { name, action, description } = operation;
  expect(description).toMatch(/^[A-Z]/);
  expect([name, action].map((text) => text.toLowerCase())).not.toContain(description.toLowerCase());
  expect(description.length).toBeGreaterThan(name.length);
});

test('every operation has a unique action', () => {
  const actions = operations.map(({ operation }) => operation.action);
  expect(actions).toEqual([...new Set(actions)]);
});

/** Periods in abbreviations don't end a sentence. */
const withoutAbbreviations = (text: string) => text.replace(/\be\.g\./g, 'eg').replace(/\bU\.S\./g, 'US');

testEvery(texts)('a single sentence has no full stop, and each of several sentences has one', (text) => {
  const plain = withoutAbbreviations(text);
  const several = /[.!?]\)?\s+\S/.test(plain);
  expect(/[.!?]\)?$/.test(plain)).toBe(several);
  expect(plain).toMatch(/^[A-Z0-9"'(]/);
});

test('panel text that names a parameter has the name in single quotes', () => {
  const labels = new Set(all.map(({ displayName }) => displayName).filter((label) => /[A-Z].* .*[A-Z]/.test(label)));
  for (const text of texts) {
    // Skips the first letter, because a sentence may begin with the words of a label.
    const others = text.slice(1).replace(/'[A-Z][^']*'/g, '');
    expect([text, [...labels].filter((label) => others.includes(label))]).toEqual([text, []]);
  }
});

const NO_EXAMPLES = ['Service default'];

test('placeholders begin with "e.g." unless they label a button', () => {
  const buttons = /^(Add|Choose) /;
  const others = all.flatMap(({ placeholder = '' }) =>
    placeholder === '' || buttons.test(placeholder) ? [] : [placeholder],
  );
  expect(others.filter((text) => !text.startsWith('e.g. ') && !NO_EXAMPLES.includes(text))).toEqual([]);
});

test('the first two parameters select resource and operation without expressions', () => {
  const [first, second] = packageNodes()[0]?.description.properties ?? [];
  expect([first?.displayName, second?.displayName]).toEqual(['Resource', 'Operation']);
  for (const selector of (node ?? []).filter(({ name }) => name === 'resource' || name === 'operation'))
    expect(selector.noDataExpression).toBe(true);
});

test('pickers start in list mode', () => {
  const locators = all.filter(({ type }) => type === 'resourceLocator');
  expect(locators.length).toBeGreaterThan(5);
  for (const { modes = [], default: value } of locators) {
    const wanted = modes.some(({ name }) => name === 'list') ? 'list' : 'id';
    expect([modes[0]?.name, value]).toEqual([wanted, { mode: wanted, value: '' }]);
  }
});

test("operations that can't be undone show a notice below a field", () => {
  const forGood = operations.filter(({ operation }) => /undone|for good/.test(operation.description));
  expect(forGood.length).toBeGreaterThan(5);
  for (const { path, operation } of forGood) {
    const hints = operation.fields.flatMap(editorProperties).map(({ hint = '' }) => hint);
    expect({ path, hints: hints.filter((hint) => hint.includes("can't be undone")).length }).toEqual({
      path,
      hints: 1,
    });
  }
});

test("the trigger's event parameter has n8n's label and no tooltip", () => {
  const events = (trigger ?? []).find(({ name }) => name === 'events');
  expect([events?.displayName, events?.description]).toEqual(['Trigger On', undefined]);
});

test('Simplify keeps at most ten fields and the descriptions of codes', () => {
  for (const { operation } of operations.filter((one) => one.operation.simplified !== undefined))
    expect(outputNames(operation).filter((name) => !name.endsWith('_text')).length).toBeLessThanOrEqual(10);
});

test('the description of every delete operation mentions deletion', () => {
  const deleting = operations.filter(({ operation }) => operation.value === 'delete');
  expect(deleting.length).toBeGreaterThan(0);
  for (const { operation } of deleting) expect(outputNames(operation)).toContain('deleted');
});

test('every test cited in docs/reference/guidelines.md exists', () => {
  const named = [...read('docs/reference/guidelines.md').matchAll(/`(test\/[\w/.-]+\.ts)`/g)].map(
    ([, path = '']) => path,
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(join(__dirname, '../..', path)))).toEqual([]);
});

test("docs/reference/guidelines.md names every rule of n8n's verification", () => {
  const page = read('docs/reference/guidelines.md');
  const applied = Object.keys(n8nCommunityNodesPlugin.configs.recommended.rules ?? {});
  const names = applied.map((name) => name.replace('@n8n/community-nodes/', ''));
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
