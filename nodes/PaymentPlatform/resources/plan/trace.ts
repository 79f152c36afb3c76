import type { Trace } from '../../pipeline/trace';
import * as wire from '../../wire/operations';
import { isSameAmount, isSameWhereSent, written } from '../compared';
import { filterOn } from '../filter-on';
import { ACTIVE } from './versions';

/** An active plan in the list of plans. Its code is the person's own, and no other active plan has it. */
export const planTrace: Trace = {
  list: { path: wire.browsePlans.request.path, identity: 'plan_id', newestBy: 'plan_id' },
  filter: ({ body }) => filterOn('plan_code', body.plan_code),
  isTold: ({ body }) =>
    // The list of another merchant is not this one.
    body.merchant_id === undefined && written(body.plan_code) !== '',
  key: ({ body }) => written(body.plan_code),
  reference: 'plan_code',
  tells: () => 'always',
  agrees: (record, { body }) =>
    record.status === ACTIVE &&
    written(record.plan_code) === written(body.plan_code) &&
    written(record.plan_name) === written(body.plan_name) &&
    written(record.plan_frequency) === written(body.plan_frequency) &&
    written(record.plan_duration) === written(body.plan_duration) &&
    isSameAmount(record.amt_tran, body.amt_tran) &&
    isSameWhereSent(record.tran_currency, body.tran_currency),
  mayBe: (record, { body }) => record.status === ACTIVE && written(record.plan_code) === written(body.plan_code),
  where: 'the list of plans',
  agreement: 'same code, name, amount, frequency and duration',
};
