import { locator } from '../../fields/kinds/locator';
import type { Field } from '../../fields/types';
import { estimateDueDay, IN_REVIEW, NEW, possibleActions, RETRIEVAL } from '../../messages/describe-dispute';
import type { Given, RecordOf } from '../../model/operation';
import { only } from '../../shared/objects';
import type { TextFact } from '../../wire/facts';

export const disputeId = (fact: TextFact): Field =>
  locator({
    ...fact,
    label: 'Dispute',
    notIdentifying: false,
    description: 'Search by reason, amount, order number or date, or enter the rec_id',
    search: 'searchDisputes',
    placeholder: 'e.g. 11001',
  });

export const disputeStatuses = [
  { name: 'New', value: NEW },
  { name: 'Under Review by the Service', value: IN_REVIEW },
];

export const disputeTypes = [
  { name: 'Chargeback', value: 'C' },
  { name: 'Retrieval Request', value: RETRIEVAL },
];

/** Adds the possible actions and the estimated due date of a response. */
export function mainDisputeFields(dispute: Given<RecordOf<'getDisputes'>>) {
  const due = estimateDueDay(dispute);
  return {
    ...only(dispute, ['rec_id', 'status']),
    possible_actions: possibleActions(dispute),
    ...(due !== undefined && { due_date_estimate: due }),
    ...only(dispute, ['incoming_date', 'reason_code', 'reason_desc', 'amt_dispute', 'purchase_id', 'card_number']),
  };
}
