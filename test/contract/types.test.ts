import {
  createSourceFile,
  forEachChild,
  isAsExpression,
  isNonNullExpression,
  ScriptTarget,
  type Node,
} from 'typescript';

import { paths, read } from './repository';

/** Maximum number of type assertions for gaps in n8n's types, stored data or copied errors. */
const MOST = 6;

const shipped = paths.filter((path) => /^(nodes|credentials)\/.*\.ts$/.test(path));

/** Ignores `as const`, because it doesn't override the compiler. */
function assertionsIn(path: string): string[] {
  const file = createSourceFile(path, read(path), ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: Node): void => {
    const isAssertion = isNonNullExpression(node) || (isAsExpression(node) && node.type.getText() !== 'const');
    if (isAssertion) found.push(`${path}: ${node.getText().slice(-80)}`);
    forEachChild(node, visit);
  };
  visit(file);
  return found;
}

test("shipped code asserts types only if n8n's types are incomplete", () => {
  expect(shipped.length).toBeGreaterThan(100);
  const all = shipped.flatMap(assertionsIn);
  expect({ all, tooMany: all.length > MOST }).toEqual({ all, tooMany: false });
});
