import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { assertStatus } from '../rules/invoice-states';
import { findInvoice, mail, recipientsOf } from '../rules/invoices';

export const resendInvoice: Handler<'resendInvoice'> = ({ environment, body, path }) => {
  const invoice = findInvoice(environment, path.invoice_id);
  assertStatus(invoice, ['OUTSTANDING', 'PAID'], 'sent once more');
  mail(environment, invoice, recipientsOf(invoice, body ?? {}));
  return success({});
};
