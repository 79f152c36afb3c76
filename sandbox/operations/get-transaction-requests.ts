import type { Handler } from '../calls/call';
import { listPage } from '../core/lists';
import { reportAnswer } from '../views/report-answer';
import { transactionReport } from '../views/transactions';

/** Returns the transaction report (openapi.yaml#getTransactionRequests), latest first. */
export const getTransactionRequests: Handler<'getTransactionRequests'> = ({ environment, query, recordFields }) => {
  const records = [...environment.transactions.values()]
    .filter((transaction) => transaction.merchant_id === environment.credentials.merchantId)
    .filter(({ time }) => environment.isListed(time))
    .map(transactionReport);
  return reportAnswer(
    listPage(records, query ?? {}, { fields: recordFields, order_on: 'tran_time', order_by: 'desc' }),
  );
};
