import { jsonName } from './editor';
import type { Field, ValueField } from './types';
import { parameterName } from './value';

/** Parameter that the node reads only while the switch between fields and JSON selects it. */
export interface Alternative {
  name: string;
  mode: ValueField;
  json: boolean;
}

/**
 * Returns the parameters that a switch beside them selects. The editor keeps the values of both, but the node reads
 * only the selected one.
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
