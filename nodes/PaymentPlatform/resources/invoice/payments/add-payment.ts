import { choice } from '../../../fields/kinds/choice';
import { calendarDate } from '../../../fields/kinds/date';
import { amount } from '../../../fields/kinds/number';
import { text } from '../../../fields/kinds/text';
import { operation } from '../../../model/operation';
import { inCurrency, invoiceId } from '../fields';
import { MANUAL_KINDS, NO_CARD, paymentFields } from './payment-fields';
import { paymentFootprint } from './payment-footprint';
import * as wire from '../../../wire/operations';

export const addPayment = operation({
  value: 'addPayment',
  name: 'Add Payment',
  action: 'Add check or cash payment to invoice',
  description: 'Record a check, cash or other payment that you received outside the service',
  moneyEffect: 'No money moves, but the balance of the invoice changes.',
  request: wire.addInvoicePayment.request,
  fields: [
    invoiceId(wire.addInvoicePayment.path.invoice_id),
    choice({
      ...wire.addInvoicePayment.body.type,
      label: 'Payment Type',
      description:
        "Method of payment. You can't add card payments, because customers make card payments on the hosted page.",
      options: MANUAL_KINDS,
      default: 'CHECK',
      refused: NO_CARD,
    }),
    amount({
      ...wire.addInvoicePayment.body.amt_paid,
      label: 'Amount Paid',
      description: 'Amount received, e.g. 12.50',
    }),
    calendarDate({
      ...wire.addInvoicePayment.body.date_payment,
      label: 'Payment Date',
      notIdentifying: true,
      description: 'Date on which you received the payment.',
    }),
    text({
      ...wire.addInvoicePayment.body.description,
      label: 'Description',
      notIdentifying: true,
      description: 'Note about the payment, e.g. the check number',
      placeholder: 'e.g. Check 1042',
    }),
  ],
  summary: (record, { path, body: { type, amt_paid } }) => {
    const by = type === 'CASH' ? ' in cash' : type === 'CHECK' ? ' by check' : '';
    const made = `Recorded a payment of ${inCurrency(amt_paid, record)}${by} on invoice ${path.invoice_id}`;
    // PAID is the status of the payment. The invoice may still have a balance.
    return record.status === 'PAID' ? `${made}, but a balance may remain.` : `${made}.`;
  },
  simplified: paymentFields,
  refusals: [
    {
      pattern: /\bPAID\b/,
      what: 'This invoice is already paid in full',
      advice: 'Check that the invoice ID is correct.',
    },
    {
      pattern: /\bCANCELED\b/,
      what: 'This invoice was canceled',
      advice: "You can't add payments to a canceled invoice.",
    },
  ],
  footprint: paymentFootprint,
  lookUp: 'Look for the payment of {amt_paid} on invoice {invoice_id} in Invoice > Get Payments.',
});
