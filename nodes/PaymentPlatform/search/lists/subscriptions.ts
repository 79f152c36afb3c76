import { DateTime } from 'luxon';
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { calendarDay } from '../../fields/kinds/date';
import { readableNumber } from '../../model/read-amounts';
import { asText, objectIn } from '../../shared/objects';
import { CODE_WORDS } from '../../wire/words';
import { chosenRecord } from '../engine/linked';
import { currencyLetters } from '../../fields/currencies';
import { moreOf, personOf } from './customers';
import { MONTHS } from '../engine/days';
import { day, id, money, words } from '../engine/line-parts';
import { searchList } from '../engine/list-search';
import type { ListEntry, Picker, View } from '../engine/picker';

/** Returns the description of a code, or empty text for an unknown code. */
const inWords = (field: 'status' | 'plan_frequency', value: unknown): string =>
  CODE_WORDS.browseSubscriptions?.[field]?.[asText(value)] ?? '';

const STATES = Object.values(CODE_WORDS.browseSubscriptions?.status ?? {});
const TIMES = Object.values(CODE_WORDS.browseSubscriptions?.plan_frequency ?? {}).flatMap((text) => text.split(' '));

/**
 * States in which each operation can change a subscription (openapi.yaml#cancelSubscription). An operation that is missing here accepts every state.
 */
const CHANGED: Record<string, readonly string[]> = {
  cancel: ['A', 'P', 'S'],
  pause: ['A'],
  resume: ['P', 'S'],
};

/**
 * Returns subscriptions for "From List". If the selected operation changes the state, omits subscriptions that the
 * operation can't change.
 */
export async function searchSubscriptions(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  const taken = CHANGED[chosenRecord(this, 'operation') ?? ''];
  const subscriptions: Picker = {
    of: 'subscriptions',
    path: '/platform/subscription',
    identity: 'subscription_id',
    searched: {
      words: [
        ...['customer_id', 'customer_first_name', 'customer_last_name'],
        ...['plan_name', 'plan_code', 'plan_desc', 'purchase_id'],
      ],
      amount: 'recur_amt',
    },
    ownWords: new Set([...STATES, ...TIMES, 'next', ...MONTHS]),
    entries: (record, view) => subscriptionEntry(record, view, taken),
    add: 'name, plan, whole amount or ID',
  };
  return await searchList(this, subscriptions, search, paginationToken);
}

function subscriptionEntry(record: IDataObject, { now }: View, taken: readonly string[] | undefined): ListEntry[] {
  const customer = { ...record, ...objectIn(record.customer) };
  const number = asText(record.subscription_id);
  const amount = readableNumber(record.recur_amt);
  const status = asText(record.status);
  const state = inWords('status', status) || status;
  const often = inWords('plan_frequency', record.plan_frequency);
  const next = calendarDay(record.date_next, now.zoneName ?? 'utc');
  const leftOut = taken && !taken.includes(status) ? state : undefined;
  const shown = [
    words(personOf(customer) || asText(customer.customer_firm_name)),
    ...(amount === undefined
      ? []
      : [money(amount, `${currencyLetters(asText(record.tran_currency))} ${often}`.trim())]),
    words(leftOut === undefined ? state : ''),
    ...(next === undefined ? [] : [nextOn(next, now)]),
    // Puts the plan name near the end, because the name can be long and a narrow panel truncates the line.
    words(asText(record.plan_name ?? record.plan_desc)),
    id(number),
  ];
  const known = [
    ...[record.plan_code, record.plan_desc, record.purchase_id, record.customer_id].map((text) => words(asText(text))),
    words(moreOf(customer)),
  ];
  return [{ id: number, shown, known, ...(leftOut !== undefined && { leftOut }) }];
}

/**
 * Returns an entry part with the next payment day, such as "next 3 Nov". The day has no time zone, so the function
 * doesn't convert the day.
 */
function nextOn(date: string, now: DateTime) {
  const part = day(DateTime.fromISO(date, { zone: now.zoneName ?? 'utc' }), now);
  return { ...part, text: `next ${part.text}` };
}
