import { boolean } from '../../fields/kinds/choice';
import { operation, type KnownFields } from '../../model/operation';
import { fullName, only } from '../../shared/objects';
import { movedMoney } from '../transaction/day-records';
import { reportList } from './report-list';
import { cardTypes, requestTypes, transactionStatuses } from './words';
import * as wire from '../../wire/operations';

const known: KnownFields<'getTransactionRequests'> = [
  { name: 'Amount', value: 'amt_tran' },
  { name: 'Card Type', value: 'card_type', values: cardTypes },
  { name: 'Cardholder Last Name', value: 'cardholder_last_name' },
  { name: 'Merchant Reference Number', value: 'merch_ref_num' },
  { name: 'Purchase ID', value: 'purchase_id' },
  { name: 'Request Type', value: 'request_type', values: requestTypes },
  { name: 'Transaction Date', value: 'tran_date' },
  { name: 'Transaction ID', value: 'pg_id' },
  { name: 'Transaction Status', value: 'tran_status', values: transactionStatuses },
  { name: 'Transaction Time', value: 'tran_time' },
];

const days = { field: 'tran_date', of: 'transactions made' } as const;

const moneyMoved = boolean({
  name: 'moneyMoved',
  label: 'Money Moved',
  description:
    'Whether to return each movement of money once: approved sales, captures, refunds, credits and payouts. All amounts are positive, so subtract refunds, credits, payouts, and captures with the status V from the sum.',
  place: 'node',
});

const report = reportList(wire.getTransactionRequests.query, { known, days, identity: 'rec_id', time: 'tran_time' });

export const getTransactions = operation({
  value: 'getTransactions',
  name: 'Get Many Transactions',
  action: 'Get report of transactions',
  description: 'Retrieve transaction requests, such as sales, refunds and voids',
  request: wire.getTransactionRequests.request,
  fields: [moneyMoved, ...report.fields],
  list: { ...report.list, only: { parameter: moneyMoved.name, includes: movedMoney } },
  simplified: (record) => ({
    ...only(record, ['pg_id', 'request_type', 'tran_status', 'tran_time', 'amt_tran', 'amt_refunded']),
    // A record can lack one of the two names.
    customer_name: fullName(record.cardholder_first_name, record.cardholder_last_name),
    ...only(record, ['purchase_id', 'card_number']),
  }),
  addedBySimplify: ['customer_name'],
});
