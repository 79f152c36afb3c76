import type { Field } from './types';

/** A field with words under it that a person sees without pointing at anything, such as that something can't be undone. */
export const withHint = (field: Field, hint: string): Field =>
  field.kind === 'value' ? { ...field, property: { ...field.property, hint } } : field;
