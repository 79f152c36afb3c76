import type { INodeProperties } from 'n8n-workflow';

/**
 * Adds the texts that models read, by `resource.operation`. For a model, n8n reads the action in the loaded node. n8n
 * sends editors the JSON of the description, which contains only the short action and therefore stays small.
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
