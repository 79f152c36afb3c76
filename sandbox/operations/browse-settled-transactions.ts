import type { Handler } from '../calls/call';
import { reportAnswer } from '../views/report-answer';
import { settledReport } from '../views/transactions';

/** Reports the transactions of closed batches, latest batch first. */
export const browseSettledTransactions: Handler<'browseSettledTransactions'> = (call) => {
  const { environment } = call;
  const records = [...environment.transactions.values()]
    .filter((transaction) => transaction.merchant_id === environment.credentials.merchantId)
    .flatMap((transaction) => (transaction.batch ? [settledReport(transaction, transaction.batch)] : []));
  return reportAnswer(records, call, 'batch_date');
};
