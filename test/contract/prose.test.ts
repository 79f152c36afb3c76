import { parse } from 'yaml';

import { testEvery } from '../every-case';
import { read, texts } from './repository';

/** Rules about wording that `npm run lint:prose` applies to documents and this test applies to comments. */
const { rules } = parse(read('.textlint/prose.yml')) as { rules: { pattern: string; expected: string }[] };
const habits = rules.map(({ pattern, expected }) => {
  const [, source = '', flags] = /^\/(.*)\/(\w*)$/.exec(pattern) ?? [];
  return { pattern: new RegExp(source, flags), expected };
});

const COMMENT = /(?<=^[ \t]*)\/\*[\s\S]*?\*\/|(?<=^[ \t]*|[;,{(] )\/\/ [^\n]*(?:\n\s*\/\/[^\n]*)*/gm;
const TEST_NAME = /(?:\b(?:it|test|describe)|[\])`])\(\s*(['"`])((?:\\.|(?!\1)[\s\S])+)\1,/g;
/** Parts of a sentence that contain code or a quotation. The rules don't apply to these parts. */
const CODE = /`[^`]*`|"[^"]*"|\S+\.ts\b|@param \S+/g;

const inOneLine = (comment: string): string =>
  comment
    .replace(/^\/\*+|\*\/$/g, '')
    .replace(/\n\s*(?:\*|\/\/)?/g, ' ')
    .replace(/^\/\/|\s+/g, ' ')
    .trim();

/** Returns the rule violations in a text, each with a better wording. */
function habitsIn(text: string): string[] {
  const words = text.replace(CODE, 'code');
  return habits.flatMap(({ pattern, expected }) => {
    const found = pattern.exec(words);
    return found ? [`"${found[0]}" (better: ${expected}) in "${words}"`] : [];
  });
}

const sources = texts.filter(({ path }) => /^(nodes|credentials|sandbox|host|test|bench|docs)\/.*\.m?ts$/.test(path));

testEvery(sources)('comments follow the rules of prose', ({ text }) => {
  const comments = text.match(COMMENT) ?? [];
  expect(comments.flatMap((comment) => habitsIn(inOneLine(comment)))).toEqual([]);
});

testEvery(sources.filter(({ path }) => /^test\/.*\.(test|e2e)\.ts$/.test(path)))(
  'test names follow the rules of prose',
  ({ text }) => {
    const names = [...text.matchAll(TEST_NAME)].map(([, , name = '']) => name);
    expect(names.flatMap(habitsIn)).toEqual([]);
  },
);

test('the check finds a bad habit in a comment', () => {
  const comment = '/**\n * Returns the record;\n * nobody asks for `it;`.\n */';
  expect(habitsIn(inOneLine(comment))).toEqual([
    expect.stringContaining('"nobody" (better: the outcome is unknown'),
    expect.stringContaining('";" (better: . (a new sentence))'),
  ]);
});
