import { withHint } from '../../fields/bounds';
import { customerWords } from '../../messages/what-happened';
import { operation } from '../../model/operation';
import { cancelFootprint } from './footprint';
import { nameInvoice, inCurrency, invoiceId, mainInvoiceFields } from './fields';
import * as wire from '../../wire/operations';

export const cancel = operation({
  value: 'cancel',
  name: 'Cancel',
  action: 'Cancel invoice',
  description:
    "Cancel an invoice permanently. This can't be undone. A canceled invoice can't be sent, changed or paid.",
  request: wire.cancelInvoice.request,
  fields: [withHint(invoiceId(wire.cancelInvoice.path.invoice_id), "This can't be undone")],
  simplified: mainInvoiceFields,
  summary: (record, { path }) => {
    const done = `Canceled invoice ${nameInvoice(record, path.invoice_id)}${customerWords(record)} permanently`;
    if (!(Number(record.amt_paid) > 0)) return `${done}.`;
    return `${done} after payments of ${inCurrency(record.amt_paid, record)}.`;
  },
  refusals: [
    {
      pattern: /\bPAID\b/,
      what: 'This invoice is already paid in full',
      advice: 'To refund a card payment, use Transaction > Refund.',
    },
    { pattern: /\bCANCELED\b/, what: 'This invoice is already canceled', advice: 'No action is needed.' },
  ],
  footprint: cancelFootprint,
  lookUp: 'Check invoice {invoice_id} in Invoice > Get. If the status is CANCELED, the invoice was canceled.',
});
