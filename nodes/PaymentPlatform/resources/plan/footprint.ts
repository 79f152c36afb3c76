import type { FootprintOf } from '../../model/operation';
import * as wire from '../../wire/operations';
import { comparableText } from '../../model/footprint';
import { filterOn } from '../filter-on';
import { ACTIVE, isAsCreated } from './versions';

/** After a lost response, finds the new plan by its code, which only one active plan can have. */
export const planFootprint: FootprintOf<'addPlan', 'browsePlans'> = {
  list: { path: wire.browsePlans.request.path, identity: 'plan_id', newestBy: 'plan_id' },
  filter: ({ body }) => filterOn('plan_code', body.plan_code),
  isIdentifiable: ({ body }) =>
    // The node can list only the plans of the credential's merchant.
    body.merchant_id === undefined && comparableText(body.plan_code) !== '',
  key: ({ body }) => comparableText(body.plan_code),
  lifetime: () => 'always',
  matches: (record, { body }) =>
    record.status === ACTIVE &&
    comparableText(record.plan_code) === comparableText(body.plan_code) &&
    isAsCreated(record, body),
  mayMatch: (record, { body }) =>
    record.status === ACTIVE && comparableText(record.plan_code) === comparableText(body.plan_code),
  isCheckedInTools: true,
  where: 'the list of plans',
  agreement: 'same code, name, amounts, frequency, duration, trial and fixed day',
  resemblance: 'same code',
};
