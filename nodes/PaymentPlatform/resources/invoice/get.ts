import { operation } from '../../model/operation';
import { invoiceId, mainFields } from './fields';
import * as wire from '../../wire/operations';

export const get = operation({
  value: 'get',
  name: 'Get',
  action: 'Get status of invoice',
  description: 'Look up an invoice: its status, what was paid, and what is left to pay',
  request: wire.getInvoiceDetail.request,
  fields: [invoiceId(wire.getInvoiceDetail.path.invoice_id)],
  simplified: mainFields,
});
