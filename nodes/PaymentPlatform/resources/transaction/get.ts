import { locator } from '../../fields/kinds/locator';
import { operation } from '../../model/operation';
import { only } from '../../shared/objects';
import * as wire from '../../wire/operations';

export const get = operation({
  value: 'get',
  name: 'Get',
  action: 'Get status of transaction',
  description: 'Look up a transaction: its status, its amount, and what was refunded of it',
  request: wire.getTransactionByPgId.request,
  fields: [
    locator({
      ...wire.getTransactionByPgId.path.pg_id,
      label: 'Transaction',
      wording: false,
      description:
        'The transaction to look up. Search the list by amount, name, day, last four digits of the card or order number, or give its ID (pg_id), e.g. from an event. The list has those that can be refunded.',
      search: 'searchSales',
      placeholder: 'e.g. 426351789012345678',
    }),
  ],
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
