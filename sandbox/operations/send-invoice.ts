import type { Handler } from '../calls/call';
import { mayHavePrefix } from '../core/phones';
import { invalidFields } from '../core/refusals';
import { bounce, findInvoice } from '../rules/invoices';

/** Sends a saved invoice, which makes it OUTSTANDING (docs/service.md#invoices). The answer has no data. */
export const sendInvoice: Handler<'sendInvoice'> = ({ environment, body, path }) => {
  const invoice = findInvoice(environment, path.invoice_id);
  if (invoice.status !== 'SAVED')
    throw invalidFields({ invoice_id: `is ${invoice.status}; only a SAVED invoice can be sent` });
  const contactAddress = invoice.details.billing_contact?.email_address;
  const email_address = body?.email_address ?? [];
  const phone_number = body?.phone_number ?? [];
  if (!phone_number.every(mayHavePrefix)) throw invalidFields({ phone_number: 'must begin with the country prefix' });
  const recipients = email_address.length + phone_number.length;
  if (recipients === 0 && contactAddress === undefined)
    throw invalidFields({
      email_address: 'is required: neither a phone number nor a billing contact address is known',
    });
  const sent = environment.clock.now();
  invoice.status = 'OUTSTANDING';
  invoice.date_notice = sent;
  const addresses = recipients === 0 && contactAddress !== undefined ? [contactAddress] : email_address;
  environment.notices.push({ invoice_id: invoice.invoice_id, sent, email_address: addresses, phone_number });
  bounce(environment, invoice, addresses);
  return { code: 0, message: 'Success' };
};
