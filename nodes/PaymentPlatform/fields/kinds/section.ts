import type { Field, FieldPlace, SectionField } from '../types';

/**
 * Fields that belong together, such as those of an address, in a collection of their own in the editor. On the wire they
 * stand beside the others: a request of 53 fields is no list of 53 parameters.
 */
export const section = (options: {
  name: string;
  label: string;
  fields: Field[];
  /** Where its fields go; it says where the editor shows it. */
  place?: FieldPlace;
  /** What the button says that adds one of the fields; "Add Card Field" in a section "Card" unless given. */
  add?: string;
}): SectionField => ({
  name: options.name,
  label: options.label,
  place: options.place ?? 'node',
  required: false,
  secret: options.fields.some(({ secret }) => secret),
  kind: 'section',
  inside: options.fields,
  add: options.add ?? `Add ${options.label} Field`,
});

/** Whether the value of a field is an object whose members stand beside the other fields on the wire. */
export const isFlat = (field: Field): boolean =>
  field.kind === 'section' || (field.kind === 'joined' && field.flat === true);

/** The fields as they stand on the wire: those of a section in its place, and what only writes into others left out. */
export const wireFields = (fields: readonly Field[]): Field[] =>
  fields.flatMap((field) => (field.kind === 'section' ? wireFields(field.inside) : isFlat(field) ? [] : [field]));
