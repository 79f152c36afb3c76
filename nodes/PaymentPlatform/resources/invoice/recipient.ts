import type { IDataObject } from 'n8n-workflow';

import { EMAIL_ADDRESS } from '../../fields/kinds/text';
import type { Given, RecordOf, ValuesOf } from '../../model/operation';
import type { Completion } from '../../model/types';
import { asText, comparableText } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { CreateInvoiceRequest } from '../../wire/schemas';
import { lookAt } from '../merge-with-current';

type Values = ValuesOf<'createInvoice'>;
type Invoice = Given<RecordOf<'createInvoice'>>;

const CONTACT = CreateInvoiceRequest.billing_contact.name;

/** A billing contact requires a name and a valid email address (openapi.yaml#Contact). */
function contactOf(customer: IDataObject): IDataObject | undefined {
  const [first, last, firm, email] = ['first_name', 'last_name', 'firm_name', 'email'].map((name) =>
    comparableText(customer[`customer_${name}`]),
  );
  if (!first || !last || !email || !EMAIL_ADDRESS.test(email)) return undefined;
  return { first_name: first, last_name: last, ...(firm && { firm_name: firm }), email_address: email };
}

const lookAtCustomer = ({ body: { customer_id } }: Values) =>
  lookAt(wire.getCustomer.request, { path: { customer_id }, body: {} });

/** Uses the customer's name and email address if the invoice has no contact. */
export const customerAsContact: Completion<Values> = {
  // A customer that the service saves together with the invoice has no record yet.
  look: (values) =>
    values.body.billing_contact === undefined && values.body.save_customer !== true
      ? lookAtCustomer(values)
      : undefined,
  creates: (values) => (values.body.save_customer === true ? lookAtCustomer(values) : undefined),
  add: (customer, { body }) => {
    const isSame = comparableText(customer.customer_id) === comparableText(body.customer_id);
    const contact = isSame ? contactOf(customer) : undefined;
    return contact ? { [CONTACT]: contact } : {};
  },
  absent: {
    outcome: 'invalid',
    message: 'This customer is not in the vault, so nothing was sent',
    advice: 'Select a saved customer, or add "Save Customer" and "Billing Contact" to save a new customer.',
  },
};

/** Returns phrases that name the customer, longest first. */
export function recipientWords({ billing_contact: contact }: Invoice, { body }: Values): string[] {
  const customer = asText(body.customer_id);
  if (body.billing_contact !== undefined) return [`for customer ${customer}`];
  const email = asText(contact?.email_address);
  return email === ''
    ? ['customer ', '']
        .map((word) => `for ${word}${customer} without a recipient`)
        .concat(`for ${customer}, no recipient`)
    : [`for customer ${customer} (${email})`, `for ${email}`];
}
