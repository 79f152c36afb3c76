import { toDayStamp, toServiceDay, toTimestamp } from '../core/clock';
import { toAmount } from '../core/money';
import type { Dispute } from '../state/records';
import { MERCHANT_NAME } from './transactions';

const TEST_CARD = '411111xxxxxx1111';

/** Builds a dispute record (openapi.yaml#Dispute). */
export function disputeView(dispute: Dispute) {
  const { rec_id, sale, disputedCents } = dispute;
  return {
    rec_id,
    merchant_id: Number(dispute.merchant_id),
    incoming_date: toServiceDay(dispute.incoming),
    amt_tran: toAmount(sale?.capturedCents ?? disputedCents),
    amt_dispute: toAmount(disputedCents),
    reason_code: dispute.reason_code,
    reason_desc: dispute.reason_desc,
    data_type: dispute.data_type,
    cbr_workflow: 'A',
    status: dispute.status,
    date_status_change: toServiceDay(dispute.changed),
    card_number: sale?.source.masked ?? TEST_CARD,
    tran_date: toServiceDay(sale?.time ?? dispute.incoming.minus({ days: 30 })),
    reference_number: `R${sale?.rec_id ?? rec_id}`,
    cb_ref_num: `CB${rec_id}`,
    cb_ref_num_assoc: rec_id,
    purchase_id: sale?.purchase_id,
  };
}

/** Builds a dispute report record (openapi.yaml#DisputeReportRecord). */
export function disputeReport(dispute: Dispute) {
  const { sale } = dispute;
  const { rec_id, data_type, merchant_id, incoming_date, tran_date, amt_tran, amt_dispute, ...rest } =
    disputeView(dispute);
  return {
    rec_id,
    data_type,
    merchant_id,
    incoming_date,
    dba_name: MERCHANT_NAME,
    batch_id: sale?.batch?.reference_number,
    card_number: rest.card_number,
    card_type: sale?.source.card_type ?? 'VS',
    tran_date,
    amt_tran: amt_tran.toFixed(2),
    amt_dispute: amt_dispute.toFixed(2),
    tran_currency: sale?.tran_currency ?? '840',
    purchase_id: sale?.purchase_id,
    merch_ref_num: sale?.merch_ref_num,
    pg_id: sale?.pg_id,
    auth_code: sale?.auth_code,
    reason_code: dispute.reason_code,
    auth_avs_result: 'Y',
    auth_cvv2_result: 'M',
    date_status_change: rest.date_status_change,
  };
}

/** Builds a dispute's statement adjustment (openapi.yaml#StatementDisputeData). */
export const disputeAdjustment = ({ rec_id, merchant_id, incoming, disputedCents, sale }: Dispute) => ({
  rec_id_linked: rec_id,
  merchant_id: Number(merchant_id),
  billing_month: toDayStamp(incoming.startOf('month')),
  batch_date: toTimestamp(incoming),
  reference_number: rec_id,
  plan_type: sale?.source.card_type ?? 'VS',
  type_id: 'C',
  billable: 'Y',
  amt_purch: 0,
  amt_return: toAmount(disputedCents),
});
