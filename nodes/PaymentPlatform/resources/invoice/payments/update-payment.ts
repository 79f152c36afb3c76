import { calendarDate } from '../../../fields/kinds/date';
import { choice } from '../../../fields/kinds/choice';
import { amount } from '../../../fields/kinds/number';
import { text } from '../../../fields/kinds/text';
import { operation, type Given, type RecordOf, type ValuesOf } from '../../../model/operation';
import type { Step } from '../../../model/types';
import { asText } from '../../../shared/objects';
import { keepOthers, keeps, lookAt, takenOf } from '../../merge-with-current';
import { inCurrency, invoiceId } from '../fields';
import { LOCKED_PAYMENT, MANUAL_KINDS, NO_CARD, paymentFields, paymentId } from './payment-fields';
import * as wire from '../../../wire/operations';

const { body, path, request } = wire.updateInvoicePayment;
type Values = ValuesOf<'updateInvoicePayment'>;

const LABELS = { type: 'Payment Type', amt_paid: 'Amount Paid', date_payment: 'Payment Date' };

/** The service replaces the payment whole: it is read from the list, and sent back with the changes. */
const complete: Step<Values, Given<RecordOf<'browseInvoicePaymentsById'>>> = {
  look: (values) =>
    keeps(values)
      ? { ...lookAt(wire.browseInvoicePaymentsById.request, values), list: { identity: 'payment_id' } }
      : undefined,
  unchanged: true,
  decide: (found, values) => {
    if (!keeps(values)) return { request: { to: request, body: values.body } };
    const payment = found.find(({ payment_id: id }) => asText(id) === asText(values.path.payment_id));
    if (!payment) return { refuse: 'The invoice has no payment with this ID' };
    if (payment.type === 'CARD') return { refuse: 'This payment was made by card, so it can not be changed' };
    const kept = takenOf(payment, body);
    const names = Object.keys(kept).filter((name) => !(name in values.body));
    return { request: { to: request, body: { ...kept, ...values.body }, kept: names } };
  },
};

const missing = (values: Values) =>
  keeps(values)
    ? []
    : Object.entries(LABELS)
        .filter(([name]) => !(name in values.body))
        .map(([, label]) => ({ label, found: 'nothing', allowed: 'is needed where what is not filled is not kept' }));

export const updatePayment = operation({
  value: 'updatePayment',
  name: 'Update Payment',
  action: 'Change check or cash payment on invoice',
  description:
    'Correct a payment by check, in cash or in another way that was recorded on an invoice. Payments by card stay as they are.',
  request,
  // An amount that is left empty stays as it is.
  money: 'named',
  fields: [
    invoiceId(path.invoice_id),
    paymentId(path.payment_id, 'is changed'),
    keepOthers(
      'Whether what you leave empty stays as it is: the node reads the payment first, sends it back with your changes, and sends nothing if somebody changes it meanwhile. Switched off, all of it must be given.',
    ),
    choice({
      ...body.type,
      required: false,
      label: LABELS.type,
      description: 'How the payment was made',
      options: MANUAL_KINDS,
      unset: 'Leave as It Is',
      refused: NO_CARD,
    }),
    amount({
      ...body.amt_paid,
      required: false,
      label: LABELS.amt_paid,
      description: 'Amount that was received, e.g. 12.50. Left empty, it stays as it is.',
    }),
    calendarDate({
      ...body.date_payment,
      required: false,
      label: LABELS.date_payment,
      wording: true,
      description: 'Day on which the payment was received. Left empty, it stays as it is.',
    }),
    text({
      ...body.description,
      label: 'Description',
      wording: true,
      description: 'Note about the payment, e.g. the number of the check',
      placeholder: 'e.g. Check 1042',
    }),
  ],
  check: (values) =>
    Object.keys(values.body).length === 0
      ? [{ label: LABELS.amt_paid, found: 'nothing', allowed: 'or another field must be filled: nothing would change' }]
      : missing(values),
  steps: { sends: [request], each: [complete] },
  simplified: paymentFields,
  summary: (record, values) =>
    `Updated payment ${values.path.payment_id} on invoice ${values.path.invoice_id}${record.amt_paid === undefined ? '' : ` to ${inCurrency(record.amt_paid, record)}`}.`,
  refusals: LOCKED_PAYMENT,
  lookUp: 'Changing the payment once more in the same way changes nothing else.',
});
