import vm, { type CompileFunctionOptions } from 'node:vm';

import ts from 'typescript';

import { SHIPPED } from '../../shipped-calls';

const entered = new Map<string, Set<string>>();
const { compileFunction } = vm;

/** Jest's runtime compiles each module with this function. The node's modules must load after this file. */
vm.compileFunction = (code, params, options: CompileFunctionOptions = {}) => {
  const { filename = '' } = options;
  const at = filename.indexOf(SHIPPED);
  const isShipped = at >= 0 && typeof code === 'string';
  return compileFunction(isShipped ? reporting(code, filename.slice(at + SHIPPED.length)) : code, params, options);
};

Object.assign(globalThis, {
  enterFile: (path: string, name: string) => void entered.set(path, (entered.get(path) ?? new Set<string>()).add(name)),
});

/** Makes each function report its file and name when it begins. */
function reporting(code: string, path: string): string {
  const inserted: Array<{ at: number; text: string }> = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) return;
    const body: ts.Node = node.body;
    const named: unknown = node.name ?? ('name' in node.parent ? node.parent.name : undefined);
    const call = `enterFile(${JSON.stringify(path)}, ${JSON.stringify(isName(named) ? named.text : '')})`;
    if (ts.isBlock(body)) inserted.push({ at: body.getStart() + 1, text: `${call};` });
    // Sucrase creates a one-line getter for each re-export.
    else if (!isName(named) || named.text !== 'get')
      inserted.push({ at: body.getStart(), text: `(${call}, ` }, { at: body.getEnd(), text: ')' });
  };
  visit(ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS));
  return inserted
    .sort((one, other) => other.at - one.at)
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), code);
}

const isName = (node: unknown): node is ts.Identifier =>
  typeof node === 'object' && node !== null && 'text' in node && typeof node.text === 'string';

export interface EnteredFile {
  path: string;
  functions: string[];
}

/** Returns the files of the package whose functions run, in the order in which the run first enters them. */
export async function filesEntered(run: () => Promise<unknown>): Promise<EnteredFile[]> {
  entered.clear();
  await run();
  return [...entered].map(([path, functions]) => ({ path, functions: [...functions] }));
}

export function stopReporting(): void {
  vm.compileFunction = compileFunction;
}
