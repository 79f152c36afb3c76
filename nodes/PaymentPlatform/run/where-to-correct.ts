import type { IExecuteFunctions, INode } from 'n8n-workflow';

import type { Field, Problem } from '../fields/types';
import { writtenAs, normalizeText, type NormalizedText } from '../fields/read-field';
import { objectIn } from '../shared/objects';
import { ADDITIONAL_FIELDS } from '../fields/editor';
import { additionalFields } from '../model/extra-fields';
import { parametersOf } from '../output/own-parameters';
import { AND_RUN, CORRECT_AND_RUN, MOST_PROBLEMS_NAMED } from '../output/node-error';
import { expressionIn, isPlain, nodeInWords, onOneLine, type Expression, NO_VALUE } from '../n8n/read-parameter';
import { GUARD_NAMES, GUARDS } from '../model/guards';
import { OPTIONS } from './read-options';
import type { Scrubber } from '../messages/scrubber';
import { isTool } from '../n8n/lineage';
import type { Operation } from '../model/types';

export interface Item {
  context: IExecuteFunctions;
  operation: Operation;
  node: INode;
  scrubber: Scrubber;
  /** Fields under Extra Body Fields that have their own parameters. */
  extra?: ReadonlySet<string>;
}

interface Origin {
  /** Labels in quotes, or "The value" if only one value is invalid. */
  values: string[];
  nothing: boolean;
  fromModel: boolean;
  /** Source of the values, such as `the node "CRM" ({{ $json.amount }})`. */
  from: string;
}

/** If invalid values come from expressions, names the nodes in the expressions. */
export function whereToCorrect(problems: readonly Problem[], item: Item): string {
  // A failed expression returned no value that a user could correct in another node.
  const failing = new Set(problems.filter(({ allowed }) => allowed === NO_VALUE).map(({ label }) => label));
  const named = problems.slice(0, MOST_PROBLEMS_NAMED).filter(({ label }) => !failing.has(label));
  const written = named.length > 0 ? allWritten(item) : [];
  const onlyOne = problems.length === 1;
  const origins = together(named.flatMap((problem) => originOf(problem, written, item, onlyOne) ?? []));
  if (origins.length === 0) return CORRECT_AND_RUN;
  if (isTool(item.node)) return origins.map(forModel).join(' ');
  if (onlyOne) return origins.map((one) => `${came(one)}. ${whereOf(one)}${AND_RUN}`).join(' ');
  return [...origins.map((one) => `${came(one)}.`), `Correct each value at its source${AND_RUN}`].join(' ');
}

function together(origins: Origin[]): Origin[] {
  const found = new Map<string, Origin>();
  for (const origin of origins) {
    const key = JSON.stringify([origin.from, origin.nothing, origin.fromModel]);
    const values = [...(found.get(key)?.values ?? []), ...origin.values];
    found.set(key, { ...origin, values: [...new Set(values)] });
  }
  return [...found.values()];
}

const whereOf = ({ nothing }: Origin) =>
  nothing ? 'Correct the value there or the expression here' : 'Correct the value there';

function came({ values, nothing, from }: Origin): string {
  const verb = values.length > 1 ? 'come' : 'comes';
  return nothing
    ? `${listed(values)} should come from ${from}, which returned no value`
    : `${listed(values)} ${verb} from ${from}`;
}

function forModel(origin: Origin): string {
  const { fromModel, nothing, values } = origin;
  if (!fromModel) return `${came(origin)}. Only a person can change this value.`;
  const what = listed(values.map((one) => (one === IT ? 'this value' : one)));
  return nothing ? `The model provided no value for ${what}.` : `The model provided ${what}.`;
}

const IT = 'The value';

const listed = (texts: string[]): string =>
  [texts.slice(0, -1).join(', '), ...texts.slice(-1)].filter(Boolean).join(' and ');

function allWritten({ operation, node, extra }: Item): NormalizedText[] {
  const parameters = objectIn(node.parameters);
  const own = (fields: readonly Field[]) => fields.filter(({ name }) => !extra?.has(name));
  const other = (label: string, text: unknown): NormalizedText => ({ label, text, secret: false, alone: false });
  const fields = [
    ...normalizeText(own(operation.fields), parameters),
    ...normalizeText(own(additionalFields(operation)), objectIn(parameters[ADDITIONAL_FIELDS])),
  ];
  const labels = new Set([...fields, ...operation.fields].map(({ label }) => label));
  const others = parametersOf(operation).filter(({ displayName }) => !labels.has(displayName));
  const options = objectIn(parameters[OPTIONS]);
  const guards = isTool(node) ? (['oncePerKey'] as const) : GUARD_NAMES;
  return [
    ...fields,
    ...others.map(({ name, displayName }) => other(displayName, parameters[name])),
    ...guards.map((name) => other(GUARDS[name], options[name])),
  ];
}

const QUOTED = /^"([^"]+)" /;

function originOf(
  { label, found }: Problem,
  written: NormalizedText[],
  item: Item,
  onlyOne: boolean,
): Origin | undefined {
  const [, refused = label] = QUOTED.exec(found) ?? [];
  for (const name of new Set([label, refused])) {
    const parameter = writtenAs(name, written);
    const expression = expressionIn(parameter?.text);
    if (!parameter || !expression) continue;
    const fromModel = expression.fromModel && isTool(item.node);
    return {
      values: [onlyOne && name === label ? IT : `"${name}"`],
      nothing: found === 'nothing',
      fromModel,
      from: fromModel ? '' : fromWhere(expression, parameter, item),
    };
  }
  return undefined;
}

function fromWhere(expression: Expression, parameter: NormalizedText, { context, node, scrubber }: Item): string {
  const nodes = nodesOf(expression, isTool(node) ? undefined : nodeBefore(context));
  const code = shownOf(expression, parameter);
  const shown = code === undefined ? '' : onOneLine(scrubber.words(code));
  if (nodes.length === 0) return shown === '' ? 'an expression' : `the expression ${shown}`;
  const named = `the ${nodes.length > 1 ? 'nodes' : 'node'} ${listed(nodes)}`;
  return shown === '' ? named : `${named} (${shown})`;
}

function shownOf({ code }: Expression, { text, secret, alone }: NormalizedText): string | undefined {
  if (secret || typeof text !== 'string') return undefined;
  if (alone) return text.slice(1);
  return code.length === 1 ? code.find(isPlain) : undefined;
}

/**
 * Returns no node if one of them is unknown.
 * @param before preceding node. `undefined` for a tool, because its input can contain the model's values
 * (n8n.md#tools).
 */
function nodesOf({ nodes, readsInput }: Expression, before: string | undefined): string[] {
  if (!readsInput) return nodes.map(nodeInWords);
  return before === undefined ? [] : [...new Set([...nodes, before])].map(nodeInWords);
}

/** Returns `undefined` if n8n throws (n8n.md#items-and-errors). */
function nodeBefore(context: IExecuteFunctions): string | undefined {
  try {
    return context.getInputSourceData().previousNode;
  } catch {
    return undefined;
  }
}
