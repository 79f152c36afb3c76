import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  createSourceFile,
  isCallExpression,
  isImportDeclaration,
  isStringLiteralLike,
  isTemplateExpression,
  ModuleKind,
  ScriptTarget,
  SyntaxKind,
  transpileModule,
  type Node,
} from 'typescript';

import { root } from '../../host/paths';
import type { FileResult, Score } from './report';
import type { Target } from './targets';

export type MutationRecord = Partial<Record<string, Score & Pick<FileResult, 'survivors'> & { digest: string }>>;

/** Minimum percentage of a file's mutants that the tests must detect. */
export const LEAST_PERCENT = 90;

const recordFile = join(__dirname, 'record.json');

export const readRecord = (): MutationRecord =>
  existsSync(recordFile) ? (JSON.parse(readFileSync(recordFile, 'utf8')) as MutationRecord) : {};

/** Returns whether the file or its tests have changed since the last recording. */
export const hasChanged = (record: MutationRecord, target: Target): boolean =>
  record[target.file]?.digest !== digestOf(target);

/** Writes the mutation score of one file, and removes the scores of files that are no longer tested. */
export function writeRecord({ file, score, survivors }: FileResult, digest: string, targets: Target[]): void {
  const record = { ...readRecord(), [file]: { digest, ...score, survivors } };
  const kept = Object.entries(record).filter(([name]) => targets.some((target) => target.file === name));
  const sorted = Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(recordFile, `${JSON.stringify(sorted, undefined, 2)}\n`);
}

/** Returns the first 16 hexadecimal digits of a SHA-256 digest of the file and its tests. */
export function digestOf({ file, tests }: Target): string {
  const hash = createHash('sha256');
  for (const code of [file, ...tests].map(codeOf)) hash.update(`${code}\n`);
  return hash.digest('hex').slice(0, 16);
}

const codes = new Map<string, string>();

function codeOf(file: string): string {
  const code = codes.get(file) ?? essenceOf(readFileSync(join(root, file), 'utf8'));
  codes.set(file, code);
  return code;
}

/** Returns the code without parts that can't affect a mutation score. */
export function essenceOf(source: string): string {
  const compilerOptions = { target: ScriptTarget.ES2022, module: ModuleKind.ESNext, removeComments: true };
  const { outputText } = transpileModule(source, { compilerOptions });
  return tokensOf(createSourceFile('code.js', outputText, ScriptTarget.ES2022, true)).join(' ');
}

function tokensOf(node: Node): string[] {
  if (isImportDeclaration(node) || isTestName(node)) return [];
  const children = node.getChildren();
  if (children.length === 0) return [node.getText()];
  const isCommaLast = node.kind === SyntaxKind.SyntaxList && children.at(-1)?.kind === SyntaxKind.CommaToken;
  return (isCommaLast ? children.slice(0, -1) : children).flatMap(tokensOf);
}

function isTestName(node: Node): boolean {
  const { parent } = node;
  if (!(isStringLiteralLike(node) || isTemplateExpression(node)) || !isCallExpression(parent)) return false;
  return parent.arguments[0] === node && /^(it|test|describe)\b/.test(parent.expression.getText());
}
