import { filters, sortDirection, sortField } from '../../fields/filters-and-sorting';
import type { Operation } from '../../pipeline/types';

const knownFields = [
  { name: 'Batch Date', value: 'batch_date' },
  { name: 'Billing Month', value: 'billing_month' },
  { name: 'Net Amount', value: 'amt_net' },
  { name: 'Purchase Amount', value: 'amt_purch' },
  { name: 'Reference Number', value: 'reference_number' },
  { name: 'Return Amount', value: 'amt_return' },
];

export const getSettlements: Operation = {
  value: 'getSettlements',
  name: 'Get Many Settlements',
  action: 'Get many settlements',
  description: 'List the settled batches of the statements',
  request: {
    method: 'GET',
    path: '/platform/reporting/statement-report/settlement',
    family: 'platform',
    effect: 'reads',
    operationId: 'browseSettlements',
  },
  fields: [filters(knownFields, { field: 'batch_date', of: 'batches' })],
  additional: [sortField(knownFields), sortDirection()],
  list: { fields: knownFields },
};
