import type { IDataObject } from 'n8n-workflow';

import { contact } from '../../fields/kinds/contact';
import { calendarDate } from '../../fields/kinds/date';
import { text } from '../../fields/kinds/text';
import type { Field, Problem } from '../../fields/types';
import { isEmpty } from '../../fields/value';
import { objectIn } from '../../shared/objects';
import type { ObjectFact } from '../../wire/facts';
import { CreateInvoiceRequest, type Contact } from '../../wire/schemas';

type ContactFact = ObjectFact<typeof Contact> & { type: 'object' };

/** Recipient of the invoice. */
export const billingContact = (fact: ContactFact): Field =>
  contact({
    ...fact,
    label: 'Billing Contact',
    description: 'Recipient of the invoice',
    needed: ['first_name', 'last_name', 'email_address'],
  });

/** Who sends the invoice. */
export const fromContact = (fact: ContactFact): Field =>
  contact({
    ...fact,
    label: 'From Contact',
    wording: true,
    description: 'Sender of the invoice',
    needed: ['firm_name', 'phone', 'email_address'],
  });

const CONTACTS = { billing_contact: 'Billing Contact', from_contact: 'From Contact' };

/** The reference requires the email address of each contact (openapi.yaml#Contact). */
export const checkContacts = (body: IDataObject): Problem[] =>
  Object.entries(CONTACTS).flatMap(([name, label]) => {
    const contact = body[name];
    const isReachable = contact === undefined || !isEmpty(objectIn(contact).email_address);
    return isReachable ? [] : [{ label: `${label} > Email (Required)`, found: 'nothing', allowed: 'is required' }];
  });

/** The day of the invoice. */
export const invoiceDate = (): Field =>
  calendarDate({
    ...CreateInvoiceRequest.date_invoice,
    label: 'Invoice Date',
    wording: true,
    description: 'Date shown on the invoice.',
  });

/** What stands on the invoice beside its lines. */
export const printedNotes = (): Field[] => [
  text({
    ...CreateInvoiceRequest.payment_terms_note,
    label: 'Payment Terms Note',
    wording: true,
    description: 'Text shown with the payment terms',
  }),
  text({
    ...CreateInvoiceRequest.footer_note,
    label: 'Footer Note',
    wording: true,
    description: 'Text shown at the bottom of the invoice',
  }),
];
