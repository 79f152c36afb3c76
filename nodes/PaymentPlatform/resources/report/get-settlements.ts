import { operation, type KnownFields } from '../../model/operation';
import { only } from '../../shared/objects';
import { batchDays, reportList } from './report-list';
import * as wire from '../../wire/operations';

const known: KnownFields<'browseSettlements'> = [
  { name: 'Batch Date', value: 'batch_date', example: '2026-03-31' },
  { name: 'Billing Month', value: 'billing_month' },
  { name: 'Net Amount', value: 'amt_net' },
  { name: 'Purchase Amount', value: 'amt_purch' },
  { name: 'Reference Number', value: 'reference_number' },
  { name: 'Return Amount', value: 'amt_return' },
];

export const getSettlements = operation({
  value: 'getSettlements',
  name: 'Get Many Settlements',
  action: 'Get report of settlements',
  description: 'Retrieve settled batches from your statements',
  request: wire.browseSettlements.request,
  ...reportList(wire.browseSettlements.query, { known, days: batchDays }),
  simplified: (record) =>
    only(record, [
      'batch_date',
      'billing_month',
      'reference_number',
      'cnt_purch',
      'amt_purch',
      'amt_return',
      'discount_paid',
      'amt_net',
    ]),
});
