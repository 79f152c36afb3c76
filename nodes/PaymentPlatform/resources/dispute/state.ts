import { choice } from '../../fields/kinds/choice';
import type { Field } from '../../fields/types';
import { IN_REVIEW, NEW } from '../../messages/describe-dispute';
import type { FootprintOf, Given, RecordOf } from '../../model/operation';
import type { Look } from '../../model/types';
import { asText } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { CODE_WORDS } from '../../wire/words';
import { comparableText } from '../../model/footprint';

export type Dispute = Given<RecordOf<'getDisputes'>>;

/** Returns the description of a dispute's status. */
export const statusOf = ({ status }: Dispute): string =>
  CODE_WORDS.getDisputes?.status?.[asText(status)] ?? asText(status);

const SEND = 'send';

/** Field for the action on a dispute whose status the interface doesn't describe, such as a pre-arbitration. */
export const ifUnknownStatus = (): Field =>
  choice({
    name: 'ifUnknownStatus',
    label: 'If Status Is Unknown',
    description:
      'Action if the dispute is neither new nor under review, for example a pre-arbitration. Check Dispute > Get Response before you send.',
    options: [
      { name: 'Fail the Item', value: 'fail' },
      { name: 'Send', value: SEND },
    ],
    default: 'fail',
    place: 'node',
  });

/** Returns a look-up of the dispute in the list of disputes. The service has no request for a single dispute. */
export const lookAtDispute = ({ path: { recId } }: { path: { recId?: string } }): Look => ({
  path: wire.getDisputes.request.path,
  family: wire.getDisputes.request.family,
  query: { filter: [`rec_id,IS,${recId}`] },
  list: { identity: 'rec_id' },
});

/** Returns the item's dispute from the records that the node read. The service may have ignored the filter. */
export const disputeAmong = (found: Dispute[], { path: { recId } }: { path: { recId?: string } }) =>
  found.find(({ rec_id: id }) => comparableText(id) === comparableText(recId));

/**
 * Returns the reason why the node must not respond to a dispute, or `undefined` if the node may respond. The node never
 * responds twice to the same dispute.
 */
export function whyNotRespond(dispute: Dispute | undefined, node: { ifUnknownStatus?: unknown }): string | undefined {
  if (!dispute) return 'No dispute has this ID, so nothing was sent';
  if (dispute.status === IN_REVIEW) return 'The dispute is already under review, so nothing was sent';
  if (dispute.status === NEW || node.ifUnknownStatus === SEND) return undefined;
  return `Nothing was sent, because the status "${statusOf(dispute)}" of the dispute is unknown. To send anyway, set "If Status Is Unknown" to "Send"`;
}

/**
 * Determines from the list of disputes whether the status changed. Immediately before the change, the node read another
 * status. A new status therefore proves a later change. Even if another client made the change, the dispute accepts no
 * further response.
 */
export const footprintOfStatus = (into: string): FootprintOf<'acceptDispute', 'getDisputes'> => ({
  list: { path: `${wire.getDisputes.request.path}?filter=rec_id%2CIS%2C{recId}`, identity: 'rec_id' },
  filter: () => [],
  isIdentifiable: ({ path }) => comparableText(path.recId) !== '',
  key: ({ path }) => comparableText(path.recId),
  lifetime: () => 'always',
  matches: (record, { path }) => comparableText(record.rec_id) === comparableText(path.recId) && record.status === into,
  where: "the dispute's own record",
  agreement: `the dispute is ${statusOf({ status: into })}`,
  when: 'changed since the request',
});
