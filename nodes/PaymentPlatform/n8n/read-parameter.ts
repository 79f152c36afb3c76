import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';
import type { Problem } from '../fields/types';
import { describe } from '../fields/value';
import { type DataValue, isList, isObject, plainData } from '../shared/objects';
import { maskCardNumbers, maskLongNumbers } from '../shared/privacy';
import { isTool } from './lineage';

/** Matches an expression that contains only a field's path, as in the editor's expression for a dragged field. */
const PATH = /^=\{\{\s*\$json((?:\.[A-Za-z_]\w*|\[(?:"[^"\\{}\n]+"|'[^'\\{}\n]+'|0|[1-9]\d{0,8})\])+)\s*\}\}$/;
const STEP = /\.(\w+)|\["([^"]+)"\]|\['([^']+)'\]|\[(\d+)\]/g;

/**
 * Reads a parameter without n8n if each of its expressions is the path of an item field with a text, a number or a
 * boolean. Returns a copy.
 * @param written the parameter as stored in the node.
 * @param item returns the item's fields, or `undefined` if the item is unknown.
 * @returns `undefined` if n8n must evaluate the parameter, because an expression is more complex or a field has no such
 * value. n8n then also reports mistakes in the expression.
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

/** Returns a field of an item. Ignores inherited properties of the object. */
function fieldOf(value: DataValue, name: string): DataValue {
  if (isList(value)) return Object.hasOwn(value, name) ? value[Number(name)] : undefined;
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

const isSingle = (value: DataValue): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** Error message for an expression that fails. */
export const NO_VALUE = 'must be an expression that returns a value for this item';

/** Value of a parameter for an item, or the reason why its expression fails. */
export type Evaluated = { value: DataValue } | { failed: Pick<Problem, 'found' | 'allowed'> };

/**
 * Evaluates the parameter at a path for an item. Copies the value as plain data, so that the node sends the value that
 * it checked. Returns empty text for a missing parameter. Never throws.
 */
export function evaluated(context: IExecuteFunctions, path: string, itemIndex: number): Evaluated {
  try {
    // Without the fallback value, n8n throws for a missing parameter.
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
 * Evaluates a top-level parameter for an item. Reads fixed values and paths of item fields directly, because n8n would
 * take longer to evaluate them than to send the request.
 * @param node the node from n8n, with the same parameters for all items of a run.
 */
export function readParameter(context: IExecuteFunctions, node: INode, name: string, itemIndex: number): Evaluated {
  const written = node.parameters[name];
  // A missing parameter has the same fallback value in `evaluated`.
  if (written === undefined) return { value: '' };
  // For a tool call, n8n may evaluate expressions with another item, so the node must not read the item.
  const item = isTool(node) ? () => undefined : () => context.getInputData()[itemIndex]?.json;
  const value = readDirectly(written, item);
  return value === undefined ? evaluated(context, name, itemIndex) : { value };
}

/** Matches the evaluated parts of an expression. The text around them is literal. */
const CODE = /\{\{.*?\}\}/gs;
/** Matches a node's name in $('CRM'), $node["CRM"] and $items("CRM"). */
const BY_NAME = /\$(?:\(\s*|node\s*\[\s*|items\(\s*)(["'`])((?:\\.|(?!\1)[^\\])+)\1/gs;
/** Matches a node's name in $node.CRM. */
const BY_WORD = /\$node\.([A-Za-z_]\w*)/g;
/** Matches the output of the previous node. */
const OF_INPUT = /\$(?:json|binary|data|input)\b|\$items\(\s*\)/;
/** Matches a field name or a list index in brackets. */
const IN_BRACKETS = /\[\s*(?:"[^"]*"|'[^']*'|\d{1,3})\s*\]/g;
/** Matches text, or a number that isn't part of a name. */
const LITERAL = /["'`]|(?<![\w$])\d/;

const LONGEST = 60;

/** Parts of a parameter's expression. */
export interface Expression {
  /** Evaluated parts, at least one. */
  code: string[];
  /** Names of the nodes in the expression, in order. */
  nodes: string[];
  /** Whether the expression reads the output of the previous node. */
  readsInput: boolean;
  /** Whether a language model fills in the value. */
  fromModel: boolean;
}

/**
 * Matches $fromAI in any spelling, because n8n ignores case and allows a space before the parenthesis
 * (n8n.md#parameters). To be safe, also matches a call without a parenthesis.
 */
export const FROM_AI = /\$\s*fromai/i;

/** Analyzes the expression of a parameter. Returns `undefined` for a fixed value. */
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

/** Returns whether an expression contains only names and positions, and no literal value. */
export const isPlain = (code: string): boolean => !LITERAL.test(code.replace(BY_NAME, '$').replace(IN_BRACKETS, ''));

/** Returns the text in one line, shortened for a sentence. */
export function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 3)}...` : line;
}

/** Returns the name of a node for a sentence. Masks long numbers, because the name may contain a card number. */
export const nodeInWords = (name: string): string => `"${shortened(maskLongNumbers(maskCardNumbers(name)))}"`;
