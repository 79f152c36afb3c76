import { IANAZone } from 'luxon';
import { type IDataObject, type IExecuteFunctions, type INode, NodeOperationError } from 'n8n-workflow';
import type { Problem } from '../fields/types';
import { describe } from '../fields/value';
import { cut, type DataValue, isList, isObject, plainData, shortened } from '../shared/objects';
import { maskCardNumbers, maskLongNumbers } from '../shared/privacy';
import { isTool } from './lineage';

/** Matches an expression that is only a field's path, as for a dragged field. */
const PATH = /^=\{\{\s*\$json((?:\.[A-Za-z_]\w*|\[(?:"[^"\\{}\n]+"|'[^'\\{}\n]+'|0|[1-9]\d{0,8})\])+)\s*\}\}$/;
const STEP = /\.(\w+)|\["([^"]+)"\]|\['([^']+)'\]|\[(\d+)\]/g;

/**
 * Reads a parameter without n8n if each of its expressions is only the path of an item field.
 * @param item returns the item's fields, if the item is known.
 * @returns `undefined` if n8n must evaluate the parameter.
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

function fieldOf(value: DataValue, name: string): DataValue {
  if (isList(value)) return Object.hasOwn(value, name) ? value[Number(name)] : undefined;
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

const isSingle = (value: DataValue): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

export const NO_VALUE = 'must be an expression that returns a value for this item';

export type Evaluated = { value: DataValue } | { failed: Pick<Problem, 'found' | 'allowed'> };

/** Never throws. */
export function evaluated(context: IExecuteFunctions, path: string, itemIndex: number): Evaluated {
  try {
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

/** Reads fixed values and paths of item fields directly, because n8n's evaluation is slow. */
export function readParameter(context: IExecuteFunctions, node: INode, name: string, itemIndex: number): Evaluated {
  const written = node.parameters[name];
  if (written === undefined) return { value: '' };
  // In tool calls, n8n may evaluate an expression for another item than `itemIndex`, so only n8n evaluates paths of item fields.
  const item = isTool(node) ? () => undefined : () => context.getInputData()[itemIndex]?.json;
  const value = readDirectly(written, item);
  return value === undefined ? evaluated(context, name, itemIndex) : { value };
}

/** Returns whether the node has a parameter's value. A collection without entries has none. */
export const isGiven = ({ parameters }: INode, name: string): boolean =>
  parameters[name] !== undefined && !(isObject(parameters[name]) && Object.keys(parameters[name]).length === 0);

const CODE = /\{\{.*?\}\}/gs;
/** Matches a node's name in $('CRM'), $node["CRM"] and $items("CRM"). */
const BY_NAME = /\$(?:\(\s*|node\s*\[\s*|items\(\s*)(["'`])((?:\\.|(?!\1)[^\\])+)\1/gs;
const BY_WORD = /\$node\.([A-Za-z_]\w*)/g;
const OF_INPUT = /\$(?:json|binary|data|input)\b|\$items\(\s*\)/;
const IN_BRACKETS = /\[\s*(?:"[^"]*"|'[^']*'|\d{1,3})\s*\]/g;
const LITERAL = /["'`]|(?<![\w$])\d/;

const LONGEST = 60;

export interface Expression {
  code: string[];
  nodes: string[];
  readsInput: boolean;
  fromModel: boolean;
}

/** Matches $fromAI in any spelling that n8n accepts (n8n.md#parameters). */
export const FROM_AI = /\$\s*fromai/i;

/** Returns `undefined` for a fixed value. */
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

/** Returns whether an expression contains no literal value. */
export const isPlain = (code: string): boolean => !LITERAL.test(code.replace(BY_NAME, '$').replace(IN_BRACKETS, ''));

export const onOneLine = (text: string): string => shortened(text.replace(/\s+/g, ' ').trim(), LONGEST);

/** Masks long numbers, because they may be card numbers. */
export const nodeInWords = (name: string): string => `"${onOneLine(maskLongNumbers(maskCardNumbers(name)))}"`;

interface ZoneContext {
  getTimezone(): string;
  getNode(): INode;
}

export const CHOOSE_ZONE =
  "Choose a time zone in the settings of the workflow. If the settings show the default, correct n8n's environment variable GENERIC_TIMEZONE and restart n8n.";

/**
 * In a zone that doesn't exist, luxon returns invalid dates without an error, so limits, searches and periods would
 * have no effect.
 * @throws NodeOperationError if the time zone doesn't exist.
 */
export function timeZoneOf(context: ZoneContext): string {
  const zone = context.getTimezone();
  // `create` caches the zone. Every item reads it.
  if (IANAZone.create(zone).isValid) return zone;
  throw new NodeOperationError(context.getNode(), `The time zone "${cut(zone, LONGEST)}" does not exist`, {
    description: `${CHOOSE_ZONE} Nothing was sent.`,
  });
}
