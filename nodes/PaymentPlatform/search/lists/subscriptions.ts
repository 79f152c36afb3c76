import { DateTime } from 'luxon';
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { calendarDay } from '../../fields/kinds/date';
import { asText, objectIn, readableNumber } from '../../shared/objects';
import { CODE_WORDS } from '../../wire/words';
import { chosenRecord } from '../engine/linked';
import { currencyLetters } from '../../fields/currencies';
import { moreOf, personOf } from './customers';
import { MONTHS } from '../engine/days';
import { FREQUENCY_WORDS, frequencyLabel, frequencyWords } from '../engine/frequency';
import { day, id, money, words } from '../engine/line-parts';
import { searchList } from '../engine/list-search';
import type { ListEntry, Picker, View } from '../engine/picker';

const STATES = CODE_WORDS.browseSubscriptions?.status ?? {};

/**
 * Status codes that an operation can change (openapi.yaml#cancelSubscription). Other operations accept every status.
 */
const CHANGED: Record<string, readonly string[]> = {
  cancel: ['A', 'P', 'S'],
  pause: ['A'],
  resume: ['P', 'S'],
};

/** Omits subscriptions that the selected operation can't change. */
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
    ownWords: new Set([...Object.values(STATES), ...FREQUENCY_WORDS, 'next', ...MONTHS]),
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
  const state = STATES[status] ?? status;
  const often = frequencyWords(record.plan_frequency);
  const next = calendarDay(record.date_next, now.zoneName ?? 'utc');
  const leftOut = taken && !taken.includes(status) ? state : undefined;
  const shown = [
    words(personOf(customer) || asText(customer.customer_firm_name)),
    ...(amount === undefined
      ? []
      : [money(amount, `${currencyLetters(asText(record.tran_currency))} ${often}`.trim())]),
    words(leftOut === undefined ? state : ''),
    ...(next === undefined ? [] : [nextOn(next, now)]),
    // A long plan name comes near the end, where a narrow panel may truncate it.
    words(asText(record.plan_name ?? record.plan_desc)),
    id(number),
  ];
  const known = [
    ...[record.plan_code, record.plan_desc, record.purchase_id, record.customer_id].map((text) => words(asText(text))),
    words(moreOf(customer)),
    words(frequencyLabel(record.plan_frequency)),
  ];
  return [{ id: number, shown, known, ...(leftOut !== undefined && { leftOut }) }];
}

/** The next payment day has no time zone, so the function doesn't convert it. */
function nextOn(date: string, now: DateTime) {
  const part = day(DateTime.fromISO(date, { zone: now.zoneName ?? 'utc' }), now);
  return { ...part, text: `next ${part.text}` };
}
