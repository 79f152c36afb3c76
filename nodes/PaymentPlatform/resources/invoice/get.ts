import { operation } from '../../model/operation';
import { invoiceId, mainInvoiceFields } from './fields';
import * as wire from '../../wire/operations';

export const get = operation({
  value: 'get',
  name: 'Get',
  action: 'Get status of invoice',
  description: 'Retrieve the status, total and balance of an invoice',
  request: wire.getInvoiceDetail.request,
  fields: [invoiceId(wire.getInvoiceDetail.path.invoice_id)],
  simplified: mainInvoiceFields,
});
