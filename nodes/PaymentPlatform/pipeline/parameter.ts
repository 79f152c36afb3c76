import type { IExecuteFunctions } from 'n8n-workflow';

import type { Problem } from '../fields/types';
import { describe } from '../fields/value';

/** The value of a parameter for one item, or why its expression gives none. */
export type Evaluated = { value: unknown } | { failed: Pick<Problem, 'found' | 'allowed'> };

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
        allowed: 'must be an expression that gives a value for this item',
      },
    };
  }
}
