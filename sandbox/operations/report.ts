import type { Call } from '../calls/call';
import type { Handlers } from '../calls/described';
import { without } from '../core/without';
import type { UpdaterRequest } from '../state/records';
import { disputeAdjustment, disputeReport } from '../views/disputes';
import { reportAnswer } from '../core/lists';
import { batchView, depositViews, feeViews, planViews, reserveView, settlementView } from '../views/settlements';
import { settledReport, transactionReport } from '../views/transactions';
import { updaterDetails, updaterSummary } from '../views/updater';

export const reportHandlers = {
  /** Reports transactions, latest first (openapi.yaml#getTransactionRequests). */
  getTransactionRequests: (call) => {
    const { environment } = call;
    const records = [...environment.transactions.values()]
      .filter((transaction) => transaction.merchant_id === environment.credentials.merchantId)
      .filter(({ time }) => environment.isListed(time))
      .map(transactionReport);
    return reportAnswer(records, call, 'tran_time');
  },

  /** Reports closed batches, latest first (openapi.yaml#browseBatches). */
  browseBatches: (call) => reportAnswer(call.environment.ownSettlements().map(batchView), call, 'batch_date'),

  /** Reports the transactions of closed batches, latest batch first. */
  browseSettledTransactions: (call) => {
    const { environment } = call;
    const records = [...environment.transactions.values()]
      .filter((transaction) => transaction.merchant_id === environment.credentials.merchantId)
      .flatMap((transaction) => (transaction.batch ? [settledReport(transaction, transaction.batch)] : []));
    return reportAnswer(records, call, 'batch_date');
  },

  /** Reports deposits to the bank account, latest first. */
  browseDeposits: (call) =>
    reportAnswer(call.environment.ownSettlements().flatMap(depositViews), call, 'post_date_actual'),

  /** Reports disputes, latest first (openapi.yaml#browseDisputes). */
  browseDisputes: (call) =>
    reportAnswer([...call.environment.disputes.values()].map(disputeReport), call, 'incoming_date'),

  browseStatementDisputeAdjustmentData: (call) =>
    reportAnswer([...call.environment.disputes.values()].map(disputeAdjustment), call, 'batch_date'),

  /** Reports the fees of each month, latest first. */
  browseStatementFees: (call) => reportAnswer(feeViews(call.environment.ownSettlements()), call, 'billing_month'),

  /** Reports the totals of each month and card type, latest first. */
  browseStatementPlans: (call) => reportAnswer(planViews(call.environment.ownSettlements()), call, 'billing_month'),

  /** Reports the reserve entry of each closed batch, latest first. */
  browseStatementReserve: (call) =>
    reportAnswer(call.environment.ownSettlements().map(reserveView), call, 'batch_date'),

  /** Reports one settlement for each closed batch, latest first. */
  browseSettlements: (call) => reportAnswer(call.environment.ownSettlements().map(settlementView), call, 'batch_date'),

  /** Reports the cards in account updater requests, latest first. */
  browseAusRequests: (call) => {
    const now = call.environment.clock.now();
    const records = listedIn(call).flatMap((request) => updaterDetails(request, now));
    return reportAnswer(records, call, 'request_date');
  },

  /** Reports account updater requests, latest first (openapi.yaml#browseAusSummary). */
  browseAusSummary: (call) => {
    const now = call.environment.clock.now();
    const records = listedIn(call).map((request) => without(updaterSummary(request, now), 'method', 'rejected_cards'));
    return reportAnswer(records, call, 'request_date');
  },
} satisfies Partial<Handlers>;

const listedIn = ({ environment }: Pick<Call, 'environment'>): UpdaterRequest[] =>
  [...environment.updaterRequests.values()].filter(({ requested }) => environment.isListed(requested));
