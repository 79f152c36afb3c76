import { parse } from 'yaml';

import { testEvery } from '../every-case';
import { read, texts } from './repository';

/** Wording rules that `npm run lint:prose` applies to documents. */
const { rules } = parse(read('.ci/prose.yml')) as { rules: { pattern: string; expected: string }[] };
const habits = rules.map(({ pattern, expected }) => {
  const [, source = '', flags] = /^\/(.*)\/(\w*)$/.exec(pattern) ?? [];
  return { pattern: new RegExp(source, flags), expected };
});

const COMMENT = /(?<=^[ \t]*)\/\*[\s\S]*?\*\/|(?<=^[ \t]*|[;,{(] )\/\/ [^\n]*(?:\n\s*\/\/[^\n]*)*/gm;
const TEST_NAME = /(?:\b(?:it|test|describe)|[\])`])\(\s*(['"`])((?:\\.|(?!\1)[\s\S])+)\1,/g;
/** Code and quotations, to which the rules don't apply. */
const CODE = /`[^`]*`|"[^"]*"|\S+\.ts\b|@param \S+/g;

const inOneLine = (comment: string): string =>
  comment
    .replace(/^\/\*+|\*\/$/g, '')
    .replace(/\n\s*(?:\*|\/\/)?/g, ' ')
    .replace(/^\/\/|\s+/g, ' ')
    .trim();

function habitsIn(text: string): string[] {
  const words = text.replace(CODE, 'code');
  return habits.flatMap(({ pattern, expected }) => {
    const found = pattern.exec(words);
    return found ? [`"${found[0]}" (better: ${expected}) in "${words}"`] : [];
  });
}

const sources = texts.filter(({ path }) =>
  /^(nodes|credentials|sandbox|host|test|bench|docs|interface\/generate)\/.*\.m?ts$/.test(path),
);

testEvery(sources)('comments follow the prose rules', ({ text }) => {
  const comments = text.match(COMMENT) ?? [];
  expect(comments.flatMap((comment) => habitsIn(inOneLine(comment)))).toEqual([]);
});

testEvery(sources.filter(({ path }) => /^test\/.*\.(test|e2e)\.ts$/.test(path)))(
  'test names follow the prose rules',
  ({ text }) => {
    const names = [...text.matchAll(TEST_NAME)].map(([, , name = '']) => name);
    expect(names.flatMap(habitsIn)).toEqual([]);
  },
);

test('the check finds poor style in a comment', () => {
  const comment = '/**\n * Returns the record;\n * nobody asks for `it;`.\n */';
  expect(habitsIn(inOneLine(comment))).toEqual([
    expect.stringContaining('"nobody" (better: the outcome is unknown'),
    expect.stringContaining('";" (better: . (a new sentence))'),
  ]);
});
