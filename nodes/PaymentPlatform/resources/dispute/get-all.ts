import { daysField } from '../../fields/kinds/days';
import { filters, sorting } from '../../fields/kinds/filters-and-sorting';
import { operation, type KnownFields } from '../../model/operation';
import { disputeStatuses, disputeTypes, mainDisputeFields } from './fields';
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

export const getAll = operation({
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many disputes (chargebacks)',
  description: 'Retrieve a list of disputes with their possible actions and estimated due dates',
  request,
  fields: [daysField(days), filters(query.filter, knownFields, days), sorting(query)],
  simplified: mainDisputeFields,
  addedBySimplify: ['possible_actions', 'due_date_estimate'],
  needsSupport: 'Support must enable dispute management for your account.',
  list: { identity: 'rec_id', fields: knownFields, day: [days.field] },
});
