import { NEW } from '../../messages/describe-dispute';
import { operation, type ValuesOf } from '../../model/operation';
import type { Step } from '../../model/types';
import { disputeId } from './fields';
import { disputeAmong, footprintOfStatus, lookAtDispute, type Dispute } from './state';
import * as wire from '../../wire/operations';

const { path, request } = wire.resetDispute;

const resetChanged: Step<ValuesOf<'resetDispute'>, Dispute> = {
  look: lookAtDispute,
  decide: (found, values) => {
    const dispute = disputeAmong(found, values);
    if (!dispute) return { refuse: 'No dispute has this ID, so nothing was sent' };
    return dispute.status === NEW ? { done: dispute } : { request: { to: request } };
  },
};

export const reset = operation({
  value: 'reset',
  name: 'Reset',
  action: 'Reset answered dispute to new',
  description:
    'Set a dispute back to New, so that you can accept the dispute or respond again. In Production, you can reset a dispute only while the service is reviewing the dispute.',
  request,
  fields: [disputeId(path.recId)],
  steps: { sends: [request], each: [resetChanged] },
  setsState: true,
  present: () => ({ reset: true }),
  summary: (_, { path: { recId } }, came) =>
    came === 'unchanged'
      ? `Nothing was sent, because dispute ${recId} is already new.`
      : `Set dispute ${recId} back to new.`,
  footprint: footprintOfStatus(NEW),
  needsSupport: 'Support must enable dispute management for your account.',
  lookUp: 'Check the status of dispute {recId} in Dispute > Get Many. The status "N" means that the dispute was reset.',
});
