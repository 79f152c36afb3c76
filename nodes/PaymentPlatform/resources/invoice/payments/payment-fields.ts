import { locator } from '../../../fields/kinds/locator';
import type { Field } from '../../../fields/types';
import type { Refusal } from '../../../model/failure';
import type { Given, RecordOf } from '../../../model/operation';
import { only } from '../../../shared/objects';
import type { TextFact } from '../../../wire/facts';

export const paymentId = (fact: TextFact, does: string): Field =>
  locator({
    ...fact,
    label: 'Payment',
    description: `Payment to ${does}. Select the invoice first. The list shows all payments on that invoice except card payments.`,
    search: 'searchPayments',
    placeholder: 'e.g. 8101',
  });

export const MANUAL_KINDS = [
  { name: 'Cash', value: 'CASH' as const },
  { name: 'Check', value: 'CHECK' as const },
  { name: 'Other', value: 'OTHER' as const },
];

export const NO_CARD = {
  CARD: 'must be CHECK, CASH or OTHER, because customers make card payments on the hosted page',
};

export const LOCKED_PAYMENT: readonly Refusal[] = [
  {
    pattern: /\bCARD\b/,
    what: "Card payments on an invoice can't be changed or removed",
    advice: 'To return the money, use Transaction > Refund.',
  },
  {
    pattern: /\bPAID\b/,
    what: "The payments of a fully paid invoice can't be changed",
    advice: 'Nothing was changed.',
  },
  {
    pattern: /\bCANCELED\b/,
    what: "The payments of a canceled invoice can't be changed",
    advice: 'Nothing was changed.',
  },
];

export const paymentFields = (record: Given<RecordOf<'browseInvoicePayments'>>) =>
  only(record, [
    'payment_id',
    'invoice_id',
    'type',
    'amt_paid',
    'tran_currency',
    'date_payment',
    'status',
    'description',
  ]);
