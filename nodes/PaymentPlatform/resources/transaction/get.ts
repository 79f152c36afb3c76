import { operation } from '../../model/operation';
import { only } from '../../shared/objects';
import { byReference, transactionField } from './find-transaction';
import * as wire from '../../wire/operations';

export const get = operation({
  value: 'get',
  name: 'Get',
  action: 'Get status of transaction',
  description: 'Retrieve the status, amount and refunds of a transaction',
  request: wire.getTransactionByPgId.request,
  byReference,
  fields: [
    transactionField(
      wire.getTransactionByPgId.path.pg_id,
      'Transaction to retrieve. The list shows refundable transactions only',
    ),
  ],
  // Simplify adds no possible actions, because the response doesn't distinguish payments from refunds.
  simplified: (record) =>
    only(record, [
      'pg_id',
      'tran_status',
      'tran_time',
      'amt_tran',
      'amt_refunded',
      'tran_currency',
      'cardholder_first_name',
      'cardholder_last_name',
      'card_number',
      'purchase_id',
    ]),
});
