import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { asText, readableNumber } from '../../shared/objects';
import { currencyLetters } from '../../fields/currencies';
import { FREQUENCY_WORDS, frequencyLabel, frequencyWords } from '../engine/frequency';
import { id, money, words } from '../engine/line-parts';
import { searchList } from '../engine/list-search';
import type { ListEntry, Picker } from '../engine/picker';

/** These plans accept no new subscribers (service.md#letters). */
const CLOSED: Readonly<Record<string, string>> = { A: 'archived', D: 'deleted' };
const DELETED = 'D';

const plans = {
  path: '/platform/plan',
  identity: 'plan_id',
  searched: { words: ['plan_code', 'plan_name'], amount: 'amt_tran' },
  ownWords: new Set(['archived', 'every', ...FREQUENCY_WORDS]),
} satisfies Partial<Picker>;

function shownOf(plan: IDataObject) {
  const amount = readableNumber(plan.amt_tran);
  const often = frequencyWords(plan.plan_frequency);
  const every = readableNumber(plan.interval) ?? 1;
  const rhythm = every > 1 ? `${often}, every ${every}` : often;
  return [
    words(asText(plan.plan_name)),
    ...(amount === undefined ? [] : [money(amount, currencyLetters(asText(plan.tran_currency)))]),
    words(rhythm, frequencyLabel(plan.plan_frequency)),
    words(asText(plan.plan_code)),
  ];
}

const known = (plan: IDataObject) => [id(asText(plan.plan_id)), words(asText(plan.plan_desc))];

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

/** Includes archived plan versions, because users can delete them. */
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

/** Omits plans that accept no new subscribers. */
export async function searchPlans(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  return await searchList(this, active, search, paginationToken);
}

/** Omits deleted versions. */
export async function searchPlanVersions(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  return await searchList(this, versions, search, paginationToken);
}
