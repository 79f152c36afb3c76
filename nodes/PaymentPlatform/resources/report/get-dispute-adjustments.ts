import { operation, type KnownFields } from '../../model/operation';
import { batchDays, reportList } from './report-list';
import * as wire from '../../wire/operations';

const known: KnownFields<'browseStatementDisputeAdjustmentData'> = [
  { name: 'Batch Date', value: 'batch_date', example: '2026-03-31' },
  { name: 'Billing Month', value: 'billing_month' },
  { name: 'Purchase Amount', value: 'amt_purch' },
  { name: 'Reference Number', value: 'reference_number' },
  { name: 'Return Amount', value: 'amt_return' },
];

export const getDisputeAdjustments = operation({
  value: 'getDisputeAdjustments',
  name: 'Get Many Dispute Adjustments',
  action: 'Get report of dispute adjustments',
  description: 'Retrieve the dispute adjustments on your statements',
  request: wire.browseStatementDisputeAdjustmentData.request,
  ...reportList(wire.browseStatementDisputeAdjustmentData.query, { known, days: batchDays }),
});
