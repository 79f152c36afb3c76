import type { INodeProperties } from 'n8n-workflow';

import { nodeProperties, operationSubtitle } from './panel/node-properties';
import { describeForModels } from './panel/describe-for-models';
import { declared } from './resources';
import { triggerProperties } from './trigger/description';
import { eventSubtitle } from './trigger/events';
import { SECRET_OUTPUT } from './wire/marks';

/**
 * The build replaces each function with its result, so that n8n starts faster. Each call returns new objects, because
 * n8n modifies them.
 */

export const parameters = (): INodeProperties[] => nodeProperties(declared);

export const toolDescriptions = (): Record<string, string> => describeForModels(declared);

export const triggerPanel = (): INodeProperties[] => triggerProperties();

export const subtitle = (): string => operationSubtitle(declared);
export const triggerSubtitle = (): string => eventSubtitle;

/** Returns the paths of output fields that contain secrets. */
export const sensitiveOutputFields = (): string[] => [...SECRET_OUTPUT];
