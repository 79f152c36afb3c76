import { operation, type KnownFields } from '../../model/operation';
import { only } from '../../shared/objects';
import { billingMonths, reportList } from './report-list';
import * as wire from '../../wire/operations';

const known: KnownFields<'browseStatementFees'> = [
  { name: 'Billing Month', value: 'billing_month', example: '2026-03-01' },
  { name: 'Category', value: 'fee_category' },
  { name: 'Description', value: 'description' },
  { name: 'Fees Paid', value: 'fees_paid' },
  { name: 'Total Fees', value: 'fees_total' },
];

export const getFees = operation({
  value: 'getFees',
  name: 'Get Many Fees',
  action: 'Get report of fees',
  description: 'Retrieve the fees on your monthly statements',
  request: wire.browseStatementFees.request,
  ...reportList(wire.browseStatementFees.query, { known, days: billingMonths }),
  simplified: (record) =>
    only(record, [
      'billing_month',
      'fee_category',
      'description',
      'count',
      'rate',
      'per_item',
      'fees_total',
      'fees_paid',
    ]),
});
