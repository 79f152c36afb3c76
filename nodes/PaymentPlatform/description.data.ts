import type { INodeProperties } from 'n8n-workflow';

import { nodeProperties, operationSubtitle } from './panel/node-properties';
import { describeForModels } from './panel/describe-for-models';
import { declared } from './resources';
import { triggerProperties } from './trigger/description';
import { eventSubtitle } from './trigger/events';
import { SECRET_OUTPUT } from './wire/marks';

/**
 * Functions that generate parts of the node descriptions from the declarations. The build (host/package/build.ts)
 * replaces each function with its result, so that n8n doesn't evaluate the declarations when it starts. Each call
 * returns new objects, because n8n modifies the descriptions.
 */

/** Returns the parameters of the node. */
export const parameters = (): INodeProperties[] => nodeProperties(declared);

/** Returns the description of each operation for the language model of an AI agent. */
export const toolDescriptions = (): Record<string, string> => describeForModels(declared);

/** Returns the parameters of the trigger. */
export const triggerPanel = (): INodeProperties[] => triggerProperties();

/** Returns the expression for the subtitle of the node. */
export const subtitle = (): string => operationSubtitle(declared);
/** Returns the expression for the subtitle of the trigger. */
export const triggerSubtitle = (): string => eventSubtitle;

/** Returns the paths of output fields that contain secrets. */
export const sensitiveOutputFields = (): string[] => [...SECRET_OUTPUT];
