import { locator } from '../../fields/kinds/locator';
import type { Field } from '../../fields/types';
import { IN_REVIEW, NEW, RETRIEVAL } from '../../messages/describe-dispute';
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
