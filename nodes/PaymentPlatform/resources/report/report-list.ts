import { daysField, type DayFilter } from '../../fields/kinds/days';
import { filters, sorting, type KnownField, type SortFacts } from '../../fields/kinds/filters-and-sorting';
import type { Field } from '../../fields/types';
import type { ListDeclaration } from '../../model/types';
import type { ValuesFact } from '../../wire/facts';

/** Content of a report. */
interface ReportDeclaration<Name extends string> {
  /** Fields that users can choose for filters and sorting. */
  known: Array<KnownField<Name>>;
  /** Day of each record. */
  days: DayFilter & { field: Name };
  /** Field that distinguishes two records, if the records have one. */
  identity?: Name;
  /** Field with the exact time of the record. The service filters by the day in its own time zone. */
  time?: Name;
}

/**
 * Returns the fields and the list of a report: inclusive days in the workflow's time zone, filters with named values,
 * and sorting. The node adds Return All, Limit and Simplify.
 * @param query fields of the interface, such as `wire.browseBatches.query`.
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

/** Days of reports with one record for each batch. */
export const batchDays = { field: 'batch_date', of: 'batches dated' } as const;

/** Months of reports with records for a whole month. */
export const billingMonths = {
  field: 'billing_month',
  of: 'records that were billed',
  month: true,
} as const;
