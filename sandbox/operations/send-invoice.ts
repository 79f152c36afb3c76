import type { Handler } from '../calls/call';
import { mayHavePrefix } from '../core/phones';
import { invalidFields } from '../core/refusals';
import { assertStatus } from '../rules/invoice-states';
import { findInvoice, mail, recipientsOf } from '../rules/invoices';

/** Emails a saved invoice and changes its state to OUTSTANDING (service.md#invoices). */
export const sendInvoice: Handler<'sendInvoice'> = ({ environment, body, path }) => {
  const invoice = findInvoice(environment, path.invoice_id);
  assertStatus(invoice, ['SAVED'], 'sent');
  if (!(body?.phone_number ?? []).every(mayHavePrefix))
    throw invalidFields({ phone_number: 'must begin with the country prefix' });
  const recipients = recipientsOf(invoice, body ?? {});
  invoice.status = 'OUTSTANDING';
  invoice.date_notice = environment.clock.now();
  mail(environment, invoice, recipients);
  return { code: 0, message: 'Success' };
};
