import { operation, type KnownFields } from '../../model/operation';
import { only } from '../../shared/objects';
import { reportList } from '../report/report-list';
import { cardTypes } from '../report/words';
import * as wire from '../../wire/operations';

const known: KnownFields<'browseSettledTransactions'> = [
  { name: 'Amount', value: 'amt_tran' },
  { name: 'Batch Date', value: 'batch_date' },
  { name: 'Card Type', value: 'card_type', values: cardTypes },
  { name: 'Merchant Reference Number', value: 'merch_ref_num' },
  { name: 'Purchase ID', value: 'purchase_id' },
  { name: 'Settlement Date', value: 'settle_date' },
  { name: 'Transaction Date', value: 'tran_date' },
  { name: 'Transaction ID', value: 'pg_id' },
];

/** Report > Get Many Settlements filters by this day too, so both operations return the same batches. */
const days = { field: 'batch_date', of: 'transactions of batches dated' } as const;

export const getAll = operation({
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many settled transactions',
  description: 'Retrieve transactions of closed batches, with the date and amount of their settlement',
  request: wire.browseSettledTransactions.request,
  ...reportList(wire.browseSettledTransactions.query, { known, days, identity: 'rec_id' }),
  simplified: (record) =>
    only(record, [
      'pg_id',
      'batch_date',
      'settle_date',
      'amt_tran',
      'amt_funded',
      'tran_currency',
      'purchase_id',
      'card_type',
      'card_number',
      'reference_number',
    ]),
});
