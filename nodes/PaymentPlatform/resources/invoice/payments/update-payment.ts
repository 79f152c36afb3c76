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

/** The service requires the complete payment, so the node reads it and sends it with the changes. */
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
    if (payment.type === 'CARD') return { refuse: "This payment was made by card, so it can't be changed" };
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
        .map(([, label]) => ({
          label,
          found: 'nothing',
          allowed: 'is required while "Leave Empty Fields Unchanged" is off',
        }));

export const updatePayment = operation({
  value: 'updatePayment',
  name: 'Update Payment',
  action: 'Change check or cash payment on invoice',
  description: "Correct a check, cash or other payment that was recorded manually. Card payments can't be changed.",
  moneyEffect: 'No money moves, but the balance of the invoice changes.',
  request,
  // Without an amount in the item, the payment keeps its current amount.
  money: 'named',
  fields: [
    invoiceId(path.invoice_id),
    paymentId(path.payment_id, 'update'),
    keepOthers(
      'Whether empty fields keep their current values. If the node detects another change, it sends nothing. If this is off, fill in all fields.',
    ),
    choice({
      ...body.type,
      required: false,
      label: LABELS.type,
      description: 'Method of payment',
      options: MANUAL_KINDS,
      unset: 'Leave Unchanged',
      refused: NO_CARD,
    }),
    amount({
      ...body.amt_paid,
      required: false,
      label: LABELS.amt_paid,
      description: 'Amount received, e.g. 12.50. Leave empty to keep the current amount.',
    }),
    calendarDate({
      ...body.date_payment,
      required: false,
      label: LABELS.date_payment,
      notIdentifying: true,
      description: 'Date on which you received the payment. Leave empty to keep the current date.',
    }),
    text({
      ...body.description,
      label: 'Description',
      notIdentifying: true,
      description: 'Note about the payment, e.g. the check number',
      placeholder: 'e.g. Check 1042',
    }),
  ],
  check: (values) =>
    Object.keys(values.body).length === 0
      ? [
          {
            label: LABELS.amt_paid,
            found: 'nothing',
            allowed: 'is required, unless you enter a value in another field',
          },
        ]
      : missing(values),
  steps: { sends: [request], each: [complete] },
  simplified: paymentFields,
  summary: (record, values) =>
    `Updated payment ${values.path.payment_id} on invoice ${values.path.invoice_id}${record.amt_paid === undefined ? '' : ` to ${inCurrency(record.amt_paid, record)}`}.`,
  refusals: LOCKED_PAYMENT,
  lookUp: 'Repeating the same update has no further effect.',
});
