import { operation, type Given, type RecordOf } from '../../model/operation';
import { only } from '../../shared/objects';
import { disputeId } from './fields';
import * as wire from '../../wire/operations';

const mainFields = (record: Given<RecordOf<'getCreditedTran'>>) =>
  only(record, [
    'pg_id',
    'tran_status',
    'tran_time',
    'amt_tran',
    'amt_refunded',
    'tran_currency',
    'card_number',
    'purchase_id',
  ]);

export const getResponse = operation({
  value: 'getResponse',
  name: 'Get Response',
  action: 'Get response to dispute',
  description: 'Retrieve the response to a dispute. Returns no item if there is no response.',
  request: wire.getDisputeResponse.request,
  fields: [disputeId(wire.getDisputeResponse.path.recId)],
  simplified: (record) =>
    only(record, [
      'rec_id',
      'data_type',
      'incoming_date',
      'date_status_change',
      'reason_code',
      'amt_dispute',
      'tran_currency',
      'pg_id',
      'purchase_id',
      'card_number',
    ]),
});

export const getCreditedTransactions = operation({
  value: 'getCreditedTransactions',
  name: 'Get Credited Transactions',
  action: 'Get credited transactions of dispute',
  description: 'Retrieve refunds and credits for the disputed transaction, as evidence that you returned the money',
  request: wire.getCreditedTran.request,
  fields: [disputeId(wire.getCreditedTran.path.recId)],
  simplified: mainFields,
});

export const getNonDisputedTransactions = operation({
  value: 'getNonDisputedTransactions',
  name: 'Get Undisputed Transactions',
  action: 'Get undisputed transactions for dispute',
  description: "Retrieve the customer's earlier undisputed transactions, to use as evidence",
  request: wire.getNonDisputedTran.request,
  fields: [disputeId(wire.getNonDisputedTran.path.recId)],
  simplified: mainFields,
});
