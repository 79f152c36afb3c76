import { deepCopy, type IExecuteFunctions, type INode } from 'n8n-workflow';

import type { Problem } from '../fields/types';
import { describe } from '../fields/value';
import type { DataValue } from '../shared/objects';

/** What is allowed where an expression fails. */
export const NO_VALUE = 'must be an expression that gives a value for this item';

/** The value of a parameter for one item, or why its expression gives none. */
export type Evaluated = { value: DataValue } | { failed: Pick<Problem, 'found' | 'allowed'> };

/** Evaluates a parameter, by its path, for one item. A parameter that is not there is `undefined`; nothing is thrown. */
export function evaluated(context: IExecuteFunctions, path: string, itemIndex: number): Evaluated {
  try {
    // A missing parameter gives the fallback; n8n throws without one.
    return { value: context.getNodeParameter(path, itemIndex, '') };
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
 * Evaluates a parameter of the top level for one item as n8n does. What stands in the node as it is, without an
 * expression, is read there: asking n8n for it looks through all parameters of the node each time.
 * @param node the node as n8n gives it, with the same values for all items of a run.
 */
export function parameterOf(context: IExecuteFunctions, node: INode, name: string, itemIndex: number): Evaluated {
  const written = node.parameters[name];
  if (!isFixed(written)) return evaluated(context, name, itemIndex);
  // An item of its own for each, as from n8n; nothing is the fallback.
  return { value: written === undefined ? '' : deepCopy(written) };
}

/** Whether no text in a value is an expression. */
function isFixed(value: unknown): boolean {
  if (typeof value === 'string') return !value.startsWith('=');
  return typeof value !== 'object' || value === null || Object.values(value).every(isFixed);
}
