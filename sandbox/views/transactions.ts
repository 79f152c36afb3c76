import { toDayStamp, toTimestamp } from '../core/clock';
import { toAmount } from '../core/money';
import { without } from '../core/without';
import type { SettledBatch, Transaction } from '../state/records';

export const MERCHANT_NAME = 'Sandbox Merchant';

/** Builds a gateway response (openapi.yaml#TransactionResult). */
export function transactionResult(transaction: Transaction) {
  const { customer_id, ...customer } = transaction.payer;
  return {
    pg_id: transaction.pg_id,
    rcode: transaction.rcode,
    rmsg: transaction.rmsg,
    status: transaction.tran_status === 'D' ? 'Declined' : 'Approved',
    auth_code: transaction.auth_code,
    card_id: transaction.card_id,
    card_number: transaction.source.masked,
    tran_time: toTimestamp(transaction.time),
    amt_tran: toAmount(transaction.tran_status === 'D' ? transaction.requestedCents : transaction.capturedCents),
    amt_tran_fee: 0,
    purchase_id: transaction.purchase_id,
    cvv2_result: 'M',
    avs_result: 'Y',
    duration: 0,
    http_status: transaction.tran_status === 'D' ? 402 : 200,
    merchant_id: Number(transaction.merchant_id),
    profile_id: transaction.profile_id,
    merch_ref_num: transaction.merch_ref_num,
    tran_currency: transaction.tran_currency,
    dba_name: MERCHANT_NAME,
    customer_id,
    customer,
    recurring: transaction.recurring,
  };
}

/** Builds a transaction report record (openapi.yaml#TransactionRequestRecord). */
export function transactionReport(transaction: Transaction) {
  const { payer, source } = transaction;
  return {
    rec_id: transaction.rec_id,
    qp_id: transaction.rec_id,
    merchant_id: Number(transaction.merchant_id),
    tran_time: toTimestamp(transaction.time),
    tran_date: toDayStamp(transaction.time),
    request_type: transaction.request_type,
    tran_status: transaction.tran_status,
    dispute_flag: transaction.isDisputed === true,
    amt_refunded: toAmount(transaction.refundedCents),
    pg_id: transaction.pg_id,
    pg_id_linked: transaction.pg_id_linked,
    amt_tran: toAmount(transaction.tran_status === 'D' ? transaction.requestedCents : transaction.capturedCents),
    tran_currency: transaction.tran_currency,
    purchase_id: transaction.purchase_id,
    cardholder_first_name: payer.customer_first_name,
    cardholder_last_name: payer.customer_last_name,
    card_number: source.masked,
    card_type: source.card_type,
    auth_code: transaction.auth_code,
    acq_reference_number: `R${transaction.rec_id}`,
    merch_ref_num: transaction.merch_ref_num,
    amt_convenience_fee: transaction.fees?.amt_convenience_fee ?? 0,
    amt_tran_fee: transaction.fees?.amt_tran_fee ?? 0,
    dba_name: MERCHANT_NAME,
    amt_funded: toAmount(transaction.tran_status === 'P' ? transaction.capturedCents - transaction.refundedCents : 0),
    funded_currency: transaction.tran_currency,
    rcode: transaction.rcode,
    auth_avs_result: 'Y',
    auth_cvv2_result: 'M',
    auth_tran_id: `A${transaction.rec_id}`,
  };
}

/** Fields that only the transaction report contains. */
const REPORT_ALONE = [
  'amt_convenience_fee',
  'amt_tran_fee',
  'auth_avs_result',
  'auth_cvv2_result',
  'auth_tran_id',
] as const;

/** Builds the response to a lookup by pg_id (openapi.yaml#Transaction). */
export function transactionView(transaction: Transaction) {
  const report = transactionReport(transaction);
  const { customer_id } = transaction.payer;
  return {
    ...without(report, 'rec_id', 'qp_id', 'request_type', 'pg_id_linked', 'acq_reference_number', ...REPORT_ALONE),
    customer_id,
    subscription_id: transaction.subscription_id === undefined ? undefined : String(transaction.subscription_id),
  };
}

export function settledReport(transaction: Transaction, { rec_id, reference_number, closed, cents }: SettledBatch) {
  const report = transactionReport(transaction);
  return {
    rec_id,
    merchant_id: report.merchant_id,
    batch_date: toTimestamp(closed),
    dba_name: MERCHANT_NAME,
    merch_city_ph: 'Springfield',
    merch_state: 'OR',
    merch_zip: '97477',
    merch_country: '840',
    batch_number: reference_number % 1000,
    batch_id: reference_number,
    card_number: report.card_number,
    card_type: report.card_type,
    auth_date: report.tran_date,
    tran_date: report.tran_date,
    settle_date: toDayStamp(closed),
    amt_auth: toAmount(transaction.requestedCents),
    amt_tran: toAmount(cents),
    tran_currency: report.tran_currency,
    reference_number: String(reference_number),
    purchase_id: report.purchase_id,
    auth_code: report.auth_code,
    moto_ecomm_ind: '7',
    pos_entry_mode: '010',
    amt_funded: toAmount(transaction.tran_status === 'P' ? cents : 0),
    funded_currency: report.funded_currency,
    pg_id: report.pg_id,
    merch_ref_num: report.merch_ref_num,
    acq_reference_number: report.acq_reference_number,
    auth_rrn: String(transaction.rec_id).padStart(12, '0'),
    auth_tran_id: report.auth_tran_id,
  };
}
