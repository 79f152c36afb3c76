import type { INodeProperties } from 'n8n-workflow';

import { nodeProperties, operationSubtitle } from './panel/node-properties';
import { declared } from './resources';
import { triggerProperties } from './trigger/description';
import { eventSubtitle } from './trigger/events';
import { SECRET_OUTPUT } from './wire/marks';

/*
 * What of the descriptions is made of declarations. The build calls these functions and puts their results in the place
 * of this file, as data (gulpfile.js): n8n makes all descriptions when it starts, and needs none of the code for it.
 * Each call makes new objects, for n8n changes what it is given.
 */

/** The parameters of the node. */
export const parameters = (): INodeProperties[] => nodeProperties(declared);

/** The parameters of the trigger. */
export const triggerPanel = (): INodeProperties[] => triggerProperties();

/** What stands under the name of the node, and of the trigger. */
export const subtitle = (): string => operationSubtitle(declared);
export const triggerSubtitle = (): string => eventSubtitle;

/** Paths of secrets in output items. */
export const sensitiveOutputFields = (): string[] => [...SECRET_OUTPUT];
