import { gatewayFields } from '../../fields/common';
import { locator } from '../../fields/locator';
import { amount } from '../../fields/number';
import type { Operation } from '../../pipeline/types';
import { sameRefund } from './duplicates';

export const refund: Operation = {
  value: 'refund',
  name: 'Refund',
  action: 'Refund a transaction',
  description: 'Give back all or part of a captured transaction',
  request: {
    method: 'POST',
    path: '/pg/refund/{pgIdOrig}',
    family: 'gateway',
    effect: 'writesOnce',
    operationId: 'refund',
    merchant: { place: 'body', name: 'merchant_id' },
  },
  fields: [
    locator({
      name: 'pgIdOrig',
      label: 'Transaction',
      wording: false,
      description: 'The captured transaction to refund: pick it from the transaction report, or give its pg_id',
      search: 'searchSales',
      placeholder: 'e.g. 426351789012345678',
      place: 'path',
      required: true,
      maxLength: 32,
    }),
    amount({
      name: 'amt_tran',
      label: 'Amount',
      description:
        'Amount to give back, e.g. 12.50. All refunds of a transaction together may not exceed the captured amount.',
      hint: 'Refunding a Production transaction moves money at once.',
      required: true,
    }),
  ],
  additional: gatewayFields(),
  duplicate: sameRefund,
  lookUp:
    'Look in Report > Get Many Transactions for a record whose pg_id_linked is {pgIdOrig} and whose amount is {amt_tran}.',
};
