import { locator } from '../../fields/kinds/locator';
import type { Field } from '../../fields/types';
import type { TextFact } from '../../wire/facts';

const SEARCHED =
  'Search the list by customer, plan, amount, status or day of the next payment, or give the subscription_id that the service gave when the subscription was created';

/** The subscription that a path names. */
export const subscriptionId = (fact: TextFact, does?: string): Field =>
  locator({
    ...fact,
    label: 'Subscription',
    description: does === undefined ? SEARCHED : `${does}. ${SEARCHED}.`,
    search: 'searchSubscriptions',
    placeholder: 'e.g. 31001',
  });
