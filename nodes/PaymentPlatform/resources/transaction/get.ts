import { locator } from '../../fields/kinds/locator';
import { operation } from '../../model/operation';
import { only } from '../../shared/objects';
import * as wire from '../../wire/operations';

export const get = operation({
  value: 'get',
  name: 'Get',
  action: 'Get status of transaction',
  description: 'Retrieve the status, amount and refunds of a transaction',
  request: wire.getTransactionByPgId.request,
  fields: [
    locator({
      ...wire.getTransactionByPgId.path.pg_id,
      label: 'Transaction',
      notIdentifying: false,
      description:
        'Transaction to retrieve. Search refundable transactions by amount, name, date, order number or last four card digits, or enter the ID (pg_id) of any transaction.',
      search: 'searchSales',
      placeholder: 'e.g. 426351789012345678',
    }),
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
