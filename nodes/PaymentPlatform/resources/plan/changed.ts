import type { IDataObject } from 'n8n-workflow';

import type { Came } from '../../model/types';
import { asText } from '../../shared/objects';
import { namePlan, STATEMENT_SUFFIX, type Plan } from './fields';
import { charges } from './terms';

/** `path` contains no plan ID if the plan already had the requested values. */
interface Changed {
  path: IDataObject;
  body: { [STATEMENT_SUFFIX]?: unknown };
}

const formerOf = ({ path }: Changed) => asText(path.plan_id);

/** To change a plan with subscribers, the service archives the plan and creates a changed copy (service.md#plans). */
function archivedIn(record: Plan, values: Changed): string {
  const former = formerOf(values);
  return former === asText(record.plan_id) ? '' : former;
}

export const withArchived = (record: Plan, values: Changed): IDataObject => ({
  ...record,
  archived_plan_id: archivedIn(record, values),
});

export function changedPlan(record: Plan, values: Changed, came: Came): string {
  const plan = `plan ${namePlan(record)}`;
  // The node doesn't send a change that contains only a Statement Suffix, because no record shows the current suffix.
  if (came === 'unchanged' && values.body[STATEMENT_SUFFIX] !== undefined)
    return `The Statement Suffix was not sent, because nothing else changes in ${plan}.`;
  if (came === 'unchanged') return `No change was sent, because ${plan} already has these values.`;
  const archived = came === 'found' ? '' : archivedIn(record, values);
  return archived === ''
    ? `Updated ${plan}${charges(record)}.`
    : `Updated ${plan} as plan ID ${asText(record.plan_id)} and kept plan ID ${archived} for subscribers.`;
}

export function upsertedPlan(record: Plan, values: Changed, came: Came): string {
  const plan = `plan ${namePlan(record)}${charges(record)}`;
  if (came === 'found') return `Created or updated ${plan}.`;
  return came === 'sent' && formerOf(values) === '' ? `Created ${plan}.` : changedPlan(record, values, came);
}
