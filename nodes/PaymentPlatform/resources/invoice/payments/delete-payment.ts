import { withHint } from '../../../fields/bounds';
import { operation } from '../../../model/operation';
import { invoiceId } from '../fields';
import { LOCKED_PAYMENT, paymentId } from './payment-fields';
import { removedFootprint } from './payment-footprint';
import * as wire from '../../../wire/operations';

const { path, request } = wire.removeInvoicePayment;

export const deletePayment = operation({
  value: 'deletePayment',
  name: 'Delete Payment',
  action: 'Delete check or cash payment on invoice',
  description:
    "Remove a check, cash or other payment that was recorded manually. This can't be undone. No money is returned, and the customer owes the amount again. Card payments can't be removed.",
  moneyEffect: '',
  request,
  fields: [
    invoiceId(path.invoice_id),
    withHint(paymentId(path.payment_id, 'remove'), "This can't be undone. No money is returned."),
  ],
  present: () => ({ deleted: true }),
  summary: (_, values) =>
    `Removed payment ${values.path.payment_id} from invoice ${values.path.invoice_id} without returning money.`,
  refusals: LOCKED_PAYMENT,
  footprint: removedFootprint,
  lookUp:
    'Check invoice {invoice_id} in Invoice > Get Payments. If payment {payment_id} is not listed, it was removed.',
});
