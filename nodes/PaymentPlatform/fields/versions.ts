import { heldIn, holdsIn } from '../shared/versions';
import { withFields } from './kinds/group';
import type { ConditionalField, Field, CompositeField, Parts } from './types';

/** Removes other versions' fields at every depth. */
export const fieldsAt = (fields: Field[], version: number): Field[] =>
  heldIn(fields, version, (field) => fieldAt(field, version));

function fieldAt(field: Field, version: number): Field {
  switch (field.kind) {
    case 'value':
      return field;
    case 'composite':
      return compositeAt(field, version);
    case 'conditional':
      return conditionalAt(field, version);
    case 'section': {
      const inside = fieldsAt(field.inside, version);
      return inside === field.inside ? field : { ...field, inside };
    }
    case 'group': {
      const inside = fieldsAt(field.inside, version);
      if (inside === field.inside) return field;
      return withFields(field, {
        main: fieldsAt(field.main, version),
        additional: fieldsAt(field.additional, version),
        inside,
      });
    }
  }
}

function conditionalAt(conditional: ConditionalField, version: number): ConditionalField {
  const field = fieldAt(conditional.field, version);
  if (field === conditional.field) return conditional;
  return { ...conditional, field, ...(field.fields && { fields: field.fields }) };
}

function compositeAt(field: CompositeField, version: number): CompositeField {
  const parts = fieldsAt(field.parts, version);
  if (parts === field.parts) return field;
  const at = (ask: Parts['read']) => (part: Field) =>
    holdsIn(part, version) ? ask(fieldAt(part, version)) : undefined;
  return {
    ...field,
    parts,
    ...(field.fields && { fields: fieldsAt(field.fields, version) }),
    join: (asked) => field.join({ ...asked, read: at(asked.read), look: at(asked.look) }),
  };
}
