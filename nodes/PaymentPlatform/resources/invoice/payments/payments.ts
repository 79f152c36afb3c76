import { daysField } from '../../../fields/kinds/days';
import { filters, sorting } from '../../../fields/kinds/filters-and-sorting';
import { operation, type KnownFields } from '../../../model/operation';
import { invoiceId } from '../fields';
import { paymentFields } from './payment-fields';
import * as wire from '../../../wire/operations';

const types = [
  { name: 'Card', value: 'CARD' },
  { name: 'Check', value: 'CHECK' },
  { name: 'Cash', value: 'CASH' },
  { name: 'Other', value: 'OTHER' },
];

const knownFields: KnownFields<'browseInvoicePaymentsById'> = [
  { name: 'Amount Paid', value: 'amt_paid' },
  { name: 'Description', value: 'description' },
  { name: 'Payment Date', value: 'date_payment' },
  { name: 'Payment ID', value: 'payment_id' },
  { name: 'Payment Type', value: 'type', values: types },
  { name: 'Status', value: 'status' },
];

const days = { field: 'date_payment', of: 'payments made' } as const;
const identity = 'payment_id';

export const getPayments = operation({
  value: 'getPayments',
  name: 'Get Payments',
  action: 'Get amounts paid on invoice',
  description: 'Retrieve all payments on one invoice',
  request: wire.browseInvoicePaymentsById.request,
  fields: [
    invoiceId(wire.browseInvoicePaymentsById.path.invoice_id),
    filters(wire.browseInvoicePaymentsById.query.filter, knownFields),
    sorting(wire.browseInvoicePaymentsById.query),
  ],
  simplified: paymentFields,
  list: { identity, fields: knownFields },
});

const ofAll: KnownFields<'browseInvoicePayments'> = [...knownFields, { name: 'Invoice ID', value: 'invoice_id' }];
const knownOfAll = ofAll.sort((a, b) => (a.name < b.name ? -1 : 1));

export const getAllPayments = operation({
  value: 'getAllPayments',
  name: 'Get Many Payments',
  action: 'Get amounts paid on many invoices',
  description: "Retrieve payments on all invoices, such as last month's payments",
  request: wire.browseInvoicePayments.request,
  fields: [
    daysField(days),
    filters(wire.browseInvoicePayments.query.filter, knownOfAll, days),
    sorting(wire.browseInvoicePayments.query),
  ],
  simplified: paymentFields,
  list: { identity, fields: knownOfAll, day: [days.field] },
});
