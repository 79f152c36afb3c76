import { operation, type KnownFields } from '../../model/operation';
import { batchDays, reportList } from './report-list';
import * as wire from '../../wire/operations';

const known: KnownFields<'browseStatementReserve'> = [
  { name: 'Balance', value: 'amt_reserve_balance' },
  { name: 'Batch Date', value: 'batch_date', example: '2026-03-31' },
  { name: 'Billing Month', value: 'billing_month' },
  { name: 'Held Amount', value: 'amt_Reserve' },
  { name: 'Released Amount', value: 'amt_released_reserve' },
];

export const getReserve = operation({
  value: 'getReserve',
  name: 'Get Many Reserve Entries',
  action: 'Get report of reserve entries',
  description: 'Retrieve reserve entries: amounts withheld from your batches or released',
  request: wire.browseStatementReserve.request,
  ...reportList(wire.browseStatementReserve.query, { known, days: batchDays }),
});
