import type { INodeProperties } from 'n8n-workflow';

import { nodeProperties, operationSubtitle } from './panel/node-properties';
import { describeForModels } from './panel/describe-for-models';
import { declared } from './resources';
import { triggerProperties } from './trigger/description';
import { eventSubtitle } from './trigger/events';
import { SECRET_OUTPUT } from './wire/marks';

/**
 * Parts of the node descriptions that derive from the declarations. The build calls these functions and replaces them by
 * their results as data (host/package/build.ts), so that n8n starts without running the declarations. Each call returns
 * new objects because n8n changes them.
 */

/** Returns the parameters of the node. */
export const parameters = (): INodeProperties[] => nodeProperties(declared);

/** Returns the text about each operation that an agent's model reads. */
export const toolDescriptions = (): Record<string, string> => describeForModels(declared);

/** Returns the parameters of the trigger. */
export const triggerPanel = (): INodeProperties[] => triggerProperties();

/** Returns the expression for the subtitle of the node. */
export const subtitle = (): string => operationSubtitle(declared);
/** Returns the expression for the subtitle of the trigger. */
export const triggerSubtitle = (): string => eventSubtitle;

/** Returns the paths of secrets in output items. */
export const sensitiveOutputFields = (): string[] => [...SECRET_OUTPUT];
