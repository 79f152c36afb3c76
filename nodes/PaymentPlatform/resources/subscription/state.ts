import { customerId } from '../../fields/common';
import { isExpired } from '../../fields/kinds/card';
import { choice } from '../../fields/kinds/choice';
import { todayAtLeast } from '../../fields/kinds/date';
import type { Field } from '../../fields/types';
import { isAbsent } from '../../model/failure';
import type { FootprintOf, Given, RecordOf, ValuesOf } from '../../model/operation';
import type { RequestDeclaration, Step } from '../../model/types';
import { asText, objectIn, objectsIn } from '../../shared/objects';
import type { TextFact } from '../../wire/facts';
import * as wire from '../../wire/operations';
import { CODE_WORDS } from '../../wire/words';
import { EXPIRED_CARD } from '../card/payment-source';
import { lookAt } from '../merge-with-current';
import { comparableText } from '../../model/footprint';

type Changes = 'cancelSubscription' | 'pauseSubscription' | 'resumeSubscription';
type Subscription = Given<RecordOf<'getSubscription'>>;

/** Change of a subscription's state (service.md#letters). */
export interface Change {
  request: RequestDeclaration<Changes>;
  /** Codes of the states in which the service accepts the change. */
  from: readonly string[];
  /** Code of the state after the change. */
  into: string;
  /** End of the refusal for subscriptions in any other state, such as "can be paused". */
  can: string;
}

const GO_ON = 'continue';
const IF_ALREADY = 'If Already in This State';

const stateOf = (status: string): string => CODE_WORDS.getSubscription?.status?.[status] ?? status;

/** Field for the action if the subscription is already in the requested state. */
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

/**
 * Field for the owner of the subscription. The service requires the owner. If the user enters no owner, the node reads
 * the owner from the subscription.
 */
export const ownerField = (fact: TextFact): Field =>
  customerId(fact, {
    description:
      'Expected owner of the subscription. If another customer owns the subscription, the node sends nothing. Leave empty to skip this check.',
    required: false,
  });

/** Reads the owner and the state of the subscription. Changes the state if the service accepts the change. */
export const changeOfState = ({ request, from, into, can }: Change): Step<ValuesOf<Changes>, Subscription> => ({
  look: (values) => ({ ...lookAt(wire.getSubscription.request, values), absent: isAbsent }),
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

/**
 * Determines from the subscription's record whether the state changed. Immediately before the change, the node read
 * another state. A new state therefore proves a later change. Even if another client made the change, the node doesn't
 * need to send the change again.
 */
export const footprintOfState = ({ into }: Change): FootprintOf<Changes, 'getSubscription'> => ({
  list: { path: wire.getSubscription.request.path, identity: 'subscription_id' },
  filter: () => [],
  // The node can't look up a subscription of another merchant.
  isIdentifiable: ({ path, body }) => comparableText(path.subscription_id) !== '' && body.merchant_id === undefined,
  key: ({ path }) => comparableText(path.subscription_id),
  lifetime: () => 'always',
  matches: (record, { path }) =>
    comparableText(record.subscription_id) === comparableText(path.subscription_id) && record.status === into,
  where: "the subscription's own record",
  agreement: `the subscription is ${stateOf(into)}`,
  when: 'changed since the request',
});

const STARTED =
  'A subscription was created with a Start Date in the past. The field "date_next" in the output contains the day of the next payment. If the Start Date is wrong, cancel the subscription.';

/** Values of a created or changed subscription that can contain dates in the past. */
interface Begun {
  body: Pick<ValuesOf<'addSubscription'>['body'], 'date_start' | 'customer'>;
}

/**
 * Returns a notice about dates in the past. The interface doesn't specify that the service rejects past dates, but past
 * dates are usually a mistake.
 */
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
