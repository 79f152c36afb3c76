import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { factsOf, type FileFound } from '../service/read-files';
import { planItem } from './plan-item';
import type { Planned, Account, Operation } from '../model/types';

/**
 * As `planItem`, for a request that may carry files. What the parameters name is known once they are read, and n8n gives
 * a file only later: so the item is planned to learn its files, and planned again with what is known of them.
 */
export async function planWithFiles(
  context: IExecuteFunctions,
  operation: Operation,
  account: Account,
  itemIndex: number,
  node: INode,
): Promise<Planned> {
  const named = new Map<string, number>();
  const first = planItem(context, operation, account, itemIndex, node, (property, mostBytes) => {
    named.set(property, Math.max(mostBytes, named.get(property) ?? 0));
    return undefined;
  });
  if (named.size === 0) return first;
  const found = new Map<string, FileFound>();
  for (const [property, mostBytes] of named)
    found.set(property, await factsOf(context, itemIndex, property, mostBytes));
  return planItem(context, operation, account, itemIndex, node, (property) => found.get(property));
}
