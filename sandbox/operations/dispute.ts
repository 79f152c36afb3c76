import type { Handlers } from '../calls/described';
import { success } from '../core/envelopes';
import { listAnswer, wholeList } from '../core/lists';
import { invalidFields, PlatformRefusal } from '../core/refusals';
import {
  answerDispute,
  creditedTransactions,
  disputableSale,
  findDispute,
  nonDisputedTransactions,
  openDispute,
  resetDispute as reset,
} from '../rules/disputes';
import { platformMerchant } from '../rules/merchants';
import type { Environment } from '../state/environment';
import type { Dispute } from '../state/records';
import { disputeReport, disputeView } from '../views/disputes';
import { transactionView } from '../views/transactions';

const REASONS: Readonly<Record<string, string>> = {
  '10.4': 'Other Fraud - Card Absent Environment',
  '11.3': 'No Authorization',
  '12.5': 'Incorrect Amount',
  '13.1': 'Merchandise or Services Not Received',
  '13.3': 'Not as Described or Defective',
  '13.7': 'Canceled Merchandise or Services',
};
const DISPUTED_CENTS = 4_999;

export const disputeHandlers = {
  /** Creates a test dispute for a reason code, or one for each known code by default (service.md#disputes). */
  createDispute: ({ environment, path, query }) => {
    if (environment.name === 'production')
      throw new PlatformRefusal(6, 'Test data can be created in the test environment only', 403);
    const merchantId = platformMerchant(environment, path.merchantId);
    const asked = query?.reasonCode;
    if (asked !== undefined && !(asked in REASONS))
      throw invalidFields({ reasonCode: `must be one of ${Object.keys(REASONS).join(', ')}` });
    const reasons = asked === undefined ? Object.keys(REASONS) : [asked];
    const disputes = reasons.map((reason_code) =>
      openDispute(environment, newDispute(environment, merchantId, reason_code)),
    );
    return success(disputes.map(disputeView));
  },

  /** Lists disputes, latest first (openapi.yaml#getDisputes). */
  getDisputes: (call) => listAnswer([...call.environment.disputes.values()].map(disputeView), call, 'incoming_date'),

  acceptDispute: ({ environment, path }) => {
    answerDispute(environment, findDispute(environment, path.recId), 'accepted');
    return success({});
  },

  getCreditedTran: ({ environment, path }) =>
    wholeList(creditedTransactions(environment, findDispute(environment, path.recId)).map(transactionView)),

  getNonDisputedTran: ({ environment, path }) =>
    wholeList(nonDisputedTransactions(environment, findDispute(environment, path.recId)).map(transactionView)),

  resetDispute: ({ environment, path }) => {
    reset(environment, findDispute(environment, path.recId));
    return success({});
  },

  submitDisputesResponse: ({ environment, path }) => {
    answerDispute(environment, findDispute(environment, path.recId), 'responded');
    return success({});
  },

  /** Lists the response to a dispute, if any. */
  getDisputeResponse: ({ environment, path }) => {
    const dispute = findDispute(environment, path.recId);
    return wholeList(dispute.answer === undefined ? [] : [disputeReport(dispute)]);
  },
} satisfies Partial<Handlers>;

function newDispute(environment: Environment, merchant_id: string, reason_code: string): Dispute {
  const sale = disputableSale(environment, merchant_id);
  const incoming = environment.clock.now();
  return {
    rec_id: environment.ids.nextNumber('dispute', 11_001),
    merchant_id,
    incoming,
    changed: incoming,
    disputedCents: sale?.capturedCents ?? DISPUTED_CENTS,
    reason_code,
    reason_desc: REASONS[reason_code] ?? '',
    data_type: 'C',
    status: 'N',
    ...(sale && { sale }),
  };
}
