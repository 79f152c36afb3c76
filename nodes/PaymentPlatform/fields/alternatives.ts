import { jsonName } from './editor';
import type { Field, ValueField } from './types';
import { parameterName } from './value';

/**
 * Parameter that contains a group as fields or as JSON. The node reads the parameter only if the input mode selects it.
 */
export interface Alternative {
  name: string;
  mode: ValueField;
  json: boolean;
}

/**
 * Returns the two parameters of each unwrapped group that users can enter as fields or as JSON. The editor keeps both
 * values, but the node reads only the value in the selected mode.
 */
export function alternatives(field: Field): Alternative[] {
  switch (field.kind) {
    case 'value':
    case 'section':
      return [];
    case 'joined':
      return field.parts.flatMap(alternatives);
    case 'conditional':
      return alternatives(field.field);
    case 'group': {
      const { mode, wrapped } = field;
      if (!mode || wrapped) return [];
      return [
        { name: parameterName(field), mode, json: false },
        { name: jsonName(field), mode, json: true },
      ];
    }
  }
}
