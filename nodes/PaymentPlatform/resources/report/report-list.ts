import { daysField, type DayFilter } from '../../fields/kinds/days';
import { filters, sorting, type KnownField, type SortFacts } from '../../fields/kinds/filters-and-sorting';
import type { Field } from '../../fields/types';
import type { ListDeclaration } from '../../model/types';
import type { ValuesFact } from '../../wire/facts';

interface ReportDeclaration<Name extends string> {
  known: Array<KnownField<Name>>;
  days: DayFilter & { field: Name };
  identity?: Name;
  /** The service filters by day in its own time zone, so the node checks the exact time. */
  time?: Name;
}

/** Returns filters by day in the workflow's time zone, other filters, and sorting. */
export function reportList<Name extends string>(
  query: SortFacts & { filter: ValuesFact },
  { known, days, identity, time }: ReportDeclaration<Name>,
): { fields: Field[]; list: ListDeclaration<Name> } {
  return {
    fields: [daysField(days), filters(query.filter, known, days), sorting(query)],
    list: { identity, fields: known, day: time === undefined ? [days.field] : [time, days.field] },
  };
}

export const batchDays = { field: 'batch_date', of: 'batches dated' } as const;

export const billingMonths = {
  field: 'billing_month',
  of: 'records that were billed',
  month: true,
} as const;
