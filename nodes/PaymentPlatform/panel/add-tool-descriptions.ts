import type { INodeProperties } from 'n8n-workflow';

/** Adds descriptions for models, by `resource.operation`. The editor gets only the short action. */
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
