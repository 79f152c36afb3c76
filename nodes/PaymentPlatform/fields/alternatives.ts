import { jsonName } from './editor';
import type { Field, ValueField } from './types';
import { parameterName } from './value';

/** Parameter for a group of fields, which users enter as fields or as JSON. */
export interface Alternative {
  name: string;
  mode: ValueField;
  json: boolean;
}

/**
 * Returns the parameters of groups that users can enter as fields or as JSON. The editor stores both, but the node
 * reads only the selected one.
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
