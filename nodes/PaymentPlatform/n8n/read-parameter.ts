import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';
import type { Problem } from '../fields/types';
import { describe } from '../fields/value';
import { type DataValue, isList, isObject, plainData } from '../shared/objects';
import { maskCardNumbers, maskLongNumbers } from '../shared/privacy';
import { isTool } from './lineage';

/** An expression that is the path of a field alone, as the editor writes it for a field that is dragged into the panel. */
const PATH = /^=\{\{\s*\$json((?:\.[A-Za-z_]\w*|\[(?:"[^"\\{}\n]+"|'[^'\\{}\n]+'|0|[1-9]\d{0,8})\])+)\s*\}\}$/;
const STEP = /\.(\w+)|\["([^"]+)"\]|\['([^']+)'\]|\[(\d+)\]/g;

/**
 * What a parameter says, where n8n need not evaluate it: nothing in it is an expression but paths of fields of the item
 * that hold a text, a number, true or false. The answer is the caller's own.
 * @param written as it stands in the node.
 * @param item what the item holds; nothing where that is not sure.
 * @returns `undefined` where n8n has to be asked: for every other expression, for a field that is not there, is null or
 * holds more than one value, and so for every mistake, which n8n explains.
 */
export function readDirectly(written: DataValue, item: () => IDataObject | undefined): DataValue | undefined {
  if (typeof written === 'string') return written.startsWith('=') ? fieldAt(written, item) : written;
  if (!isObject(written) && !isList(written)) return written;
  const copy: Array<[string, DataValue]> = [];
  for (const [name, value] of Object.entries(written)) {
    const read = readDirectly(value, item);
    if (read === undefined) return undefined;
    copy.push([name, read]);
  }
  return Array.isArray(written) ? copy.map(([, value]) => value) : Object.fromEntries(copy);
}

function fieldAt(expression: string, item: () => IDataObject | undefined): DataValue | undefined {
  const [, path] = PATH.exec(expression) ?? [];
  if (path === undefined) return undefined;
  let value: DataValue = item();
  for (const [, word, double, single, index] of path.matchAll(STEP))
    value = fieldOf(value, word ?? double ?? single ?? index ?? '');
  return isSingle(value) ? value : undefined;
}

/** What every object has beside its own fields is not the item's. */
function fieldOf(value: DataValue, name: string): DataValue {
  if (isList(value)) return Object.hasOwn(value, name) ? value[Number(name)] : undefined;
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

const isSingle = (value: DataValue): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** What is allowed where an expression fails. */
export const NO_VALUE = 'must be an expression that gives a value for this item';

/** The value of a parameter for one item, or why its expression gives none. */
export type Evaluated = { value: DataValue } | { failed: Pick<Problem, 'found' | 'allowed'> };

/**
 * Evaluates a parameter, by its path, for one item, and copies its value as plain data: what is checked is what is sent. A
 * parameter that is not there is `undefined`; nothing is thrown.
 */
export function evaluated(context: IExecuteFunctions, path: string, itemIndex: number): Evaluated {
  try {
    // A missing parameter gives the fallback; n8n throws without one.
    return { value: plainData(context.getNodeParameter(path, itemIndex, '')) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'no reason given';
    return {
      failed: {
        found: `an expression that fails: ${describe(reason)}`,
        allowed: NO_VALUE,
      },
    };
  }
}

/**
 * Evaluates a parameter of the top level for one item as n8n does. What needs no evaluation is read where it stands: a
 * fixed value in the node, a field of the item in the item. Asking n8n for it takes longer than sending the request.
 * @param node the node as n8n gives it, with the same values for all items of a run.
 */
export function readParameter(context: IExecuteFunctions, node: INode, name: string, itemIndex: number): Evaluated {
  const written = node.parameters[name];
  // Nothing is the fallback.
  if (written === undefined) return { value: '' };
  // The item that a tool is called for need not be the one that n8n evaluates for.
  const item = isTool(node) ? () => undefined : () => context.getInputData()[itemIndex]?.json;
  const value = readDirectly(written, item);
  return value === undefined ? evaluated(context, name, itemIndex) : { value };
}

/** What of an expression is evaluated; text around it stands as it is. */
const CODE = /\{\{.*?\}\}/gs;
/** A node by its name: $('CRM'), $node["CRM"], $items("CRM"). */
const BY_NAME = /\$(?:\(\s*|node\s*\[\s*|items\(\s*)(["'`])((?:\\.|(?!\1)[^\\])+)\1/gs;
/** The same where the name is one word: $node.CRM. */
const BY_WORD = /\$node\.([A-Za-z_]\w*)/g;
/** What the node before gave. */
const OF_INPUT = /\$(?:json|binary|data|input)\b|\$items\(\s*\)/;
/** The name of a field in brackets, and a place in a list. */
const IN_BRACKETS = /\[\s*(?:"[^"]*"|'[^']*'|\d{1,3})\s*\]/g;
/** A text, or a number that is no part of a name. */
const LITERAL = /["'`]|(?<![\w$])\d/;

const LONGEST = 60;

/** Where the value of an expression comes from. */
export interface Expression {
  /** The parts that are evaluated, one at least. */
  code: string[];
  /** Nodes that it names, in their order. */
  nodes: string[];
  /** Whether it reads what the node before gave. */
  readsInput: boolean;
  /** Whether a language model fills it. */
  fromModel: boolean;
}

/**
 * n8n takes any spelling of it (n8n.md#parameters), with space before the bracket; one without a bracket is
 * taken for it to be safe.
 */
export const FROM_AI = /\$\s*fromai/i;

/** What a parameter says about where its value comes from; `undefined` where it stands there as it is. */
export function expressionIn(text: unknown): Expression | undefined {
  const code = typeof text === 'string' && text.startsWith('=') ? text.match(CODE) : null;
  if (!code) return undefined;
  const all = code.join(' ');
  const named = [...all.matchAll(BY_NAME)].map(([, , name = '']) => name.replace(/\\(.)/gs, '$1'));
  const words = [...all.matchAll(BY_WORD)].map(([, name = '']) => name);
  return {
    code: [...code],
    nodes: [...new Set([...named, ...words])],
    readsInput: OF_INPUT.test(all),
    fromModel: FROM_AI.test(all),
  };
}

/** Whether code only says where the value stands: no value of a person's own is in it. */
export const isPlain = (code: string): boolean => !LITERAL.test(code.replace(BY_NAME, '$').replace(IN_BRACKETS, ''));

/** A text of one line that is not too long for a sentence. */
export function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 3)}...` : line;
}

/** The name of a node in a sentence: a person can have put a card number there too. */
export const nodeInWords = (name: string): string => `"${shortened(maskLongNumbers(maskCardNumbers(name)))}"`;
