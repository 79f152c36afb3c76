import { marksOf } from './composite';
import type { ConditionalField, Field } from '../types';

interface WhenOptions {
  /** Whether the field applies while the choice has none of the values. */
  except?: boolean;
  /** Collection that contains the choice. */
  collection?: string;
  required?: boolean;
  /**
   * Whether a required field looks optional. n8n doesn't run a workflow with an empty required parameter, even if an
   * expression decides that it doesn't apply (n8n.md#parameters).
   */
  unmarked?: boolean;
}

/** Limits a field to choices in `values`, or to `true` of a boolean. Otherwise, the editor hides the field, and the node doesn't send it. */
export const when = (
  decides: Field,
  values: string[],
  field: Field,
  { required: needed = false, unmarked = false, except = false, collection }: WhenOptions = {},
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
  ...(collection !== undefined && { collection }),
  values,
  except,
  field,
  needed,
  marked: needed && !unmarked,
});
