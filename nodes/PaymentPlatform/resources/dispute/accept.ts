import { withHint } from '../../fields/bounds';
import { amount } from '../../fields/kinds/number';
import { IN_REVIEW, RETRIEVAL } from '../../messages/describe-dispute';
import { inMoney, inMoneyOf } from '../../messages/what-happened';
import { operation, type ValuesOf } from '../../model/operation';
import type { Step } from '../../model/types';
import { objectIn, isSameAmount } from '../../shared/objects';
import { disputeId } from './fields';
import { disputeAmong, footprintOfStatus, ifUnknownStatus, lookAtDispute, whyNotRespond, type Dispute } from './state';
import * as wire from '../../wire/operations';

const { path, request } = wire.acceptDispute;

/** Expected amount of the dispute, which the node compares but doesn't send. */
const EXPECTED = 'expectedAmount';

const acceptOpen: Step<ValuesOf<'acceptDispute'>, Dispute> = {
  look: lookAtDispute,
  decide: (found, values) => {
    const dispute = disputeAmong(found, values);
    const refuse = whyNotRespond(dispute, values.node);
    if (refuse !== undefined) return { refuse };
    if (dispute?.data_type === RETRIEVAL)
      return { refuse: "A retrieval request can't be accepted, so nothing was sent" };
    const { [EXPECTED]: expected } = values.node;
    if (expected !== undefined && !isSameAmount(dispute?.amt_dispute, expected))
      return {
        refuse: `"Expected Amount" is ${inMoney(expected)}, but the disputed amount is ${inMoney(dispute?.amt_dispute)}, so nothing was sent`,
      };
    return { request: { to: request, node: { dispute } } };
  },
};

export const accept = operation({
  value: 'accept',
  name: 'Accept',
  action: 'Accept dispute or chargeback',
  description:
    'Accept a chargeback or a pre-arbitration, or withdraw from an arbitration. You lose the disputed amount.',
  request,
  money: { byNode: EXPECTED },
  fields: [
    withHint(disputeId(path.recId), 'You lose the disputed amount'),
    amount({
      name: EXPECTED,
      place: 'node',
      label: 'Expected Amount',
      notIdentifying: true,
      description:
        'Disputed amount, e.g. 12.50. If the actual amount differs, the node sends nothing. Required with limits and in AI agent tools.',
    }),
  ],
  additional: [ifUnknownStatus()],
  steps: { sends: [request], each: [acceptOpen] },
  present: () => ({ accepted: true }),
  summary: (_, { path: { recId }, node }) => {
    const dispute = objectIn(node.dispute);
    const amount = inMoneyOf(dispute.amt_dispute, dispute);
    return `Accepted dispute ${recId}${amount === '' ? '' : ` for ${amount}`}.`;
  },
  footprint: footprintOfStatus(IN_REVIEW),
  needsSupport: 'Support must enable dispute management for your account.',
  lookUp:
    'Check the status of dispute {recId} in Dispute > Get Many. The status "N" means that the dispute is still open.',
});
