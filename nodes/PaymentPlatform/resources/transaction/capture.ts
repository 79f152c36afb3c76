import { gatewayFields } from '../../fields/common';
import { amount } from '../../fields/kinds/number';
import { operation } from '../../model/operation';
import { dayCaptures } from './day-records';
import { captured, captureFootprint } from './footprint';
import { AFTER_CAPTURE, afterCapture } from './still-possible';
import { byReference, transactionField } from './find-transaction';
import * as wire from '../../wire/operations';

export const capture = operation({
  value: 'capture',
  name: 'Capture',
  action: 'Capture authorized transaction',
  description: 'Collect all or part of an authorized payment, e.g. when you ship the order',
  moneyEffect: 'The customer is charged immediately.',
  request: wire.capture.request,
  byReference,
  fields: [
    transactionField(wire.capture.path.pgIdOrig, 'Authorized transaction to capture', 'searchAuthorizations'),
    amount({
      ...wire.capture.body.amt_tran,
      label: 'Amount',
      description:
        'Amount to capture, e.g. 12.50. The maximum is the authorized amount. You can capture an authorization only once, within 28 days. The customer pays only the captured amount.',
      hint: 'In Production, a capture moves money',
      required: true,
    }),
  ],
  additional: gatewayFields(wire.capture.body),
  summary: (record: object, { body }) => captured(body.amt_tran, record),
  present: (record, { body }) => ({ ...record, ...afterCapture(record, body.amt_tran) }),
  adds: AFTER_CAPTURE,
  refusals: [
    {
      pattern: /\bexceed|\bover the authorized\b/i,
      what: 'The amount exceeds the authorized amount',
      advice: 'The list under "Transaction" shows the authorized amount.',
    },
    {
      pattern: /\balready captured\b/i,
      what: 'This authorization is already captured',
      advice: 'An authorization can be captured once. Transaction > Get shows the captured amount.',
    },
    {
      pattern: /\bexpired\b/i,
      what: 'This authorization has expired',
      advice: 'The service voids an authorization after 28 days without a capture. Ask the customer for a new payment.',
    },
    {
      pattern: /\bvoided\b/i,
      what: 'This authorization is voided',
      advice: "A voided authorization can't be captured. Ask the customer for a new payment.",
    },
    {
      pattern: /\bdeclined\b|\bnot an authorization\b/i,
      what: 'This transaction is not an open authorization',
      advice: 'Choose an authorization from the list. A sale is captured immediately.',
    },
  ],
  footprint: captureFootprint,
  target: 'pgIdOrig',
  dayRecords: dayCaptures,
  lookUp:
    'Look in Report > Get Many Transactions for a capture whose pg_id_linked is {pgIdOrig} and whose amount is {amt_tran}.',
});
