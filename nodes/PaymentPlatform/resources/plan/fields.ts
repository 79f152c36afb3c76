import { FREQUENCIES } from '../../fields/frequencies';
import { locator } from '../../fields/kinds/locator';
import type { Field } from '../../fields/types';
import type { Given, KnownFields, RecordOf } from '../../model/operation';
import { asText, only } from '../../shared/objects';
import type { TextFact } from '../../wire/facts';
import { AddRecurringPlanRequest } from '../../wire/schemas';

/** Plan records don't contain the Statement Suffix (service.md#plans). */
export const STATEMENT_SUFFIX = AddRecurringPlanRequest.dba_suffix.name;

/** Version of a plan (openapi.yaml#RecurringPlan). */
export type Plan = Given<RecordOf<'getPlan'>>;

export const activePlan = (fact: TextFact, { description }: { description: string }): Field =>
  locator({
    ...fact,
    label: 'Plan',
    notIdentifying: false,
    description,
    search: 'searchPlans',
    placeholder: 'e.g. MONTHLY25',
  });

const NAMES = ['plan_id', 'plan_code', 'plan_name', 'status'] as const;
const TERMS = ['plan_frequency', 'interval', 'plan_duration', 'amt_tran'] as const;

export const mainPlanFields = (record: Plan) => only(record, [...NAMES, ...TERMS, 'tran_currency']);

export const changedFields = (record: Plan & { archived_plan_id?: string }) =>
  only(record, [...NAMES, 'archived_plan_id', ...TERMS]);

/** Returns the plan code, or the ID of a plan without a code. */
export const namePlan = ({ plan_code, plan_id }: Plan): string => asText(plan_code) || asText(plan_id);

const statuses = [
  { name: 'Active', value: 'E' },
  { name: 'Archived', value: 'A' },
  { name: 'Deleted', value: 'D' },
];

const frequencies = FREQUENCIES.map(({ name, value }) => ({ name, value: String(value) }));

export const knownFields: KnownFields<'browsePlans'> = [
  { name: 'Billing Frequency', value: 'plan_frequency', values: frequencies },
  { name: 'One-Time Fee', value: 'amt_setup' },
  { name: 'Plan Code', value: 'plan_code' },
  { name: 'Plan ID', value: 'plan_id' },
  { name: 'Plan Name', value: 'plan_name' },
  { name: 'Recurring Amount', value: 'amt_tran' },
  { name: 'Status', value: 'status', values: statuses },
];
