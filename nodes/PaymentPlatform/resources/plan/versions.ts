import type { IDataObject } from 'n8n-workflow';

import type { Decision, Look } from '../../model/types';
import * as wire from '../../wire/operations';
import { lookAt, lookFor, type ReadValues } from '../merge-with-current';
import { isSameAmount, comparableText } from '../../shared/objects';
import { filterOn } from '../filter-on';
import { STATEMENT_SUFFIX, type Plan } from './fields';

/** Status codes of a plan (service.md#letters). */
export const ACTIVE = 'E';
export const ARCHIVED = 'A';
export const DELETED = 'D';

/** Looks up all versions of a plan. An unknown plan code returns no versions instead of a failure. */
export const lookAtVersions = (values: ReadValues<'getPlan'>): Look => ({
  ...lookFor(wire.getPlan.request, values),
  list: { identity: 'plan_id' },
});

export function lookForPlans(field: keyof Plan, value: unknown, values: ReadValues<'browsePlans'>): Look {
  const { query, ...look } = lookAt(wire.browsePlans.request, values);
  return { ...look, query: { ...query, filter: filterOn(field, value) }, list: { identity: 'plan_id' } };
}

/** Only the active version accepts subscribers and changes. A plan has at most one. */
export const activeOf = (versions: Plan[]): Plan | undefined => versions.find(({ status }) => status === ACTIVE);

/** Refuses a plan without an active version. */
export function refusedWithout(versions: Plan[]): Decision {
  const isArchived = versions.some(({ status }) => status === ARCHIVED);
  if (isArchived)
    return {
      refuse:
        "This plan is archived and can't be changed. Existing subscriptions continue. Create a plan with another code for new subscribers",
    };
  return {
    refuse:
      versions.length > 0
        ? 'This plan was deleted. Create a plan with another code'
        : 'No plan has this code. Select a plan from the list',
  };
}

/** Fields that only identify the plan or the merchant. */
const BESIDE: ReadonlySet<string> = new Set(['plan_code', 'merchant_id']);

/** Plan records don't contain these fields (service.md#plans), so the node can't compare them. */
const NOT_SHOWN: ReadonlySet<string> = new Set([STATEMENT_SUFFIX]);

const SERVER_DEFAULTS = Object.values(wire.addPlan.body).flatMap((fact): Array<[string, unknown]> =>
  'serverDefault' in fact ? [[fact.name, fact.serverDefault]] : [],
);

/** Plan records may omit the service's defaults, and the values of a plan without trial, fee or proration. */
const LEFT_OUT: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(SERVER_DEFAULTS),
  trial_duration: 0,
  amt_trial: 0,
  amt_setup: 0,
  prorate_first_pmt: false,
  amt_prorate: 0,
};

const isAmount = (name: string) => {
  const facts = wire.updatePlan.body;
  return name in facts && Object.values(facts).some((fact) => fact.name === name && fact.type === 'decimal');
};

const shows = (plan: IDataObject, name: string, value: unknown): boolean => {
  const shown = plan[name] ?? LEFT_OUT[name];
  return isAmount(name) ? isSameAmount(shown, value) : comparableText(shown) === comparableText(value);
};

export const planDiffers = (plan: IDataObject, given: IDataObject): boolean =>
  Object.entries(given).some(([name, value]) => !BESIDE.has(name) && !NOT_SHOWN.has(name) && !shows(plan, name, value));

/** The description is free text, which doesn't identify a plan. */
const DESCRIPTION = wire.addPlan.body.plan_desc.name;

/** Assumes the service's defaults for missing fields. */
export const isAsCreated = (plan: IDataObject, given: IDataObject): boolean =>
  Object.entries({ ...LEFT_OUT, ...given }).every(
    ([name, value]) => BESIDE.has(name) || NOT_SHOWN.has(name) || name === DESCRIPTION || shows(plan, name, value),
  );
