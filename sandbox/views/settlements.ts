import { toDayStamp, toTimestamp } from '../core/clock';
import { toAmount } from '../core/money';
import type { Settlement, Transaction } from '../state/records';

/** Builds a statement settlement record (openapi.yaml#SettlementRecord). */
export function settlementView(settlement: Settlement) {
  const { purchaseCents, returnCents, discountCents } = settlement;
  return {
    rec_id_linked: settlement.rec_id_linked,
    merchant_id: Number(settlement.merchant_id),
    billing_month: toDayStamp(settlement.batch_date.startOf('month')),
    batch_date: toTimestamp(settlement.batch_date),
    reference_number: settlement.reference_number,
    cnt_purch: settlement.purchaseCount,
    amt_purch: toAmount(purchaseCents),
    amt_return: toAmount(returnCents),
    discount_paid: toAmount(discountCents),
    amt_net: toAmount(purchaseCents - returnCents - discountCents),
    source_id: settlement.source_id,
  };
}

/**
 * Builds the summary of a batch that was just closed. The reference doesn't describe it, so it has the fields of the batch
 * report, whose amounts and counts are text.
 */
export function batchInfo(settlement: Settlement, closed: readonly Transaction[], currency: string) {
  const { purchaseCents, returnCents } = settlement;
  const amount = (cents: number) => toAmount(cents).toFixed(2);
  const returns = closed.filter(({ request_type: type }) => type === 'refund').length;
  return {
    batch_id: settlement.reference_number,
    merchant_id: Number(settlement.merchant_id),
    tran_currency: currency,
    batch_number: settlement.reference_number % 1000,
    batch_date: toTimestamp(settlement.batch_date),
    amt_total: amount(purchaseCents - returnCents),
    cnt_total: String(closed.length),
    amt_purch: amount(purchaseCents),
    cnt_purch: String(settlement.purchaseCount),
    amt_return: amount(returnCents),
    cnt_return: String(returns),
  };
}
