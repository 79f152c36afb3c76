import { gatewayFields } from '../../fields/common';
import { amount, integer } from '../../fields/kinds/number';
import { text } from '../../fields/kinds/text';
import { operation, type Given, type RecordOf, type ValuesOf } from '../../model/operation';
import type { Step } from '../../model/types';
import { asText, objectIn } from '../../shared/objects';
import { lookFor } from '../merge-with-current';
import { payeeId } from '../payee/fields';
import { nameOf, paidOut, dayPayouts, payoutFootprint } from './payout-footprint';
import * as wire from '../../wire/operations';

const { body, request } = wire.payPayee;

/**
 * Reads the payee before the payout, because the response doesn't contain the payee. Refuses a payee without a bank
 * account.
 */
const pay: Step<ValuesOf<'payPayee'>, Given<RecordOf<'getPayee'>>> = {
  look: ({ body: { payee_id, merchant_id } }) =>
    lookFor(wire.getPayee.request, { path: { payee_id }, body: { merchant_id } }),
  decide: ([found], values) => {
    const { payee_id } = values.body;
    if (!found) return { refuse: `No payee has the ID ${payee_id}, so nothing was sent` };
    const { dda_number, tr_number } = objectIn(found.payee_account);
    if (asText(dda_number) === '')
      return {
        refuse: `Payee ${payee_id} has no bank account, so nothing was paid. Add one with Payee > Update Account`,
      };
    // The node removes these numbers from the service's messages.
    const node = { payee_name: found.payee_name, dda_number, tr_number };
    return { request: { to: request, body: values.body, node } };
  },
};

export const payout = operation({
  value: 'payout',
  name: 'Pay Out to a Payee',
  action: 'Pay out to payee (transaction)',
  description: 'Send money to the bank account of a payee',
  moneyEffect: 'The payout takes effect immediately.',
  request,
  fields: [
    { ...payeeId(body.payee_id), required: true },
    amount({
      ...body.amt_tran,
      label: 'Amount',
      description: 'Amount to pay out, e.g. 12.50',
      hint: 'In Production, a payout moves money immediately',
      required: true,
    }),
  ],
  additional: [
    text({
      ...body.merch_ref_num,
      label: 'Merchant Reference Number',
      notIdentifying: true,
      description:
        'Your reference for the payout. If empty, the node generates a reference. Each attempt sends the same reference, so the node can find the payout if the response is lost.',
    }),
    integer({
      ...body.fbo_id,
      label: 'Prepaid Account ID',
      description:
        'ID of the prepaid account (fbo_id) that funds the payout. Card > Get Prepaid Balance shows the balance.',
      placeholder: 'e.g. 7001',
    }),
    ...gatewayFields(body),
  ],
  steps: { sends: [request], each: [pay] },
  present: (record, { node: { payee_name, dda_number } }) => ({
    ...record,
    // Empty if the node found the payout of an earlier attempt.
    payee_name: asText(payee_name),
    dda_number: asText(dda_number),
  }),
  summary: (record, { body: { amt_tran, payee_id }, node }) =>
    paidOut(amt_tran, nameOf(payee_id, node.payee_name), node.dda_number, record),
  refusals: [
    {
      pattern: /\b(?:insufficient|balance|funds)\b/i,
      what: 'The prepaid account has insufficient funds',
      advice: 'Card > Get Prepaid Balance shows the balance of a prepaid account.',
    },
  ],
  needsSupport: 'Support must enable payees for your account.',
  reference: { name: 'merch_ref_num' },
  footprint: payoutFootprint,
  dayRecords: dayPayouts,
  target: 'payee_id',
  offInTools: true,
  sameObject: 'payee_id',
  lookUp:
    'Look in Report > Get Many Transactions for a payout with the amount {amt_tran}[ and the merch_ref_num {merch_ref_num}].',
});
