import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { readableNumber } from '../../model/read-amounts';
import { asText } from '../../shared/objects';
import { CODE_WORDS } from '../../wire/words';
import { currencyLetters } from '../../fields/currencies';
import { id, money, words } from '../engine/line-parts';
import { searchList } from '../engine/list-search';
import type { ListEntry, Picker } from '../engine/picker';

/** Labels for the statuses of plans that accept no new subscribers (service.md#letters). */
const CLOSED: Readonly<Record<string, string>> = { A: 'archived', D: 'deleted' };
const DELETED = 'D';

/** Editor labels for plan frequencies that differ from the descriptions in records. */
const ALSO: Readonly<Record<string, string>> = { 1: 'bi-weekly', 5: 'bi-annually', 6: 'annually' };

/** Common properties of the lists of plans and plan versions. */
const plans = {
  path: '/platform/plan',
  identity: 'plan_id',
  searched: { words: ['plan_code', 'plan_name'], amount: 'amt_tran' },
  ownWords: new Set([
    ...['archived', 'every', 'weekly', 'two', 'weeks', 'monthly', 'months', 'quarterly', 'twice', 'a', 'year'],
    ...['yearly', 'daily', 'bi', 'bi-weekly', 'bi-annually', 'annually'],
  ]),
} satisfies Partial<Picker>;

/** Returns the visible parts of a plan, which are its name, amount, frequency and code. */
function shownOf(plan: IDataObject) {
  const amount = readableNumber(plan.amt_tran);
  const often = CODE_WORDS.getPlan?.plan_frequency?.[asText(plan.plan_frequency)] ?? '';
  const every = readableNumber(plan.interval) ?? 1;
  const rhythm = every > 1 ? `${often}, every ${every}` : often;
  return [
    words(asText(plan.plan_name)),
    ...(amount === undefined ? [] : [money(amount, currencyLetters(asText(plan.tran_currency)))]),
    words(rhythm, ALSO[asText(plan.plan_frequency)]),
    words(asText(plan.plan_code)),
  ];
}

const known = (plan: IDataObject) => [id(asText(plan.plan_id)), words(asText(plan.plan_desc))];

/** Plans that accept new subscribers, identified by plan code. */
const active: Picker = {
  ...plans,
  of: 'plans',
  entries: (plan): ListEntry[] => {
    const leftOut = CLOSED[asText(plan.status)];
    return [
      {
        id: asText(plan.plan_code),
        shown: shownOf(plan),
        known: known(plan),
        ...(leftOut !== undefined && { leftOut }),
      },
    ];
  },
  add: 'name, code or whole amount',
};

/**
 * Plan versions, identified by plan ID. The list includes archived versions, because users can delete archived
 * versions.
 */
const versions: Picker = {
  ...plans,
  of: 'plan versions',
  entries: (plan): ListEntry[] => {
    const status = asText(plan.status);
    const shown = [...shownOf(plan), words(CLOSED[status] ?? ''), id(asText(plan.plan_id))];
    return [
      { id: asText(plan.plan_id), shown, known: known(plan), ...(status === DELETED && { leftOut: CLOSED[status] }) },
    ];
  },
  add: 'name, code, whole amount or ID',
};

/**
 * Returns plans for "From List". Omits plans that accept no new subscribers. The value of an entry is the plan code.
 */
export async function searchPlans(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  return await searchList(this, active, search, paginationToken);
}

/** Returns plan versions for "From List". Omits deleted versions. The value of an entry is the plan ID. */
export async function searchPlanVersions(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  return await searchList(this, versions, search, paginationToken);
}
