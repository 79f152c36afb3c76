import { emailList } from '../../fields/kinds/multiple-values';
import { recipients } from '../../messages/what-happened';
import { operation } from '../../model/operation';
import { asText } from '../../shared/objects';
import { invoiceId, NO_ADDRESS, OWN_CONTACT, WAS_CANCELED } from './fields';
import * as wire from '../../wire/operations';

/** The node can't look up the outcome, because no record shows that the service sent an invoice again. */
export const resend = operation({
  value: 'resend',
  name: 'Resend',
  action: 'Resend invoice by email',
  description: 'Send an invoice by email again, as a reminder or, if the invoice is paid, as a receipt',
  request: wire.resendInvoice.request,
  fields: [
    invoiceId(wire.resendInvoice.path.invoice_id),
    emailList({
      ...wire.resendInvoice.body.email_address,
      label: 'Email Addresses',
      description: 'Email addresses of the recipients. Defaults to the billing contact.',
      placeholder: 'e.g. ana@example.com',
    }),
  ],
  // The response is empty, so the node adds the recipients to the output for later nodes.
  present: (_, { body: { email_address } }) => ({ ...(email_address && { email_address }) }),
  summary: (_, { path, body: { email_address = [] } }) =>
    `Sent invoice ${path.invoice_id} again by email to ${recipients(email_address.map(asText)) || OWN_CONTACT}.`,
  refusals: [
    { pattern: /\bSAVED\b/, what: 'This invoice has not been sent', advice: 'Send a draft with Invoice > Send.' },
    WAS_CANCELED,
    NO_ADDRESS,
  ],
  lookUp:
    'The service does not record resent invoices, so the recipients may have received this email. Sending an invoice moves no money.',
});
