import { gatewayFields } from '../../fields/common';
import { amount } from '../../fields/kinds/number';
import { operation } from '../../model/operation';
import { dayRefunds } from './day-records';
import { presentRefund, refundFootprint, refundSummary } from './footprint';
import { AFTER_VOID } from './still-possible';
import { byReference, transactionField } from './find-transaction';
import * as wire from '../../wire/operations';

export const refund = operation({
  value: 'refund',
  name: 'Refund',
  action: 'Refund or void transaction',
  description: 'Return all or part of a captured payment to the customer',
  moneyEffect: 'The refund takes effect immediately.',
  request: wire.refund.request,
  byReference,
  fields: [
    transactionField(wire.refund.path.pgIdOrig, 'Transaction to refund'),
    amount({
      ...wire.refund.body.amt_tran,
      label: 'Amount',
      description:
        'Amount to refund, e.g. 12.50. Total refunds can\'t exceed the captured amount. Before the daily batch closes, a full refund voids the sale and a partial refund reduces the charge. Later, you can refund the sale only when its status is "Deposit Sent".',
      hint: 'In Production, a refund moves money immediately',
      required: true,
    }),
  ],
  additional: gatewayFields(wire.refund.body),
  present: presentRefund,
  adds: AFTER_VOID,
  summary: refundSummary,
  refusals: [
    {
      pattern: /\bcaptured total\b|\bexceed/i,
      what: 'The refund exceeds the refundable amount of this sale',
      advice: 'The list under "Transaction" shows the refundable amount.',
    },
    {
      pattern: /\bbatch\b|\bdeposit\b/i,
      what: 'The batch that contains this sale is closed, but the deposit has not been sent yet',
      advice: 'Refund the sale when its status is "Deposit Sent".',
    },
    {
      pattern: /\balready voided\b/i,
      what: 'This sale is already voided',
      advice: "A voided sale can't be refunded.",
    },
  ],
  needsSupport: 'Support must enable refunds for vendor accounts.',
  footprint: refundFootprint,
  dayRecords: dayRefunds,
  target: 'pgIdOrig',
  lookUp:
    'Look in Report > Get Many Transactions for a record whose pg_id_linked is {pgIdOrig} and whose amount is {amt_tran}.',
});
