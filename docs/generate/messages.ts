import * as ts from 'typescript';

import { isPassedOn, readSources, Texts, walk, type Source } from './read-texts';

export type MessageKind = 'item' | 'refusal' | 'value' | 'run' | 'credential' | 'trigger';

export interface Message {
  kind: MessageKind;
  outcome: string;
  text: string;
  remedy: string;
}

interface Form {
  kind: MessageKind;
  text: ts.Expression;
  remedy?: ts.Expression | undefined;
  outcome?: ts.Expression | undefined;
}

const ERRORS = new Set(['NodeOperationError', 'NodeApiError', 'said']);
const VALUE_PROBLEM = 'problem';

const isElsewhere = (path: string) => path.includes('/catalogue/') || path.includes('/interface/');

/** Returns all messages in the shipped code. */
export function readMessages(sources: ReadonlyMap<string, Source> = readSources()): Message[] {
  const texts = new Texts(sources);
  const messages = new Map<string, Message>();
  for (const source of sources.values())
    if (!isElsewhere(source.path))
      walk(source.file, (node) => {
        const form = formOf(node, source);
        if (form) for (const one of spelledOut(form, source, texts, sources)) messages.set(JSON.stringify(one), one);
      });
  return [...messages.values()];
}

function formOf(node: ts.Node, source: Source): Form | undefined {
  if (ts.isObjectLiteralExpression(node)) return objectForm(node, source);
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return undefined;
  const name = ts.isIdentifier(node.expression) ? node.expression.text : '';
  const [first, second, third] = node.arguments ?? [];
  if (ERRORS.has(name) && second && !ts.isObjectLiteralExpression(second))
    return { kind: source.path.includes('/trigger/') ? 'trigger' : 'run', text: second, remedy: descriptionIn(third) };
  if (name === VALUE_PROBLEM && first && !ts.isObjectLiteralExpression(first)) return { kind: 'value', text: first };
  return undefined;
}

function objectForm(node: ts.ObjectLiteralExpression, source: Source): Form | undefined {
  const properties = propertiesOf(node);
  const message = properties.get('message');
  const remedy = properties.get('advice');
  const isAltered = node.properties.some(ts.isSpreadAssignment) && !properties.has('description');
  if (message && (isAltered || remedy || properties.has('outcome')))
    return { kind: 'item', text: message, remedy, outcome: properties.get('outcome') };
  if (message && statusOf(properties) === 'Error') return { kind: 'credential', text: message };
  const what = properties.get('what');
  if (what && remedy) return { kind: 'refusal', text: what, remedy };
  const allowed = properties.get('allowed');
  if (allowed) return { kind: 'value', text: allowed };
  const problem = source.path.includes('/trigger/') ? properties.get('problem') : undefined;
  return problem && { kind: 'trigger', text: problem };
}

const statusOf = (properties: Map<string, ts.Expression>) => {
  const status = properties.get('status');
  return status && ts.isStringLiteral(status) ? status.text : undefined;
};

const propertiesOf = (node: ts.ObjectLiteralExpression) =>
  new Map(
    node.properties.flatMap((one): Array<[string, ts.Expression]> => {
      if (ts.isShorthandPropertyAssignment(one)) return [[one.name.text, one.name]];
      return ts.isPropertyAssignment(one) && ts.isIdentifier(one.name) ? [[one.name.text, one.initializer]] : [];
    }),
  );

const descriptionIn = (options: ts.Expression | undefined) =>
  options && ts.isObjectLiteralExpression(options) ? propertiesOf(options).get('description') : options;

/** If a message's text is a function's parameter, each function call creates a message. */
function spelledOut(
  form: Form,
  source: Source,
  texts: Texts,
  sources: ReadonlyMap<string, Source>,
  depth = 0,
): Message[] {
  const calls = depth < 3 ? callsThatFill(form, source, texts, sources) : [];
  if (calls.length > 0)
    return calls.flatMap((call) => spelledOut({ ...form, ...call.form }, call.source, texts, sources, depth + 1));
  const all = (node: ts.Expression | undefined, values = new Map<string, string[]>()) =>
    node ? texts.of({ node, source }, values) : [''];
  const outcomeName = form.outcome && ts.isIdentifier(form.outcome) ? form.outcome.text : '';
  return all(form.outcome).flatMap((one) => {
    const outcome = isOutcome(one) ? one : '';
    const values = new Map<string, string[]>(outcome === '' ? [] : [[outcomeName, [outcome]]]);
    const remedy = all(form.remedy, values).filter((text) => !isPassedOn(text));
    return all(form.text, values)
      .filter((text) => !isPassedOn(text))
      .map((text) => ({ kind: form.kind, outcome, text, remedy: remedy.join(' _or_ ') }));
  });
}

const isOutcome = (text: string) => /^[a-z]+$/i.test(text);

function callsThatFill(form: Form, source: Source, texts: Texts, sources: ReadonlyMap<string, Source>) {
  if (!ts.isIdentifier(form.text)) return [];
  const around = surrounding(form.text);
  const parameterAt = (wanted: ts.Expression | undefined) =>
    wanted && ts.isIdentifier(wanted)
      ? (around?.node.parameters.findIndex((one) => one.name.getText(source.file) === wanted.text) ?? -1)
      : -1;
  if (!around || parameterAt(form.text) < 0) return [];
  return [...sources.values()].flatMap((other) =>
    (other.calls.get(around.name) ?? []).flatMap(({ arguments: given }) => {
      const filled = (wanted: ts.Expression | undefined) => given[parameterAt(wanted)];
      const text = filled(form.text);
      if (!text || texts.functionOf(around.name, other)?.node !== around.node) return [];
      const { remedy, outcome } = form;
      return [{ form: { text, remedy: filled(remedy) ?? remedy, outcome: filled(outcome) ?? outcome }, source: other }];
    }),
  );
}

function surrounding(node: ts.Node): { node: ts.ArrowFunction | ts.FunctionDeclaration; name: string } | undefined {
  for (let above: ts.Node = node.parent; !ts.isSourceFile(above); above = above.parent) {
    if (ts.isFunctionDeclaration(above)) return { node: above, name: above.name?.text ?? '' };
    if (ts.isArrowFunction(above))
      return { node: above, name: ts.isVariableDeclaration(above.parent) ? above.parent.name.getText() : '' };
  }
  return undefined;
}
