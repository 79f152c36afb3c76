import type { FootprintOf } from '../../model/operation';
import * as wire from '../../wire/operations';
import { CODE_WORDS } from '../../wire/words';
import { likeIf, likeStatus, likeText, mayEqual } from '../../model/likeness';
import { comparableText } from '../../shared/objects';
import { filterOn } from '../filter-on';
import { ARCHIVED, DELETED, isAsCreated } from './versions';

/** Finds the new plan by its code, which only one active plan can have. */
export const planFootprint: FootprintOf<'addPlan', 'browsePlans'> = {
  list: { path: wire.browsePlans.request.path, identity: 'plan_id', newestBy: 'plan_id' },
  filter: ({ body }) => filterOn('plan_code', body.plan_code),
  isIdentifiable: ({ body }) => comparableText(body.plan_code) !== '',
  key: ({ body }) => comparableText(body.plan_code),
  lifetime: () => 'always',
  compare: (record, { body }) => [likeText(record.plan_code, body.plan_code), likeIf(isAsCreated(record, body))],
  occupies: (record, { body }) => mayEqual(record.plan_code, body.plan_code),
  applied: ({ status }) => likeStatus(status, CODE_WORDS.browsePlans?.status, [ARCHIVED, DELETED]),
  isCheckedInTools: true,
  where: 'the list of plans',
  agreement: 'same code, name, amounts, frequency, duration, trial and fixed day',
  resemblance: 'same code',
};
