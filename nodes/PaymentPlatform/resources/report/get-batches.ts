import { operation, type KnownFields } from '../../model/operation';
import { only } from '../../shared/objects';
import { batchDays, reportList } from './report-list';
import * as wire from '../../wire/operations';

const known: KnownFields<'browseBatches'> = [
  { name: 'Batch Date', value: 'batch_date', example: '2026-03-31' },
  { name: 'Batch ID', value: 'batch_id' },
  { name: 'Purchase Amount', value: 'amt_purch' },
  { name: 'Return Amount', value: 'amt_return' },
  { name: 'Total', value: 'amt_total' },
];

export const getBatches = operation({
  value: 'getBatches',
  name: 'Get Many Batches',
  action: 'Get report of batches',
  description: 'Retrieve closed batches with their purchases, returns and totals',
  request: wire.browseBatches.request,
  ...reportList(wire.browseBatches.query, { known, days: batchDays, identity: 'batch_id' }),
  simplified: (record) =>
    only(record, [
      'batch_id',
      'batch_date',
      'tran_currency',
      'cnt_purch',
      'amt_purch',
      'cnt_return',
      'amt_return',
      'amt_total',
    ]),
});
