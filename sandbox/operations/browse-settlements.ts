import type { Handler } from '../calls/call';
import { listPage } from '../core/lists';
import { reportAnswer } from '../views/report-answer';
import { settlementView } from '../views/settlements';

/** Returns the settlement report (openapi.yaml#browseSettlements) with one record per closed batch, latest first. */
export const browseSettlements: Handler<'browseSettlements'> = ({ environment, query, recordFields }) => {
  const records = environment.settlements
    .filter((settlement) => settlement.merchant_id === environment.credentials.merchantId)
    .map(settlementView);
  return reportAnswer(
    listPage(records, query ?? {}, { fields: recordFields, order_on: 'batch_date', order_by: 'desc' }),
  );
};
