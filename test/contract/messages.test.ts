import { readMessages } from '../../docs/generate/messages';
import { isPassedOn, readSource } from '../../docs/generate/read-texts';
import { read, texts } from './repository';

const PATH = 'nodes/PaymentPlatform/example.ts';
const messagesIn = (code: string) => readMessages(new Map([[PATH, readSource(PATH, code)]]));

const page = read('docs/reference/messages.md').replace(/\\\|/g, '|').replace(/&lt;/g, '<');

const WRITTEN =
  /(?<!status: 'OK', |example: \{ )\b(?:message|what|allowed):\s*(?:'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|`((?:[^`\\]|\\.)+)`)/g;

const isListedElsewhere = (path: string) => /\/(catalogue|interface)\//.test(path);

const longestPart = (text: string) =>
  text
    .replace(/\\(['"`])/g, '$1')
    .split(/\$\{(?:[^{}]|\{[^{}]*\})*(?:\}|$)/)
    .toSorted((a, b) => b.length - a.length)[0]
    ?.replace(/\s+/g, ' ')
    .trim() ?? '';

const unlisted = (path: string, code: string) =>
  [...code.matchAll(WRITTEN)]
    .map(([, single, double, template]) => longestPart(single ?? double ?? template ?? ''))
    .filter((part) => !isPassedOn(part) && !page.includes(part))
    .map((part) => `${path}: ${part}`);

test('docs/reference/messages.md lists every failure message in the shipped code', () => {
  const shipped = texts.filter(({ path }) => /^nodes\/.*\.ts$/.test(path) && !isListedElsewhere(path));
  const written = shipped.flatMap(({ text }) => [...text.matchAll(WRITTEN)]);
  expect(written.length).toBeGreaterThan(150);
  expect(shipped.flatMap(({ path, text }) => unlisted(path, text))).toEqual([]);
});

test('the check finds a message missing from docs/reference/messages.md', () => {
  expect(unlisted(PATH, "const failure = { message: 'The moon was full' };")).toEqual([`${PATH}: The moon was full`]);
});

test.each([
  [
    'a failure',
    "const a = { outcome: 'invalid', message: `Row ${rowNumber} is odd`, advice: 'Make it even.' };",
    { kind: 'item', outcome: 'invalid', text: 'Row {row number} is odd', remedy: 'Make it even.' },
  ],
  [
    'a message that is a parameter',
    "const refuse = (message: string) => ({ outcome: 'declined', message, advice: '' }); refuse('Full moon');",
    { kind: 'item', outcome: 'declined', text: 'Full moon', remedy: '' },
  ],
  [
    'an entry of a list of texts',
    "const ALL = { one: 'Full moon' }; const a = { outcome: 'unknown', message: ALL[key], advice: '' };",
    { kind: 'item', outcome: 'unknown', text: 'Full moon', remedy: '' },
  ],
  [
    'a wrong value',
    "const a = { label, found, allowed: 'must be round' };",
    { kind: 'value', outcome: '', text: 'must be round', remedy: '' },
  ],
  [
    'a thrown error',
    "throw new NodeOperationError(node, 'Full moon', { description: 'Wait.' });",
    { kind: 'run', outcome: '', text: 'Full moon', remedy: 'Wait.' },
  ],
])('the generator reads %s', (_kind, code, message) => {
  expect(messagesIn(code)).toEqual([message]);
});

test('the generator reads the message and the advice of each outcome separately', () => {
  const code = `const outcome = isSent ? 'declined' : 'notSent';
    const a = { outcome, message: outcome === 'notSent' ? 'Busy now' : 'Refused', advice: outcome === 'notSent' ? 'Wait.' : 'Ask.' };`;
  expect(messagesIn(code)).toEqual([
    { kind: 'item', outcome: 'declined', text: 'Refused', remedy: 'Ask.' },
    { kind: 'item', outcome: 'notSent', text: 'Busy now', remedy: 'Wait.' },
  ]);
});
