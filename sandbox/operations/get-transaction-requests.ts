import type { Handler } from '../calls/call';
import { reportAnswer } from '../views/report-answer';
import { transactionReport } from '../views/transactions';

/** Reports transactions, latest first (openapi.yaml#getTransactionRequests). */
export const getTransactionRequests: Handler<'getTransactionRequests'> = (call) => {
  const { environment } = call;
  const records = [...environment.transactions.values()]
    .filter((transaction) => transaction.merchant_id === environment.credentials.merchantId)
    .filter(({ time }) => environment.isListed(time))
    .map(transactionReport);
  return reportAnswer(records, call, 'tran_time');
};
