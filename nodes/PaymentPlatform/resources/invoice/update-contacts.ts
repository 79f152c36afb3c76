import { customerWords } from '../../messages/what-happened';
import { operation } from '../../model/operation';
import { keeps } from '../merge-with-current';
import { completing, keepInvoice } from './completed';
import { billingContact, checkContacts, fromContact, nameInvoice, invoiceId, mainInvoiceFields } from './fields';
import * as wire from '../../wire/operations';

const { body, path, request } = wire.updateOutstandingInvoice;

export const updateContacts = operation({
  value: 'updateContacts',
  name: 'Update Contacts',
  action: 'Update contacts of invoice',
  description:
    'Update the recipient or sender of an unpaid invoice that has been sent. To send the invoice again, use Invoice > Resend.',
  request,
  fields: [invoiceId(path.invoice_id), keepInvoice()],
  additional: [billingContact(body.billing_contact), fromContact(body.from_contact)],
  check: (values) =>
    Object.keys(values.body).length === 0
      ? [
          {
            label: 'Billing Contact',
            found: 'nothing',
            allowed: 'is required, unless you add "Sender Contact"',
          },
        ]
      : keeps(values)
        ? []
        : checkContacts(values.body),
  steps: { sends: [request], each: [completing(request, body)] },
  simplified: mainInvoiceFields,
  summary: (record, values) =>
    `Updated the contacts of invoice ${nameInvoice(record, values.path.invoice_id)}${customerWords(record)} without sending the invoice.`,
  refusals: [
    {
      pattern: /\bSAVED\b/,
      what: 'This invoice has not been sent',
      advice: 'Change a draft with Invoice > Update Draft.',
    },
    {
      pattern: /\bPAID\b/,
      what: "The contacts of a paid invoice can't be changed",
      advice: 'To send the invoice to another person, use Invoice > Resend.',
    },
    { pattern: /\bCANCELED\b/, what: 'This invoice was canceled', advice: "A canceled invoice can't be changed." },
  ],
  lookUp: 'Repeating the same update has no further effect.',
});
