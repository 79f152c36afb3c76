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
import { comparableText, lookAt } from '../merge-with-current';

type Changes = 'cancelSubscription' | 'pauseSubscription' | 'resumeSubscription';
type Subscription = Given<RecordOf<'getSubscription'>>;

/** A change of the state of a subscription (service.md#letters). */
export interface Change {
  request: RequestDeclaration<Changes>;
  /** The letters of the states in which the service takes it. */
  from: readonly string[];
  /** The letter of the state that it leads to. */
  into: string;
  /** What can not be done in another state, e.g. "can be paused". */
  can: string;
}

const GO_ON = 'continue';

const stateOf = (status: string): string => CODE_WORDS.getSubscription?.status?.[status] ?? status;

/** What happens where a subscription is in the state already, which somebody else may have brought about. */
export const ifAlready = (): Field =>
  choice({
    name: 'ifAlready',
    label: 'If Already in This State',
    description: 'What to do if the subscription is already in this state. Either way, the node sends nothing.',
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

/** Whose subscription it is. The service wants to be told; the node reads it where nobody says it. */
export const ownerField = (fact: TextFact): Field =>
  customerId(fact, {
    description:
      'Customer who must own the subscription. If another customer owns the subscription, the node sends nothing. Defaults to the owner of the subscription.',
    required: false,
  });

/** Reads the subscription, for whose it is and what state it is in, and changes the state where it can be changed. */
export const changeOfState = ({ request, from, into, can }: Change): Step<ValuesOf<Changes>, Subscription> => ({
  look: (values) => ({ ...lookAt(wire.getSubscription.request, values), absent: isAbsent }),
  decide: ([found], { node, body }) => {
    if (!found) return { refuse: 'There is no subscription with this ID, so nothing was sent' };
    const { customer_id: owner, status } = found;
    if (body.customer_id !== undefined && asText(body.customer_id) !== asText(owner))
      return {
        refuse: `The subscription belongs to customer ${asText(owner)}, not to the one in "Customer", so nothing was sent`,
      };
    const state = stateOf(asText(status));
    if (status === into)
      return node.ifAlready === GO_ON
        ? { done: found }
        : { refuse: `The subscription is ${state} already, so nothing was sent` };
    if (state !== asText(status) && !from.includes(asText(status)))
      return {
        refuse: `The subscription is ${state}, and only one that is ${from.map(stateOf).join(' or ')} ${can}, so nothing was sent`,
      };
    return { request: { to: request, body: { ...body, customer_id: owner } } };
  },
});

/**
 * The subscription's own record. The step has read another state right before it sent, so the state that it was to bring
 * about came since; whoever else did it, there is nothing left to do.
 */
export const footprintOfState = ({ into }: Change): FootprintOf<Changes, 'getSubscription'> => ({
  list: { path: wire.getSubscription.request.path, identity: 'subscription_id' },
  filter: () => [],
  // A subscription of another merchant is not found without naming that one.
  isIdentifiable: ({ path, body }) => comparableText(path.subscription_id) !== '' && body.merchant_id === undefined,
  key: ({ path }) => comparableText(path.subscription_id),
  lifetime: () => 'always',
  matches: (record, { path }) =>
    comparableText(record.subscription_id) === comparableText(path.subscription_id) && record.status === into,
  where: "the subscription's own record",
  agreement: `the subscription is ${stateOf(into)}`,
  when: 'which it was not before',
});

const STARTED =
  'A subscription starts in the past. It was sent as it is: look at "date_next" in the output for the day of the next payment, and cancel the subscription if the Start Date was a slip.';

/** What is looked at of a subscription that is made or changed. */
interface Begun {
  body: Pick<ValuesOf<'addSubscription'>['body'], 'date_start' | 'customer'>;
}

/** What the service takes although it is over: nothing says that it refuses it, and hardly anybody means it. */
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
