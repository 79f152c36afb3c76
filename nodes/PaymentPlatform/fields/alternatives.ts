import { jsonName } from './editor';
import type { Field, ValueField } from './types';
import { parameterName } from './value';

export interface Alternative {
  name: string;
  mode: ValueField;
  json: boolean;
}

/** Users can enter a group as fields or as JSON. The node reads only the selected one. */
export function alternatives(field: Field): Alternative[] {
  switch (field.kind) {
    case 'value':
    case 'section':
      return [];
    case 'composite':
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
