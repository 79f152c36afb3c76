import type { INodeProperties } from 'n8n-workflow';

import { nodeProperties, operationSubtitle } from './panel/node-properties';
import { describeForModels } from './panel/describe-for-models';
import { declared } from './resources';
import { triggerProperties } from './trigger/description';
import { eventSubtitle } from './trigger/events';
import { SECRET_OUTPUT } from './wire/marks';

/**
 * The build replaces each function in this file with its result, so that n8n starts faster. Each call returns new
 * objects, because n8n modifies the descriptions.
 */

/** Returns the parameters of the node. */
export const parameters = (): INodeProperties[] => nodeProperties(declared);

/** Returns the descriptions of the operations for AI agents. */
export const toolDescriptions = (): Record<string, string> => describeForModels(declared);

/** Returns the parameters of the trigger. */
export const triggerPanel = (): INodeProperties[] => triggerProperties();

/** Returns the expression for the node's subtitle. */
export const subtitle = (): string => operationSubtitle(declared);
/** Returns the expression for the trigger's subtitle. */
export const triggerSubtitle = (): string => eventSubtitle;

/** Returns the paths of output fields that contain secrets. */
export const sensitiveOutputFields = (): string[] => [...SECRET_OUTPUT];
