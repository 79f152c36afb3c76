import type { IExecuteFunctions, INode } from 'n8n-workflow';

import type { Problem } from '../fields/types';
import { describe } from '../fields/value';
import type { DataValue } from '../shared/objects';
import { plainData } from '../shared/plain-data';
import { readDirectly } from './read-directly';
import { isTool } from './is-tool';

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
