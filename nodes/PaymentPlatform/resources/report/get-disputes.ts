import { operation, type KnownFields } from '../../model/operation';
import { only } from '../../shared/objects';
import { reportList } from './report-list';
import { cardTypes } from './words';
import * as wire from '../../wire/operations';

const known: KnownFields<'browseDisputes'> = [
  { name: 'Arrival Date', value: 'incoming_date' },
  { name: 'Card Type', value: 'card_type', values: cardTypes },
  { name: 'Dispute ID', value: 'rec_id' },
  { name: 'Disputed Amount', value: 'amt_dispute' },
  { name: 'Purchase ID', value: 'purchase_id' },
  { name: 'Reason Code', value: 'reason_code', example: '10.4' },
  { name: 'Transaction Date', value: 'tran_date' },
  { name: 'Transaction ID', value: 'pg_id' },
];

const days = { field: 'incoming_date', of: 'disputes that arrived' } as const;

export const getDisputes = operation({
  value: 'getDisputes',
  name: 'Get Many Disputes',
  action: 'Get report of disputes',
  description: 'Retrieve disputes with the disputed transactions',
  request: wire.browseDisputes.request,
  ...reportList(wire.browseDisputes.query, { known, days, identity: 'rec_id' }),
  simplified: (record) =>
    only(record, [
      'rec_id',
      'data_type',
      'incoming_date',
      'reason_code',
      'amt_dispute',
      'amt_tran',
      'tran_currency',
      'pg_id',
      'purchase_id',
      'card_number',
    ]),
});
