import { basename } from 'node:path';

import { texts } from './repository';

/** One-word types of `model` with their plain meaning in English, n8n or HTTP. */
const PLAIN = [
  ...['Advice', 'Answer', 'Came', 'Completion', 'Decision', 'Done', 'Effect', 'Failure', 'Family', 'Filter'],
  ...[
    'Finished',
    'Given',
    'Lifetime',
    'Listing',
    'Look',
    'Money',
    'Operation',
    'Output',
    'Party',
    'Planned',
    'Provenance',
  ],
  ...['Refusal', 'Remembered', 'Resolution', 'Resource', 'Steps'],
];

const sources = texts.filter(({ path }) => path.startsWith('nodes/') && path.endsWith('.ts'));
const EXPORT = /^export (?:default )?(?:abstract )?(?:async )?(interface|type|class|function|const) (\w+)/gm;
const exported = sources.flatMap(({ path, text }) =>
  [...text.matchAll(EXPORT)].map(([, kind = '', name = '']) => ({ path, kind, name })),
);

/** Splits a term or an identifier, for example `OncePerKey` into "once per key". */
const wordsOf = (name: string) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[-_. ]+/g, ' ')
    .toLowerCase();
const inCode = [...exported.map(({ name }) => name), ...sources.map(({ path }) => basename(path, '.ts'))].map(wordsOf);

/** A term can occur in the plural. */
const occurs = (term: string) => inCode.some((name) => new RegExp(`\\b${wordsOf(term)}s?\\b`).test(name));

const page = texts.find(({ path }) => path === 'docs/explanation/architecture.md')?.text ?? '';
const glossary = page.slice(page.indexOf('## Glossary'));
const terms = [...glossary.matchAll(/^\| ([A-Z][\w -]*?) +\|/gm)].map(([, term = '']) => term).slice(1);

/** Types with one word, for example `Footprint`, are the vocabulary of the model. */
const central = exported
  .filter(
    ({ path, kind, name }) => path.includes('/model/') && /interface|type|class/.test(kind) && !/.[A-Z]/.test(name),
  )
  .map(({ name }) => name);

test('each term of the glossary occurs in a name of the code', () => {
  expect(terms.length).toBeGreaterThan(10);
  expect(terms.filter((term) => !occurs(term))).toEqual([]);
});

test('the glossary explains each one-word type of the model, unless its meaning is plain', () => {
  expect(central.length).toBeGreaterThan(20);
  expect(central.filter((name) => !terms.includes(name) && !PLAIN.includes(name))).toEqual([]);
  expect(PLAIN.filter((name) => !central.includes(name) || terms.includes(name))).toEqual([]);
});

test('the glossary is in alphabetical order', () => {
  expect(terms).toEqual([...terms].sort());
});

test('the check finds a term that the code lacks', () => {
  expect(['Footprint', 'Once per Key', 'Look-up', 'Spending'].map(occurs)).toEqual([true, true, true, false]);
});
