import type { Handler } from '../calls/call';
import { listPage } from '../core/lists';
import { reportAnswer } from '../views/report-answer';
import { settledReport } from '../views/transactions';

/** Returns the transactions of closed batches (openapi.yaml#browseSettledTransactions), latest batch first. */
export const browseSettledTransactions: Handler<'browseSettledTransactions'> = ({
  environment,
  query,
  recordFields,
}) => {
  const records = [...environment.transactions.values()]
    .filter((transaction) => transaction.merchant_id === environment.credentials.merchantId)
    .flatMap((transaction) => (transaction.batch ? [settledReport(transaction, transaction.batch)] : []));
  return reportAnswer(
    listPage(records, query ?? {}, { fields: recordFields, order_on: 'batch_date', order_by: 'desc' }),
  );
};
