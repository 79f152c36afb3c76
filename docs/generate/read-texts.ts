import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import * as ts from 'typescript';

import { root } from '../../interface/generate/interface-document';

/** Beyond this number of alternatives, a part of a text becomes a placeholder. */
const MOST_ALTERNATIVES = 8;
/** Number of alternatives above which a placeholder replaces part of a sentence. */
const MOST_IN_A_PART = 6;
const DEEPEST = 8;

type Values = ReadonlyMap<string, string[]>;
type Function = ts.ArrowFunction | ts.FunctionDeclaration;

/** Expression in shipped code, with its source file. */
export interface Found<Node extends ts.Node = ts.Node> {
  node: Node;
  source: Source;
}

/** Parsed file with its constants, functions and imports. */
export interface Source {
  path: string;
  file: ts.SourceFile;
  constants: Map<string, ts.Expression>;
  functions: Map<string, Function>;
  calls: Map<string, ts.CallExpression[]>;
  imports: Map<string, { path: string; name: string }>;
}

/** Returns all shipped TypeScript files by path. */
export function readSources(folders = ['nodes', 'credentials']): Map<string, Source> {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).replace(/\\/g, '/')),
  );
  return new Map(paths.sort().map((path) => [path, readSource(path, readFileSync(join(root, path), 'utf8'))]));
}

/** Parses a file and collects its constants, functions, calls and imports. */
export function readSource(path: string, text: string): Source {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const source: Source = {
    path,
    file,
    constants: new Map(),
    functions: new Map(),
    calls: new Map(),
    imports: new Map(),
  };
  walk(file, (node) => {
    if (ts.isImportDeclaration(node)) addImports(source, node);
    if (ts.isFunctionDeclaration(node) && node.name) source.functions.set(node.name.text, node);
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const name = node.expression.text;
      source.calls.set(name, [...(source.calls.get(name) ?? []), node]);
    }
    if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || !node.initializer) return;
    if (ts.isArrowFunction(node.initializer)) source.functions.set(node.name.text, node.initializer);
    else source.constants.set(node.name.text, node.initializer);
  });
  return source;
}

function addImports({ path, imports }: Source, { moduleSpecifier, importClause }: ts.ImportDeclaration): void {
  const bindings = importClause?.namedBindings;
  if (!ts.isStringLiteral(moduleSpecifier) || !moduleSpecifier.text.startsWith('.') || !bindings) return;
  const target = join(dirname(path), moduleSpecifier.text).replace(/\\/g, '/');
  if (ts.isNamedImports(bindings))
    for (const { name, propertyName } of bindings.elements)
      imports.set(name.text, { path: target, name: (propertyName ?? name).text });
}

/** Calls `visit` for a syntax node and all its descendants. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** Placeholder words for identifiers that readers of a message would not understand. */
const WORDS: Readonly<Record<string, string>> = {
  addsCents: 'amount',
  allowed: 'format',
  amt_tran: 'amount',
  context: 'name',
  days: 'date',
  href: 'URL',
  identity: 'ID',
  inside: 'fields',
  least: 'minimum',
  length: 'number',
  longest: 'maximum',
  Math: 'amount',
  maxLength: 'maximum',
  most: 'maximum',
  mostBytes: 'maximum',
  mostMinutes: 'maximum age',
  movedCents: 'total',
  named: 'IDs',
  offered: 'choices',
  passed: 'limit',
  proposed: 'suggestion',
  routing: 'field',
  shortest: 'minimum',
  sources: 'choices',
  takenCents: 'total',
  toJSON: 'value',
  unusable: 'reason',
  what: 'reason',
  where: 'list',
  words: 'choices',
  wrong: 'notation',
  zone: 'time zone',
};

/** Converts an identifier to a placeholder, for example `limitPerDay` to "{limit per day}". */
const placeholder = (name: string) =>
  `{${
    WORDS[name] ??
    name
      .replace(/_/g, ' ')
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
  }}`;

/** Returns whether a text contains only placeholders. */
export const isPassedOn = (text: string): boolean => !/[a-z]{2}/i.test(text.replace(/\{[^}]*\}/g, ''));

/** Evaluates texts without running the code. Values known only at run time become placeholders. */
export class Texts {
  constructor(private readonly sources: ReadonlyMap<string, Source>) {}

  /** Returns a text's alternatives, for example one for each branch of a conditional expression. */
  of({ node, source }: Found, values: Values = new Map(), depth = 0): string[] {
    const inside = (one: ts.Node) => this.of({ node: one, source }, values, depth + 1);
    if (depth > DEEPEST) return [placeholder('value')];
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isTemplateExpression(node)) {
      const parts = node.templateSpans.flatMap(({ expression, literal }) => [
        inWords(inside(expression), expression),
        [literal.text],
      ]);
      return joined([[node.head.text], ...parts]);
    }
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
      return inside(node.expression);
    if (ts.isConditionalExpression(node)) {
      const isTrue = decided(node.condition, values);
      const branches =
        isTrue === undefined ? [node.whenTrue, node.whenFalse] : [isTrue ? node.whenTrue : node.whenFalse];
      return unique(branches.flatMap(inside));
    }
    if (ts.isBinaryExpression(node)) {
      const isSum = node.operatorToken.kind === ts.SyntaxKind.PlusToken;
      if (isSum && ts.isNumericLiteral(node.right)) return [placeholder(nameOf(node.left))];
      const both = [inside(node.left), inside(node.right)];
      return isSum ? joined(both) : unique(both.flat());
    }
    if (ts.isIdentifier(node) && values.has(node.text)) return values.get(node.text) ?? [];
    const value = this.valueOf({ node, source });
    if (value && value.node !== node) return this.of(value, values, depth + 1);
    if (ts.isElementAccessExpression(node)) return this.entriesOf({ node, source }, values, depth);
    if (ts.isCallExpression(node)) return this.returned({ node, source }, values, depth);
    return [placeholder(nameOf(node))];
  }

  functionOf(name: string, source: Source): Found<Function> | undefined {
    const own = source.functions.get(name);
    if (own) return { node: own, source };
    const from = this.imported(name, source);
    return from && this.functionOf(from.name, from.source);
  }

  private imported(name: string, source: Source) {
    const from = source.imports.get(name);
    const target = from && (this.sources.get(`${from.path}.ts`) ?? this.sources.get(`${from.path}/index.ts`));
    return target && { name: from.name, source: target };
  }

  private valueOf({ node, source }: Found): Found | undefined {
    if (ts.isIdentifier(node)) {
      const own = source.constants.get(node.text);
      if (own) return { node: own, source };
      const from = this.imported(node.text, source);
      return from && this.valueOf({ node: ts.factory.createIdentifier(from.name), source: from.source });
    }
    if (!ts.isPropertyAccessExpression(node)) return undefined;
    const object = this.objectOf({ node: node.expression, source });
    const property = object?.node.properties.find(
      (one) => ts.isPropertyAssignment(one) && one.name.getText(object.source.file) === node.name.text,
    );
    return property && ts.isPropertyAssignment(property) && object
      ? { node: property.initializer, source: object.source }
      : undefined;
  }

  private objectOf(found: Found): Found<ts.ObjectLiteralExpression> | undefined {
    const value = ts.isObjectLiteralExpression(found.node) ? found : this.valueOf(found);
    if (value && (ts.isAsExpression(value.node) || ts.isSatisfiesExpression(value.node)))
      return this.objectOf({ node: value.node.expression, source: value.source });
    return value && ts.isObjectLiteralExpression(value.node) ? { node: value.node, source: value.source } : undefined;
  }

  private entriesOf({ node, source }: Found<ts.ElementAccessExpression>, values: Values, depth: number): string[] {
    const object = this.objectOf({ node: node.expression, source });
    const entries = object?.node.properties.filter(ts.isPropertyAssignment) ?? [];
    if (!object || entries.length === 0 || entries.length > MOST_ALTERNATIVES) return [placeholder(nameOf(node))];
    return unique(
      entries.flatMap(({ initializer }) => this.of({ node: initializer, source: object.source }, values, depth + 1)),
    );
  }

  private returned({ node, source }: Found<ts.CallExpression>, values: Values, depth: number): string[] {
    const name = ts.isIdentifier(node.expression) ? node.expression.text : '';
    const called = this.functionOf(name, source);
    if (!called?.node.body) return [placeholder(nameOf(node))];
    const given = new Map<string, string[]>();
    called.node.parameters.forEach((parameter, index) => {
      const argument = node.arguments[index];
      if (ts.isIdentifier(parameter.name) && argument)
        given.set(parameter.name.text, this.of({ node: argument, source }, values, depth + 1));
    });
    const results = resultsOf(called.node).filter((one) => !ts.isObjectLiteralExpression(one));
    if (results.length === 0 || results.length > MOST_ALTERNATIVES) return [placeholder(nameOf(node))];
    return unique(results.flatMap((one) => this.of({ node: one, source: called.source }, given, depth + 1)));
  }
}

/** Evaluates a condition such as `outcome === 'unknown'`. Returns undefined for an unknown variable. */
function decided(condition: ts.Expression, values: Values): boolean | undefined {
  if (!ts.isBinaryExpression(condition) || !ts.isIdentifier(condition.left) || !ts.isStringLiteral(condition.right))
    return undefined;
  const [known, ...others] = values.get(condition.left.text) ?? [];
  if (known === undefined || others.length > 0) return undefined;
  return (condition.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken) === (known === condition.right.text);
}

function resultsOf({ body }: Function): ts.Expression[] {
  if (!body || !ts.isBlock(body)) return body ? [body] : [];
  const results: ts.Expression[] = [];
  walk(body, (node) => {
    if (ts.isReturnStatement(node) && node.expression) results.push(node.expression);
  });
  return results;
}

/** For a call such as `names.join()`, returns the name of the object. */
function nameOf(node: ts.Node): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isElementAccessExpression(node)) return nameOf(node.argumentExpression);
  if (ts.isBinaryExpression(node)) return nameOf(node.left);
  if (!ts.isCallExpression(node)) return 'value';
  if (ts.isPropertyAccessExpression(node.expression)) return nameOf(node.expression.expression);
  const [argument] = node.arguments;
  return argument ? nameOf(argument) : nameOf(node.expression);
}

const unique = (texts: string[]) => [...new Set(texts)];

const joined = (parts: string[][]): string[] =>
  parts.reduce<string[]>(
    (begun, part) =>
      begun.length * part.length > MOST_ALTERNATIVES
        ? begun.map((text) => `${text}${placeholder('value')}`)
        : begun.flatMap((text) => part.map((more) => text + more)),
    [''],
  );

function inWords(alternatives: string[], expression: ts.Expression): string[] {
  if (ts.isElementAccessExpression(expression)) return [placeholder(nameOf(expression))];
  const worded = alternatives.filter((text) => !isPassedOn(text) && !text.includes('{undefined}'));
  if (worded.length > 0) return worded.length > MOST_IN_A_PART ? [placeholder(nameOf(expression))] : worded;
  const [named] = alternatives.toSorted((a, b) => score(b) - score(a));
  return [named ?? ''];
}

const score = (text: string) => (text === '' ? 0 : text.includes(placeholder('value')) ? 1 : 2);
