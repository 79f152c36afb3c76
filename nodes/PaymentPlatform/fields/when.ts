import type { ConditionalField, Field } from './types';

export interface WhenOptions {
  /** Whether the field must be given when it applies. */
  required?: boolean;
}

/**
 * A field that applies only while a choice has one of the given values: the editor hides it otherwise, and what may be
 * left in it is not sent. Where the values come without the choice, the field counts as any optional one.
 * @param decides a choice of the same operation, see `choice`; usually one that is never sent (place "node").
 */
export const when = (
  decides: Field,
  values: string[],
  field: Field,
  { required: needed = false }: WhenOptions = {},
): ConditionalField => ({
  name: field.name,
  label: field.label,
  place: field.place,
  required: false,
  secret: field.secret,
  ...(field.money && { money: field.money }),
  ...(field.reference && { reference: field.reference }),
  ...(field.wording !== undefined && { wording: field.wording }),
  ...(field.fields && { fields: field.fields }),
  kind: 'conditional',
  decides,
  values,
  field,
  needed,
});
