import { marksOf } from './composite';
import type { ConditionalField, Field } from '../types';

export interface WhenOptions {
  /** Whether the field applies while the choice has none of the values. */
  except?: boolean;
  /** Whether the field must be given when it applies. */
  required?: boolean;
  /**
   * Required, but not marked so in the editor: n8n would run no workflow in which text is empty that is asked for, also
   * where an expression decides for each item whether it applies (n8n.md#parameters).
   */
  unmarked?: boolean;
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
  { required: needed = false, unmarked = false, except = false }: WhenOptions = {},
): ConditionalField => ({
  name: field.name,
  ...(field.parameter !== undefined && { parameter: field.parameter }),
  ...(field.record !== undefined && { record: field.record }),
  label: field.label,
  place: field.place,
  required: false,
  secret: field.secret,
  ...marksOf(field),
  ...(field.since !== undefined && { since: field.since }),
  ...(field.until !== undefined && { until: field.until }),
  ...(field.fields && { fields: field.fields }),
  ...(field.perRequest !== undefined && { perRequest: field.perRequest }),
  kind: 'conditional',
  decides,
  values,
  except,
  field,
  needed,
  marked: needed && !unmarked,
});
