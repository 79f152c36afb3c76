import { daysField } from '../../fields/kinds/days';
import { filters, sorting } from '../../fields/kinds/filters-and-sorting';
import { operation, type KnownFields } from '../../model/operation';
import { only } from '../../shared/objects';
import * as wire from '../../wire/operations';

const knownFields: KnownFields<'browseSettlements'> = [
  { name: 'Batch Date', value: 'batch_date', example: '2026-03-31' },
  { name: 'Billing Month', value: 'billing_month' },
  { name: 'Net Amount', value: 'amt_net' },
  { name: 'Purchase Amount', value: 'amt_purch' },
  { name: 'Reference Number', value: 'reference_number' },
  { name: 'Return Amount', value: 'amt_return' },
];

const days = { field: 'batch_date', day: 'batch date', of: 'batches dated' } as const;

export const getSettlements = operation({
  value: 'getSettlements',
  name: 'Get Many Settlements',
  action: 'Get report of many settlements',
  description: 'Retrieve settled batches from your statements',
  request: wire.browseSettlements.request,
  fields: [
    daysField(days),
    filters(wire.browseSettlements.query.filter, knownFields, days),
    sorting(wire.browseSettlements.query, knownFields),
  ],
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
  list: { fields: knownFields, day: [days.field] },
});
