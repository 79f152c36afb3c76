import type { INodeProperties } from 'n8n-workflow';

/**
 * Adds texts for models, by `resource.operation`. n8n reads the longer action for models from the loaded node. Editors
 * receive JSON, which contains only the short action, so that the description stays small.
 */
export const addToolDescriptions = (properties: INodeProperties[], texts: Record<string, string>): INodeProperties[] =>
  properties.map((property) => {
    const resource = property.displayOptions?.show?.resource?.[0];
    if (property.name !== 'operation' || typeof resource !== 'string') return property;
    const options = (property.options ?? []).map((option) => {
      const action = 'value' in option ? texts[`${resource}.${String(option.value)}`] : undefined;
      if (action === undefined) return option;
      return Object.defineProperty({ ...option, action }, 'toJSON', { value: () => option });
    });
    return { ...property, options };
  });
