import { gatewayFields } from '../../fields/common';
import { locator } from '../../fields/locator';
import { amount } from '../../fields/number';
import { inMoney } from '../../pipeline/in-words';
import { operation } from '../../pipeline/operation';
import { asText } from '../../shared/objects';
import { sameRefund } from './duplicates';
import * as wire from '../../wire/operations';

export const refund = operation({
  value: 'refund',
  name: 'Refund',
  action: 'Refund or void transaction',
  description: 'Give back all or part of a captured transaction',
  request: wire.refund.request,
  fields: [
    locator({
      ...wire.refund.path.pgIdOrig,
      label: 'Transaction',
      wording: false,
      description:
        'The transaction to refund. Search the list by amount, name, day, last four digits of the card or order number, or give its ID (pg_id).',
      search: 'searchSales',
      placeholder: 'e.g. 426351789012345678',
    }),
    amount({
      ...wire.refund.body.amt_tran,
      label: 'Amount',
      description:
        'Amount to give back, e.g. 12.50. All refunds of a transaction together may not exceed the captured amount. Before the day\'s batch closes, the whole amount voids the sale and a smaller one reduces what the customer is charged; after that the sale must first be "Deposit Sent".',
      hint: 'Refunding a Production transaction moves money at once',
      required: true,
    }),
  ],
  additional: gatewayFields(wire.refund.body),
  says: ({ rmsg }, { body }) => refunded(asText(rmsg), inMoney(body.amt_tran)),
  refusals: [
    {
      says: /\bcaptured total\b|\bexceed/i,
      what: 'The refund is more than what is left of this sale',
      advice:
        'The list under "Transaction" shows what is left: all refunds of a sale together may not exceed what was captured.',
    },
    {
      says: /\bbatch\b|\bdeposit\b/i,
      what: 'This sale is in a closed batch, and its deposit was not sent yet',
      advice: 'Wait until the status of the sale is "Deposit Sent", then refund it.',
    },
    {
      says: /\balready voided\b/i,
      what: 'This sale was voided already',
      advice: 'Nothing of it is left to refund.',
    },
  ],
  duplicate: sameRefund,
  lookUp:
    'Look in Report > Get Many Transactions for a record whose pg_id_linked is {pgIdOrig} and whose amount is {amt_tran}.',
});

const REST = 'What is left of the sale stands in Report > Get Many Transactions.';

/** Which of the three it was, only the service's words tell (docs/service.md#refunds). */
function refunded(rmsg: string, amount: string): string {
  if (/void/i.test(rmsg))
    return `Voided the whole sale of ${amount}, which was not settled yet: the customer is not charged. Nothing of it is left to refund.`;
  if (/reduc/i.test(rmsg))
    return `Reduced the sale by ${amount} before it was settled: the customer is charged that much less. ${REST}`;
  return `Refunded ${amount} to the customer. ${REST}`;
}
