import { operation, type KnownFields } from '../../model/operation';
import { only } from '../../shared/objects';
import { billingMonths, reportList } from './report-list';
import * as wire from '../../wire/operations';

const known: KnownFields<'browseStatementPlans'> = [
  { name: 'Billing Month', value: 'billing_month', example: '2026-03-01' },
  { name: 'Net Amount', value: 'amt_net' },
  { name: 'Plan Code', value: 'plan_code' },
  { name: 'Purchase Amount', value: 'amt_purch' },
  { name: 'Return Amount', value: 'amt_return' },
];

export const getPlanTypes = operation({
  value: 'getPlanTypes',
  name: 'Get Many Card Type Totals',
  action: 'Get report of card type totals',
  description: 'Retrieve the monthly statement totals for each plan code, e.g. a card type',
  request: wire.browseStatementPlans.request,
  ...reportList(wire.browseStatementPlans.query, { known, days: billingMonths }),
  simplified: (record) =>
    only(record, [
      'billing_month',
      'plan_code',
      'cnt_purch',
      'amt_purch',
      'cnt_return',
      'amt_return',
      'amt_net',
      'rate',
      'discount_due',
    ]),
});
