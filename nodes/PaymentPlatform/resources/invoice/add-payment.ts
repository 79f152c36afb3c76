import { choice } from '../../fields/choice';
import { calendarDate } from '../../fields/date';
import { amount } from '../../fields/number';
import { text } from '../../fields/text';
import type { Operation } from '../../pipeline/types';
import { invoiceId } from './fields';

export const addPayment: Operation = {
  value: 'addPayment',
  name: 'Add Payment',
  action: 'Add a payment to an invoice',
  description: 'Record a check, cash or other payment that was received outside the service',
  request: {
    method: 'POST',
    path: '/platform/invoice/{invoice_id}/payments',
    family: 'platform',
    effect: 'writesOnce',
    operationId: 'addInvoicePayment',
  },
  fields: [
    invoiceId(),
    choice({
      name: 'type',
      label: 'Payment Type',
      description: 'How the payment was made. Card payments are made on the hosted page and can’t be added here.',
      required: true,
      options: [
        { name: 'Cash', value: 'CASH' },
        { name: 'Check', value: 'CHECK' },
        { name: 'Other', value: 'OTHER' },
      ],
      default: 'CHECK',
      refused: { CARD: 'can not be CARD: card payments are made on the hosted page. Allowed: CHECK, CASH, OTHER' },
    }),
    amount({
      name: 'amt_paid',
      label: 'Amount Paid',
      description: 'Amount that was received, e.g. 12.50',
      required: true,
      most: 99_999_999.99,
    }),
    calendarDate({
      name: 'date_payment',
      label: 'Payment Date',
      wording: true,
      description: 'Day on which the payment was received.',
      required: true,
    }),
    text({
      name: 'description',
      label: 'Description',
      wording: true,
      description: 'Note about the payment, e.g. the number of the check',
      placeholder: 'e.g. Check 1042',
    }),
  ],
  lookUp: 'Look for the payment of {amt_paid} in API Request: GET /platform/invoice/{invoice_id}/payments.',
};
