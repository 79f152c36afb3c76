import { daysField, type DayFilter } from '../../fields/kinds/days';
import { filters, sorting, type KnownField, type SortFacts } from '../../fields/kinds/filters-and-sorting';
import type { Field } from '../../fields/types';
import type { ListDeclaration } from '../../model/types';
import type { ValuesFact } from '../../wire/facts';

/** Declaration of a report. */
interface ReportDeclaration<Name extends string> {
  /** Fields that users can choose to filter and sort the report. */
  known: Array<KnownField<Name>>;
  /** Filter for the day of a record. */
  days: DayFilter & { field: Name };
  /** Field that identifies a record. Missing if the records have no such field. */
  identity?: Name;
  /**
   * Field with the exact time of a record. The service filters by day in its own time zone, so the node checks the
   * exact time.
   */
  time?: Name;
}

/**
 * Returns the fields and the list of a report. The fields are filters by day in the workflow's time zone, other filters
 * with named values, and sorting. The node adds Return All, Limit and Simplify.
 * @param query query fields of the interface, such as `wire.browseBatches.query`.
 */
export function reportList<Name extends string>(
  query: SortFacts & { filter: ValuesFact },
  { known, days, identity, time }: ReportDeclaration<Name>,
): { fields: Field[]; list: ListDeclaration<Name> } {
  return {
    fields: [daysField(days), filters(query.filter, known, days), sorting(query)],
    list: { identity, fields: known, day: time === undefined ? [days.field] : [time, days.field] },
  };
}

/** Filter by day for reports that contain one record per batch. */
export const batchDays = { field: 'batch_date', of: 'batches dated' } as const;

/** Filter by month for reports whose records cover a whole month. */
export const billingMonths = {
  field: 'billing_month',
  of: 'records that were billed',
  month: true,
} as const;
