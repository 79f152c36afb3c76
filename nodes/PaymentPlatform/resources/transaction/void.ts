import { gatewayFields } from '../../fields/common';
import { amount } from '../../fields/kinds/number';
import { inMoney } from '../../messages/what-happened';
import { operation, type Given, type RecordOf, type ValuesOf } from '../../model/operation';
import type { Step } from '../../model/types';
import { isSameAmount } from '../../shared/objects';
import { dayRefunds } from './day-records';
import { voidFootprint } from './footprint';
import { AFTER_VOID, afterVoid } from './still-possible';
import { byReference, lookAtTransaction, transactionField } from './find-transaction';
import * as wire from '../../wire/operations';

const { body, path, request } = wire.voidTransaction;

/** Expected amount of the transaction, which the node compares but doesn't send. */
const EXPECTED = 'expectedAmount';

type Transaction = Given<RecordOf<'getTransactionByPgId'>>;

const checkAmount: Step<ValuesOf<'voidTransaction'>, Transaction> = {
  look: ({ path: { pgIdOrig }, node }) => (node[EXPECTED] === undefined ? undefined : lookAtTransaction(pgIdOrig)),
  decide: ([found], { node: { [EXPECTED]: expected }, body: sent }) => {
    if (expected !== undefined && !found) return { refuse: 'No transaction has this ID, so nothing was sent' };
    if (expected !== undefined && !isSameAmount(found?.amt_tran, expected))
      return {
        refuse: `"Expected Amount" is ${inMoney(expected)}, but the amount of the transaction is ${inMoney(found?.amt_tran)}, so nothing was sent`,
      };
    return { request: { to: request, body: sent } };
  },
};

export const voidTransaction = operation({
  value: 'void',
  name: 'Void',
  action: 'Void open transaction',
  description: 'Cancel an authorization, or a captured payment whose batch is still open. The customer is not charged.',
  moneyEffect: 'The void takes effect immediately.',
  request,
  money: { byNode: EXPECTED },
  byReference,
  fields: [
    transactionField(path.pgIdOrig, 'Authorization or captured payment to void'),
    amount({
      name: EXPECTED,
      place: 'node',
      label: 'Expected Amount',
      notIdentifying: true,
      description:
        'Amount of the transaction, e.g. 12.50. If the actual amount differs, the node sends nothing. Required with limits and in AI agent tools.',
    }),
  ],
  additional: gatewayFields(body),
  steps: { sends: [request], each: [checkAmount] },
  present: afterVoid,
  adds: AFTER_VOID,
  summary: () => 'Voided the transaction, so its amount is no longer held or charged.',
  refusals: [
    {
      pattern: /\balready voided\b/i,
      what: 'This transaction is already voided',
      advice: 'No action is needed. The service voids an authorization after 28 days without a capture.',
    },
    {
      pattern: /\bbatch\b|\bsettled\b|\bdeposit\b/i,
      what: 'The batch of this transaction is closed',
      advice: 'Refund the transaction when its status is "Deposit Sent".',
    },
    {
      pattern: /\bdeclined\b|\bnot a sale\b/i,
      what: "This transaction can't be voided, because it is not an approved authorization or payment",
      advice: 'Choose an authorization or a payment from the list.',
    },
  ],
  footprint: voidFootprint,
  dayRecords: dayRefunds,
  target: 'pgIdOrig',
  lookUp: 'Look in Report > Get Many Transactions for a void whose pg_id_linked is {pgIdOrig}.',
});
