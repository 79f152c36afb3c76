import type { IDataObject } from 'n8n-workflow';

import { isList, isObject, type DataValue } from '../shared/objects';

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
