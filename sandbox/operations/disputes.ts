import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { listPage } from '../core/lists';
import {
  answerDispute,
  creditedTransactions,
  findDispute,
  nonDisputedTransactions,
  resetDispute as reset,
} from '../rules/disputes';
import { disputeAdjustment, disputeReport, disputeView } from '../views/disputes';
import { reportAnswer } from '../views/report-answer';
import { transactionView } from '../views/transactions';

const wholeList = (data: object[]) => ({
  ...success(data),
  totalPages: Math.min(data.length, 1),
  totalRecords: data.length,
});

/** Lists disputes, latest first (openapi.yaml#getDisputes). */
export const getDisputes: Handler<'getDisputes'> = ({ environment, query, recordFields }) => {
  const records = [...environment.disputes.values()].map(disputeView);
  const rules = { fields: recordFields, order_on: 'incoming_date', order_by: 'desc' } as const;
  return { code: 0, message: 'Success', ...listPage(records, query ?? {}, rules) };
};

export const acceptDispute: Handler<'acceptDispute'> = ({ environment, path }) => {
  answerDispute(environment, findDispute(environment, path.recId), 'accepted');
  return success({});
};

export const submitDisputesResponse: Handler<'submitDisputesResponse'> = ({ environment, path }) => {
  answerDispute(environment, findDispute(environment, path.recId), 'responded');
  return success({});
};

export const resetDispute: Handler<'resetDispute'> = ({ environment, path }) => {
  reset(environment, findDispute(environment, path.recId));
  return success({});
};

/** Lists the response to a dispute, if any. */
export const getDisputeResponse: Handler<'getDisputeResponse'> = ({ environment, path }) => {
  const dispute = findDispute(environment, path.recId);
  return wholeList(dispute.answer === undefined ? [] : [disputeReport(dispute)]);
};

export const getCreditedTran: Handler<'getCreditedTran'> = ({ environment, path }) =>
  wholeList(creditedTransactions(environment, findDispute(environment, path.recId)).map(transactionView));

export const getNonDisputedTran: Handler<'getNonDisputedTran'> = ({ environment, path }) =>
  wholeList(nonDisputedTransactions(environment, findDispute(environment, path.recId)).map(transactionView));

/** Reports disputes, latest first (openapi.yaml#browseDisputes). */
export const browseDisputes: Handler<'browseDisputes'> = (call) =>
  reportAnswer([...call.environment.disputes.values()].map(disputeReport), call, 'incoming_date');

export const browseStatementDisputeAdjustmentData: Handler<'browseStatementDisputeAdjustmentData'> = (call) =>
  reportAnswer([...call.environment.disputes.values()].map(disputeAdjustment), call, 'batch_date');
