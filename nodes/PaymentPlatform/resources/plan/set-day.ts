import { boolean, choice } from '../../fields/kinds/choice';
import { composite } from '../../fields/kinds/composite';
import { amount, integer } from '../../fields/kinds/number';
import type { Field } from '../../fields/types';
import type { BooleanFact, ChoiceFact, DecimalFact, IntegerFact } from '../../wire/facts';
import { AddRecurringPlanRequest } from '../../wire/schemas';

type Plan = typeof AddRecurringPlanRequest;
type ValuesOf<Name extends 'day_of_week' | 'month' | 'plan_frequency'> = Plan[Name]['values'][number];

interface SetDayFacts {
  bill_specific_day: BooleanFact;
  day_of_week: ChoiceFact<ValuesOf<'day_of_week'>>;
  day_of_month: IntegerFact;
  month: ChoiceFact<ValuesOf<'month'>>;
  prorate_first_pmt: BooleanFact;
  amt_prorate: DecimalFact;
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

const named = <Value extends number>(names: readonly string[], values: readonly Value[]) =>
  values.map((value) => ({ name: names[value - 1] ?? '', value }));

type Frequencies = ReadonlyArray<ValuesOf<'plan_frequency'>>;

const BY_WEEK: Frequencies = [0, 1];
const BY_MONTH: Frequencies = [3, 4, 5, 6];
const BY_YEAR: Frequencies = [4, 5, 6];
const ALL: Frequencies = AddRecurringPlanRequest.plan_frequency.values;

export const SET_DAYS: ReadonlyArray<{
  name: 'day_of_week' | 'day_of_month' | 'month';
  label: string;
  frequencies: readonly number[];
}> = [
  { name: 'day_of_week', label: 'Day of Week', frequencies: BY_WEEK },
  { name: 'day_of_month', label: 'Day of Month', frequencies: BY_MONTH },
  { name: 'month', label: 'Month of Year', frequencies: BY_YEAR },
];

/** An expression can return the label of a frequency, so `show` with the supported numbers would hide the field. */
const shownFor = (frequencies: Frequencies, isNew: boolean) =>
  isNew && {
    displayOptions: {
      show: { bill_specific_day: [true] },
      hide: { plan_frequency: ALL.filter((one) => !frequencies.includes(one)) },
    },
  };

/**
 * Billing on a fixed day (openapi.yaml#AddRecurringPlanRequest).
 * @param isNew whether the editor hides unsupported days.
 * @param mayExist whether the plan may already exist. If so, a switch left off changes nothing.
 */
export function setDayFields(facts: SetDayFacts, often: Field, isNew: boolean, mayExist: boolean): Field[] {
  const off = mayExist
    ? ". Turning this off here doesn't change an existing plan. To turn it off for an existing plan, use Plan > Update."
    : '';
  const onSetDay = boolean({
    ...facts.bill_specific_day,
    label: 'Bill on a Fixed Day',
    description: `Whether to bill all customers on the same day instead of on the day on which each subscription started${off}`,
  });
  const fitting = (field: Field, frequencies = ALL): Field =>
    composite(field, [field], ({ read, look }) => {
      const frequency = look(often);
      const fits = frequency === undefined || frequencies.some((one) => one === frequency);
      return look(onSetDay) !== false && fits ? read(field) : undefined;
    });
  const prorated = boolean({
    ...facts.prorate_first_pmt,
    label: 'Prorate First Payment',
    description: `Whether to charge new customers for the days before their first billing day${off}`,
    ...(isNew && { displayOptions: { show: { bill_specific_day: [true] } } }),
  });
  const share = amount({
    ...facts.amt_prorate,
    label: 'Prorated Amount',
    description: 'Amount to charge for the days before the first billing day, e.g. 12.50',
    placeholder: 'e.g. 12.50',
    zero: true,
    ...(isNew && { displayOptions: { show: { bill_specific_day: [true], prorate_first_pmt: [true] } } }),
  });
  return [
    onSetDay,
    fitting(
      choice({
        ...facts.day_of_week,
        label: 'Day of Week',
        description: 'Day of the week on which customers are billed, for weekly frequencies',
        options: named(WEEKDAYS, facts.day_of_week.values),
        ...shownFor(BY_WEEK, isNew),
      }),
      BY_WEEK,
    ),
    fitting(
      integer({
        ...facts.day_of_month,
        label: 'Day of Month',
        description:
          'Day of the month on which customers are billed, from 1 to 31. Enter 32 for the last day of each month.',
        placeholder: 'e.g. 1',
        ...shownFor(BY_MONTH, isNew),
      }),
      BY_MONTH,
    ),
    fitting(
      choice({
        ...facts.month,
        label: 'Month of Year',
        description: 'Month in which customers are billed, for quarterly, semiannual and annual frequencies',
        options: named(MONTHS, facts.month.values),
        ...shownFor(BY_YEAR, isNew),
      }),
      BY_YEAR,
    ),
    fitting(prorated),
    composite(share, [share], ({ read, look }) =>
      look(onSetDay) !== false && look(prorated) !== false ? read(share) : undefined,
    ),
  ];
}
