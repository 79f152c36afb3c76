import type { IDataObject } from 'n8n-workflow';

import type { Came } from '../../model/types';
import { asText } from '../../shared/objects';
import { namePlan, STATEMENT_SUFFIX, type Plan } from './fields';
import { charges } from './terms';

/**
 * Values of a plan change. `path` contains the ID of the changed version, or no ID if the plan already had all values.
 */
interface Changed {
  path: IDataObject;
  body: { [STATEMENT_SUFFIX]?: unknown };
}

const formerOf = ({ path }: Changed) => asText(path.plan_id);

/**
 * Returns the ID of the version that a change archived, or empty text. To change a plan with subscribers, the service
 * archives the plan and creates a changed copy (service.md#plans).
 */
function archivedIn(record: Plan, values: Changed): string {
  const former = formerOf(values);
  return former === asText(record.plan_id) ? '' : former;
}

/** Adds the ID of the archived version to the current plan. */
export const withArchived = (record: Plan, values: Changed): IDataObject => ({
  ...record,
  archived_plan_id: archivedIn(record, values),
});

/** Returns the summary of a plan update. */
export function changedPlan(record: Plan, values: Changed, came: Came): string {
  const plan = `plan ${namePlan(record)}`;
  // The service never returns the Statement Suffix, so the node can't compare the suffix. The node doesn't send a
  // change that contains only a suffix.
  if (came === 'unchanged' && values.body[STATEMENT_SUFFIX] !== undefined)
    return `The Statement Suffix was not sent, because nothing else changes in ${plan}.`;
  if (came === 'unchanged') return `No change was sent, because ${plan} already has these values.`;
  const archived = came === 'found' ? '' : archivedIn(record, values);
  return archived === ''
    ? `Updated ${plan}${charges(record)}.`
    : `Updated ${plan} as plan ID ${asText(record.plan_id)} and kept plan ID ${archived} for subscribers.`;
}

/** Returns the summary of Create or Update for a plan. */
export function upsertedPlan(record: Plan, values: Changed, came: Came): string {
  const plan = `plan ${namePlan(record)}${charges(record)}`;
  if (came === 'found') return `Created or updated ${plan}.`;
  return came === 'sent' && formerOf(values) === '' ? `Created ${plan}.` : changedPlan(record, values, came);
}
