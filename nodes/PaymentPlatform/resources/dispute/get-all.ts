import { daysField } from '../../fields/kinds/days';
import { filters, sorting } from '../../fields/kinds/filters-and-sorting';
import { operation, type Given, type KnownFields, type RecordOf } from '../../model/operation';
import { cardholderOf, estimateDueDay, possibleActions } from '../../messages/describe-dispute';
import { disputeStatuses, disputeTypes } from './fields';
import { only } from '../../shared/objects';
import * as wire from '../../wire/operations';

const { query, request } = wire.getDisputes;

const knownFields: KnownFields<'getDisputes'> = [
  { name: 'Arrival Date', value: 'incoming_date' },
  { name: 'Dispute ID', value: 'rec_id' },
  { name: 'Disputed Amount', value: 'amt_dispute' },
  { name: 'Last Status Change', value: 'date_status_change' },
  { name: 'Purchase ID', value: 'purchase_id' },
  { name: 'Reason Code', value: 'reason_code', example: '10.4' },
  { name: 'Status', value: 'status', values: disputeStatuses },
  { name: 'Transaction Date', value: 'tran_date' },
  { name: 'Type', value: 'data_type', values: disputeTypes },
];

const days = { field: 'incoming_date', of: 'disputes that arrived' } as const;

/** Adds the possible actions and the estimated due date of a response. */
function mainFields(dispute: Given<RecordOf<'getDisputes'>> & { customer_name?: string }) {
  const due = estimateDueDay(dispute);
  return {
    ...only(dispute, ['rec_id', 'status']),
    possible_actions: possibleActions(dispute),
    ...(due !== undefined && { due_date_estimate: due }),
    ...only(dispute, ['reason_code', 'reason_desc', 'amt_dispute']),
    ...only(dispute, ['customer_name', 'purchase_id', 'card_number']),
  };
}

export const getAll = operation({
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many disputes (chargebacks)',
  description: 'Retrieve a list of disputes with their customers, possible actions and estimated due dates',
  request,
  fields: [daysField(days), filters(query.filter, knownFields, days), sorting(query)],
  simplified: mainFields,
  addedBySimplify: ['possible_actions', 'due_date_estimate'],
  needsSupport: 'Support must enable dispute management for your account.',
  adds: {
    customer_name: {
      type: 'string',
      description: 'Cardholder of the disputed payment, from the report of transactions',
    },
  },
  list: {
    identity: 'rec_id',
    fields: knownFields,
    day: [days.field],
    linked: {
      ...{ by: 'purchase_id', to: 'purchase_id', identity: 'pg_id' },
      of: "the customers' names",
      request: wire.getTransactionRequests.request,
      fieldsFrom: (payments, dispute) => {
        const customer_name = cardholderOf(dispute, payments);
        return customer_name === '' ? {} : { customer_name };
      },
    },
  },
});
