import { customerId } from '../../fields/common';
import { isExpired } from '../../fields/kinds/card';
import { choice } from '../../fields/kinds/choice';
import { todayAtLeast } from '../../fields/kinds/date';
import type { Field } from '../../fields/types';
import type { FootprintOf, Given, RecordOf, ValuesOf } from '../../model/operation';
import type { RequestDeclaration, Step } from '../../model/types';
import { asText, objectIn, objectsIn, comparableText } from '../../shared/objects';
import type { TextFact } from '../../wire/facts';
import * as wire from '../../wire/operations';
import { CODE_WORDS } from '../../wire/words';
import { EXPIRED_CARD } from '../card/payment-source';
import { lookFor } from '../merge-with-current';
import { likeText } from '../../model/likeness';

type Changes = 'cancelSubscription' | 'pauseSubscription' | 'resumeSubscription';
type Subscription = Given<RecordOf<'getSubscription'>>;

/** Change of a subscription's state, such as a pause (service.md#letters). */
export interface Change {
  request: RequestDeclaration<Changes>;
  from: readonly string[];
  into: string;
  /** End of the error message, such as "can be paused", for other states. */
  can: string;
}

const GO_ON = 'continue';
const IF_ALREADY = 'If Already in This State';

const stateOf = (status: string): string => CODE_WORDS.getSubscription?.status?.[status] ?? status;

/** The subscription may already be in the requested state. */
export const ifAlready = (): Field =>
  choice({
    name: 'ifAlready',
    label: IF_ALREADY,
    description: 'Action if the subscription is already in the requested state. The node sends nothing in either case.',
    options: [
      {
        name: 'Continue',
        value: GO_ON,
        description: 'Output the unchanged subscription. Suitable for workflows that run repeatedly.',
      },
      { name: 'Fail the Item', value: 'fail', description: 'Report an error for the item' },
    ],
    default: 'fail',
    place: 'node',
  });

/** Defaults to the current owner, which the node reads from the subscription. */
export const ownerField = (fact: TextFact): Field =>
  customerId(fact, {
    description:
      'Expected owner of the subscription. If another customer owns the subscription, the node sends nothing. Leave empty to skip this check.',
    required: false,
  });

/** Changes the state if the service accepts the change from the current state. */
export const changeOfState = ({ request, from, into, can }: Change): Step<ValuesOf<Changes>, Subscription> => ({
  look: (values) => lookFor(wire.getSubscription.request, values),
  decide: ([found], { node, body }) => {
    if (!found) return { refuse: 'No subscription has this ID, so nothing was sent' };
    const { customer_id: owner, status } = found;
    if (body.customer_id !== undefined && asText(body.customer_id) !== asText(owner))
      return {
        refuse: `The subscription belongs to customer ${asText(owner)}, not to the customer in "Customer", so nothing was sent`,
      };
    const state = stateOf(asText(status));
    if (status === into)
      return node.ifAlready === GO_ON
        ? { done: found }
        : {
            refuse: `The subscription is already ${state}, so nothing was sent. To accept this state, set "${IF_ALREADY}" to "Continue"`,
          };
    if (state !== asText(status) && !from.includes(asText(status)))
      return {
        refuse: `Nothing was sent, because the subscription is ${state}. Only a subscription that is ${from.map(stateOf).join(' or ')} ${can}`,
      };
    return { request: { to: request, body: { ...body, customer_id: owner } } };
  },
});

/** A new state proves the change, because the node read a different state before its request. */
export const footprintOfState = ({ into }: Change): FootprintOf<Changes, 'getSubscription'> => ({
  list: { path: wire.getSubscription.request.path, identity: 'subscription_id' },
  filter: () => [],
  isIdentifiable: ({ path }) => comparableText(path.subscription_id) !== '',
  key: ({ path }) => comparableText(path.subscription_id),
  lifetime: () => 'always',
  compare: (record, { path }) => [
    likeText(record.subscription_id, path.subscription_id),
    likeText(record.status, into),
  ],
  where: "the subscription's own record",
  agreement: `the subscription is ${stateOf(into)}`,
  when: 'changed since the request',
});

const STARTED =
  'The Start Date of a subscription is in the past. The field "date_next" in the output contains the day of the next payment. If the Start Date is wrong, cancel the subscription.';

interface Begun {
  body: Pick<ValuesOf<'addSubscription'>['body'], 'date_start' | 'customer'>;
}

/** Dates in the past are usually a mistake. */
export function notePast({ body }: Begun): string | undefined {
  const today = todayAtLeast();
  const start = asText(body.date_start).slice(0, 10);
  const cards = objectsIn(objectIn(body.customer).billing_cards);
  const notes = [
    ...(start !== '' && start < today.toFormat('yyyy-MM-dd') ? [STARTED] : []),
    ...(cards.some(({ exp_date: date }) => isExpired(asText(date), today)) ? [EXPIRED_CARD] : []),
  ];
  return notes.length > 0 ? notes.join(' ') : undefined;
}
