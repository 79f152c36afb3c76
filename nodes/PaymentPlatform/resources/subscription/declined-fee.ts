import { choice } from '../../fields/kinds/choice';
import { gatewayFailure } from '../../messages/describe-answers';
import { paymentOutcomeOf, type PaymentOutcome } from '../../model/failure';
import type { Given, RecordOf, ValuesOf } from '../../model/operation';
import type { PartialFailure, PartialFailureCheck } from '../../model/types';
import { asText, isObject } from '../../shared/objects';

type Subscription = Given<RecordOf<'addSubscription'>>;

const CANCELED = 'C';
/** The service creates the subscription even if the issuer declines the one-time fee, so users need the IDs. */
const IDS = ['subscription_id', 'customer_id', 'card_id', 'plan_code', 'purchase_id', 'status'] as const;

export const declinedFee = () =>
  choice({
    name: 'declinedFee',
    label: 'If the One-Time Fee Is Declined',
    // The editor can't tell whether the plan has a one-time fee.
    hint: 'Also applies to the one-time fee of a plan',
    description:
      'Action if the one-time fee is declined. The service creates the subscription anyway. The output field response_rcode (without Simplify, response.rcode) contains the code of the fee, e.g. "000" for an approval.',
    options: [
      {
        name: 'Continue With a Warning',
        value: 'continue',
        description: 'Output the subscription and show a warning about the declined fee',
      },
      {
        name: 'Fail the Item',
        value: 'fail',
        description: 'Report an error that contains the subscription ID',
      },
    ],
    default: 'continue',
    place: 'node',
  });

/** Finds a declined one-time fee, which only `response.rcode` shows (service.md#subscriptions). */
export const partialFailure: PartialFailureCheck<ValuesOf<'addSubscription'>, Subscription> = {
  find: (record) => {
    if (!isObject(record.response) || record.response.rcode === undefined) return undefined;
    const outcome = paymentOutcomeOf(record.response.rcode);
    return outcome === 'approved' ? undefined : remark(record, record.response, outcome);
  },
  fails: ({ node }) => node.declinedFee === 'fail',
};

function remark(record: Subscription, sale: Record<string, unknown>, outcome: PaymentOutcome): PartialFailure {
  const failure = gatewayFailure(sale, 200);
  const rcode = failure.rcode ?? 'unreadable';
  const what =
    outcome === 'partlyApproved' ? 'only partly approved' : outcome === 'open' ? 'not confirmed' : 'declined';
  const state =
    record.status === CANCELED
      ? 'As requested, the subscription was canceled for this reason.'
      : 'The subscription is active, so if the fee was not charged, collect it in another way or cancel the subscription. Creating the subscription again would charge the customer twice.';
  return {
    text: `The subscription was created, but its one-time fee was ${what}.`,
    about: `subscription_id ${asText(record.subscription_id)}, code ${rcode}`,
    failure: {
      ...failure,
      httpStatus: undefined,
      applied: true,
      message: `The subscription ${asText(record.subscription_id)} was created, but its one-time fee was ${what}: ${failure.message}`,
      advice: [state, failure.advice].filter(Boolean).join(' '),
      references: Object.fromEntries(IDS.filter((id) => record[id] !== undefined).map((id) => [id, record[id]])),
    },
  };
}
