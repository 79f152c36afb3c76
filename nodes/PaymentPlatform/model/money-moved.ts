import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../shared/objects';
import type { Moves } from '../wire/facts';
import type { Money } from './types';

/** How much a request with this body moves, by what the interface says of such requests. */
export function moneyBy(moves: Moves, body: IDataObject): Money {
  if (typeof moves === 'string') return moves;
  const { by, unless = [], with: beside = [] } = moves;
  const isTold = beside.every((name) => body[name] !== undefined) && !unless.some((name) => names(body, name));
  return isTold ? { by } : 'untold';
}

/** Whether a field of this name is there, at any depth and in any case. */
function names(value: unknown, field: string): boolean {
  if (Array.isArray(value)) return value.some((one) => names(one, field));
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([name, inner]) => inner !== undefined && (name.toLowerCase() === field || names(inner, field)),
  );
}
