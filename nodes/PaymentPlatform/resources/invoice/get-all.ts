import { daysAndFilters, sorting } from '../../fields/kinds/filters-and-sorting';
import { operation, type KnownFields } from '../../model/operation';
import { mainInvoiceFields } from './fields';
import * as wire from '../../wire/operations';

export const statuses = [
  { name: 'Draft', value: 'SAVED' },
  { name: 'Outstanding', value: 'OUTSTANDING' },
  { name: 'Paid', value: 'PAID' },
  { name: 'Canceled', value: 'CANCELED' },
];

/** Sent invoices that have a balance and are past their due date. */
const overdue = { name: 'Overdue', value: 'OVERDUE', whenPast: 'OUTSTANDING' };

const knownFields: KnownFields<'browseInvoices'> = [
  { name: 'Amount Paid', value: 'amt_paid' },
  { name: 'Balance', value: 'amt_balance' },
  { name: 'Customer ID', value: 'customer_id' },
  { name: 'Due Date', value: 'date_due' },
  { name: 'Invoice Date', value: 'date_invoice' },
  { name: 'Invoice ID', value: 'invoice_id' },
  { name: 'Invoice Number', value: 'invoice_number' },
  { name: 'Status', value: 'status', values: [overdue, ...statuses] },
  { name: 'Total', value: 'amt_tran' },
];

const days = { field: 'date_due', of: 'invoices due', ahead: true } as const;

export const getAll = operation({
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many invoices',
  description: 'Retrieve a list of invoices, such as all overdue invoices',
  request: wire.browseInvoices.request,
  fields: [...daysAndFilters(wire.browseInvoices.query.filter, knownFields, days), sorting(wire.browseInvoices.query)],
  simplified: mainInvoiceFields,
  list: { identity: 'invoice_id', fields: knownFields, day: [days.field] },
});
