import type { INodeProperties } from 'n8n-workflow';

import type { Field } from './types';
import { isEmpty } from './value';

export interface WhenOptions {
  /** Whether the field must be given when it applies. */
  required?: boolean;
}

/**
 * A field that applies only while a choice has one of the given values: the editor hides it otherwise, and what may be
 * left in it is not sent. Where the values come without the choice, the field counts as any optional one.
 * @param decides a choice of the same operation, see `choice`; usually one that is never sent (place "node").
 */
export function when(decides: Field, values: string[], field: Field, { required = false }: WhenOptions = {}): Field {
  return {
    ...field,
    required: false,
    properties: () =>
      field.properties().map((property) => shownWhile(decides.name, values, marked(property, field, required))),
    read: (parameters, problems, context) => {
      const given = !isEmpty(parameters[decides.name]);
      const chosen = given && values.includes(String(decides.read(parameters, [], context)));
      if (given && !chosen) return undefined;
      const before = problems.length;
      const value = field.read(parameters, problems, context);
      if (chosen && required && value === undefined && problems.length === before)
        problems.push({ label: field.label, found: 'nothing', allowed: 'is required' });
      return value;
    },
  };
}

const marked = (property: INodeProperties, field: Field, required: boolean): INodeProperties =>
  required && property.name === field.name ? { ...property, required } : property;

const shownWhile = (name: string, values: string[], property: INodeProperties): INodeProperties => ({
  ...property,
  displayOptions: { ...property.displayOptions, show: { [name]: values, ...property.displayOptions?.show } },
});
