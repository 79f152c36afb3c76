import { operation, type KnownFields } from '../../model/operation';
import { reportList } from './report-list';
import * as wire from '../../wire/operations';

const known: KnownFields<'browseDeposits'> = [
  { name: 'Amount', value: 'amt_ach' },
  { name: 'Deposit Date', value: 'post_date_actual', example: '2026-03-31' },
  { name: 'Description', value: 'ach_description' },
  { name: 'Reference Number', value: 'reference_number' },
];

const days = { field: 'post_date_actual', of: 'deposits posted' } as const;

export const getDeposits = operation({
  value: 'getDeposits',
  name: 'Get Many Deposits',
  action: 'Get report of deposits (payouts to bank)',
  description: "Retrieve the service's deposits to your bank account",
  request: wire.browseDeposits.request,
  ...reportList(wire.browseDeposits.query, { known, days, identity: 'rec_id' }),
});
