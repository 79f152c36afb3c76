import { execFileSync } from 'node:child_process';

import { transpileModule } from 'typescript';
import { parse } from 'yaml';

import { read, texts } from './repository';

interface Block {
  at: string;
  language: string;
  code: string;
}

const FENCE = /^( *)```(\S*)\n([\s\S]*?)^\1```$/gm;

const blocksOf = (path: string, page: string): Block[] =>
  [...page.matchAll(FENCE)].map(([, indent = '', language = '', code = '']) => ({
    at: `${path}: ${code.trim().split('\n')[0]}`,
    language,
    code: code.replace(new RegExp(`^${indent}`, 'gm'), ''),
  }));

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const NPM_RUN = /\bnpm (?:run (?:--?[\w-]+ )*)([\w:-]+)|\bnpm (start|test)\b/g;

const PARSERS: Record<string, (code: string) => void> = {
  json: (code) => void JSON.parse(code),
  yaml: (code) => void parse(code),
  sh: (code) => void execFileSync('bash', ['-n'], { input: code, stdio: ['pipe', 'ignore', 'pipe'] }),
  ts: (code) => {
    const [problem] = transpileModule(code, { reportDiagnostics: true }).diagnostics ?? [];
    if (problem) throw new Error(JSON.stringify(problem.messageText));
  },
};
const UNPARSED = ['sql', 'dockerfile'];

function problemsOf({ at, language, code }: Block): string[] {
  const parser = PARSERS[language];
  if (!parser && !UNPARSED.includes(language)) return [`${at}: the language "${language}" is unknown`];
  try {
    parser?.(code);
  } catch (error) {
    return [`${at}: ${String(error)}`];
  }
  const missing = [...code.matchAll(NPM_RUN)].map(([, script, short]) => script ?? short ?? '');
  return missing.filter((script) => !(script in scripts)).map((script) => `${at}: no script "${script}"`);
}

const pages = texts.filter(({ path }) => path.endsWith('.md'));

test('every code block in a document can be parsed and names existing npm scripts', () => {
  const blocks = pages.flatMap(({ path, text }) => blocksOf(path, text));
  expect(blocks.length).toBeGreaterThan(15);
  expect(blocks.flatMap(problemsOf)).toEqual([]);
});

test.each([
  ['json', '{ "a": 1, }'],
  ['yaml', 'a: [1'],
  ['sh', "curl 'http://127.0.0.1"],
  ['ts', 'const a = ;'],
  ['sh', 'npm run no-such-script'],
  ['', 'no language'],
])('the check finds an invalid "%s" block: %s', (language, code) => {
  const fence = '```';
  const blocks = blocksOf('README.md', `1. Text\n\n   ${fence}${language}\n   ${code}\n   ${fence}\n`);
  expect(blocks).toHaveLength(1);
  expect(blocks.flatMap(problemsOf)).toHaveLength(1);
});

test('every npm script named in a document exists', () => {
  const named = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/`(?:npm run ([\w:-]+)[^`]*)`/g)].map(([, script = '']) => ({ path, script })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ script }) => !(script in scripts))).toEqual([]);
});
