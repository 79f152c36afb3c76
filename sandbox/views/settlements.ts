import { toDayStamp, toTimestamp } from '../core/clock';
import { toAmount } from '../core/money';
import type { Settlement } from '../state/records';

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
