import { jsonName } from './editor';
import type { Field, ValueField } from './types';
import { parameterName } from './value';

/** A parameter that counts only while the switch between fields and JSON says so. */
export interface Alternative {
  name: string;
  mode: ValueField;
  json: boolean;
}

/** The parameters of a field that a switch beside them chooses between: the editor keeps both, and one counts. */
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
