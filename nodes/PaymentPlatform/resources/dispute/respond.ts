import { file } from '../../fields/kinds/file';
import { IN_REVIEW } from '../../messages/describe-dispute';
import { operation, type ValuesOf } from '../../model/operation';
import type { Step } from '../../model/types';
import { evidenceDetails } from './evidence';
import { disputeId } from './fields';
import { disputeAmong, footprintOfStatus, ifUnknownStatus, lookAtDispute, whyNotRespond, type Dispute } from './state';
import * as wire from '../../wire/operations';

const { body, path, request } = wire.submitDisputesResponse;

const respondToOpen: Step<ValuesOf<'submitDisputesResponse'>, Dispute> = {
  look: lookAtDispute,
  decide: (found, values) => {
    const refuse = whyNotRespond(disputeAmong(found, values), values.node);
    return refuse === undefined ? { request: { to: request, body: values.body } } : { refuse };
  },
};

export const respond = operation({
  value: 'respond',
  name: 'Respond',
  action: 'Respond to dispute with evidence',
  description:
    'Send evidence against a dispute as one PDF file. To respond again while the dispute is under review, first use Dispute > Reset.',
  request,
  fields: [
    disputeId(path.recId),
    file({
      ...body.file,
      label: 'Evidence File',
      description:
        'Input field with the PDF of at most 10 MB (e.g. data, from a form or Read/Write Files from Disk). Combine several files into one.',
      placeholder: 'e.g. data',
      kind: 'PDF',
      startsWith: '%PDF-',
    }),
    evidenceDetails(body.disputeResponse),
  ],
  additional: [ifUnknownStatus()],
  steps: { sends: [request], each: [respondToOpen] },
  present: () => ({ responded: true }),
  summary: (_, { path: { recId } }) => `Sent the evidence for dispute ${recId}.`,
  footprint: footprintOfStatus(IN_REVIEW),
  needsSupport: 'Support must enable dispute management for your account.',
  lookUp:
    'Check the status of dispute {recId} in Dispute > Get Many. The status "N" means that the dispute is still open.',
});
