import { generateReference } from '../../fields/common';
import { text } from '../../fields/kinds/text';
import { firstShort, customerWords, onDay } from '../../messages/what-happened';
import { operation } from '../../model/operation';
import { asText } from '../../shared/objects';
import { copyFootprint } from './footprint';
import { inCurrency, invoiceId, mainInvoiceFields } from './fields';
import * as wire from '../../wire/operations';

const { body, path, request } = wire.copyInvoice;

export const copy = operation({
  value: 'copy',
  name: 'Copy',
  action: 'Copy invoice',
  description:
    'Create a draft, dated today, with the content of an existing invoice. Payments are not copied. The payment terms determine the due date.',
  moneyEffect: 'No money moves until the customer pays.',
  request,
  fields: [
    invoiceId(path.invoice_id),
    text({
      ...body.invoice_number,
      label: 'Invoice Number',
      notIdentifying: true,
      description:
        'Invoice number of the copy. Defaults to the number of the original invoice. Enter a different number so that the node can find the copy if the connection breaks.',
      placeholder: 'e.g. INV-1001',
    }),
  ],
  additional: [generateReference],
  simplified: mainInvoiceFields,
  summary: (record, { path: { invoice_id: first } }) => {
    const { invoice_id, amt_tran, date_due } = record;
    const total = amt_tran === undefined ? '' : ` for ${inCurrency(amt_tran, record)}`;
    const copied = `Copied invoice ${first}${customerWords(record)} to draft ${asText(invoice_id)}${total}`;
    return firstShort([`${copied}${onDay(', due ', date_due)}.`, `${copied}.`]);
  },
  reference: { name: 'invoice_number', isOptional: true },
  footprint: copyFootprint,
  lookUp: "Look for a new invoice with today's date[ and the number {invoice_number}] in Invoice > Get Many.",
});
