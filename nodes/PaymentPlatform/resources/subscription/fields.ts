import { locator } from '../../fields/kinds/locator';
import type { Field } from '../../fields/types';
import type { TextFact } from '../../wire/facts';

const SEARCHED = 'Search by customer, plan, amount, status or next payment date, or enter the subscription_id';

export const subscriptionId = (fact: TextFact, does?: string): Field =>
  locator({
    ...fact,
    label: 'Subscription',
    description: does === undefined ? SEARCHED : `${does}. ${SEARCHED}.`,
    search: 'searchSubscriptions',
    placeholder: 'e.g. 31001',
  });
