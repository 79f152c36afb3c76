import type { IDataObject } from 'n8n-workflow';

import type { Came } from '../../model/types';
import { asText } from '../../shared/objects';
import { calledBy, STATEMENT_SUFFIX, type Plan } from './fields';
import { charges } from './words';

/** The version that a change began with; none where nothing was to change. */
interface Changed {
  path: IDataObject;
  body: { [STATEMENT_SUFFIX]?: unknown };
}

const formerOf = ({ path }: Changed) => asText(path.plan_id);

/** The version that a change archived: a plan with subscribers is changed in a copy (service.md#plans). Empty without one. */
function archivedIn(record: Plan, values: Changed): string {
  const former = formerOf(values);
  return former === asText(record.plan_id) ? '' : former;
}

/** The plan as it is now, with the ID of the version that was archived for it. */
export const withArchived = (record: Plan, values: Changed): IDataObject => ({
  ...record,
  archived_plan_id: archivedIn(record, values),
});

/** Says that the one field that was given and can't be compared was not sent. */
const notSent = ({ body }: Changed): string =>
  body[STATEMENT_SUFFIX] === undefined
    ? ''
    : ' The Statement Suffix was not sent, because no record of a plan contains it: give it together with another change.';

/** What a change of a plan came to. */
export function changedPlan(record: Plan, values: Changed, came: Came): string {
  const plan = `plan ${calledBy(record)}${charges(record)}`;
  if (came === 'unchanged')
    return `Left ${plan} unchanged, because it already has these values. Nothing was sent.${notSent(values)}`;
  if (came === 'found') return `Updated ${plan}. Nothing was charged.`;
  const archived = archivedIn(record, values);
  return archived === ''
    ? `Updated ${plan}. Nothing was charged.`
    : `Updated ${plan}. The plan had subscribers, so the service archived their version (plan ID ${archived}) and charges them as before. New subscribers get plan ID ${asText(record.plan_id)}.`;
}

/** What creating or changing a plan came to. */
export function upsertedPlan(record: Plan, values: Changed, came: Came): string {
  const plan = `plan ${calledBy(record)}${charges(record)}`;
  if (came === 'found') return `Created or updated ${plan}. Nothing was charged.`;
  return came === 'sent' && formerOf(values) === ''
    ? `Created ${plan}. Nothing was charged.`
    : changedPlan(record, values, came);
}
