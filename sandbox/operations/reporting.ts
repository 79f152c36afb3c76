import type { Handlers } from '../calls/described';
import { success } from '../core/envelopes';
import { noSuchResource } from '../core/refusals';
import { transactionView } from '../views/transactions';

export const reportingHandlers = {
  getTransactionByPgId: ({ environment, path }) => {
    const transaction = environment.transactions.get(path.pg_id);
    if (!transaction || !environment.serves(transaction.merchant_id)) throw noSuchResource('Transaction');
    return success(transactionView(transaction));
  },
} satisfies Partial<Handlers>;
