import { emailList } from '../../fields/kinds/multiple-values';
import { recipients } from '../../messages/what-happened';
import { operation } from '../../model/operation';
import { asText } from '../../shared/objects';
import { invoiceId, NO_ADDRESS, OWN_CONTACT, WAS_CANCELED } from './fields';
import * as wire from '../../wire/operations';

/** No record shows that the service sent an invoice again. */
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
      description: 'Recipients of the email. Defaults to the billing contact.',
      placeholder: 'e.g. ana@example.com',
    }),
  ],
  // Adds the recipients to the output, because the response is empty.
  present: (_, { body: { email_address } }) => ({ ...(email_address && { email_address }) }),
  summary: (_, { path, body: { email_address = [] } }) =>
    `Sent invoice ${path.invoice_id} again by email to ${recipients(email_address.map(asText)) || OWN_CONTACT}.`,
  refusals: [
    { pattern: /\bSAVED\b/, what: 'This invoice has not been sent', advice: 'Send a draft with Invoice > Send.' },
    WAS_CANCELED,
    NO_ADDRESS,
  ],
  lookUp: "The node can't check whether this email was sent. Sending an invoice moves no money.",
});
