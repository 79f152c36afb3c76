import { choice } from '../../fields/kinds/choice';
import type { Field } from '../../fields/types';
import { IN_REVIEW, NEW } from '../../messages/describe-dispute';
import type { FootprintOf, Given, RecordOf } from '../../model/operation';
import type { Look } from '../../model/types';
import { asText, comparableText } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { CODE_WORDS } from '../../wire/words';
import { likeIf, likeText } from '../../model/likeness';

export type Dispute = Given<RecordOf<'getDisputes'>>;

export const statusOf = ({ status }: Dispute): string =>
  CODE_WORDS.getDisputes?.status?.[asText(status)] ?? asText(status);

const SEND = 'send';

/** A dispute, such as a pre-arbitration, can have an unknown status. */
export const ifUnknownStatus = (): Field =>
  choice({
    name: 'ifUnknownStatus',
    label: 'If Status Is Unknown',
    description:
      'Action if the dispute is neither new nor under review, e.g. in pre-arbitration. Use Dispute > Get Response before you respond.',
    options: [
      { name: 'Fail the Item', value: 'fail' },
      { name: 'Send', value: SEND },
    ],
    default: 'fail',
    place: 'node',
  });

/** Reads the list of disputes, because the service has no request for a single dispute. */
export const lookAtDispute = ({ path: { recId } }: { path: { recId?: string } }): Look => ({
  path: wire.getDisputes.request.path,
  family: wire.getDisputes.request.family,
  query: { filter: [`rec_id,IS,${recId}`] },
  list: { identity: 'rec_id' },
});

/** Compares the dispute IDs again, because the service may ignore the filter. */
export const disputeAmong = (found: Dispute[], { path: { recId } }: { path: { recId?: string } }) =>
  found.find(({ rec_id: id }) => comparableText(id) === comparableText(recId));

/** Returns the reason not to respond to a dispute, or `undefined`. */
export function whyNotRespond(dispute: Dispute | undefined, node: { ifUnknownStatus?: unknown }): string | undefined {
  if (!dispute) return 'No dispute has this ID, so nothing was sent';
  if (dispute.status === IN_REVIEW) return 'The dispute is already under review, so nothing was sent';
  if (dispute.status === NEW || node.ifUnknownStatus === SEND) return undefined;
  return `Nothing was sent, because the status "${statusOf(dispute)}" of the dispute is unknown. To send anyway, set "If Status Is Unknown" to "Send"`;
}

/** A new status proves the change, because the node read a different status before its request. */
export const footprintOfStatus = (into: string): FootprintOf<'acceptDispute', 'getDisputes'> => ({
  list: { path: `${wire.getDisputes.request.path}?filter=rec_id%2CIS%2C{recId}`, identity: 'rec_id' },
  filter: () => [],
  isIdentifiable: ({ path }) => comparableText(path.recId) !== '',
  key: ({ path }) => comparableText(path.recId),
  lifetime: () => 'always',
  compare: (record, { path }) => [likeText(record.rec_id, path.recId), likeIf(record.status === into)],
  where: "the dispute's own record",
  agreement: `the dispute is ${statusOf({ status: into })}`,
  when: 'changed since the request',
});
