import { toDayStamp, toTimestamp } from '../core/clock';
import { toAmount } from '../core/money';
import type { PlanTotals, Settlement } from '../state/records';

/** Returns the sums of all card types of a batch. */
export const totalsOf = ({ plans }: Pick<Settlement, 'plans'>): Omit<PlanTotals, 'plan_code'> => {
  const sum = (name: keyof Omit<PlanTotals, 'plan_code'>) => plans.reduce((total, plan) => total + plan[name], 0);
  return {
    purchaseCount: sum('purchaseCount'),
    purchaseCents: sum('purchaseCents'),
    returnCount: sum('returnCount'),
    returnCents: sum('returnCents'),
    discountCents: sum('discountCents'),
  };
};

/** Builds a statement settlement record (openapi.yaml#SettlementRecord). */
export function settlementView(settlement: Settlement) {
  const { purchaseCount, purchaseCents, returnCents, discountCents } = totalsOf(settlement);
  return {
    rec_id_linked: settlement.rec_id_linked,
    merchant_id: Number(settlement.merchant_id),
    billing_month: toDayStamp(settlement.batch_date.startOf('month')),
    batch_date: toTimestamp(settlement.batch_date),
    reference_number: settlement.reference_number,
    cnt_purch: purchaseCount,
    amt_purch: toAmount(purchaseCents),
    amt_return: toAmount(returnCents),
    discount_paid: toAmount(discountCents),
    amt_net: toAmount(purchaseCents - returnCents - discountCents),
    source_id: settlement.source_id,
  };
}

/** Builds a record of the batch report (openapi.yaml#BatchRecord). */
export function batchView(settlement: Settlement) {
  const { purchaseCount, purchaseCents, returnCount, returnCents } = totalsOf(settlement);
  return {
    batch_id: settlement.reference_number,
    merchant_id: Number(settlement.merchant_id),
    tran_currency: settlement.tran_currency,
    batch_number: settlement.reference_number % 1000,
    batch_date: toTimestamp(settlement.batch_date),
    amt_total: toAmount(purchaseCents - returnCents),
    cnt_total: purchaseCount + returnCount,
    amt_purch: toAmount(purchaseCents),
    cnt_purch: purchaseCount,
    amt_return: toAmount(returnCents),
    cnt_return: returnCount,
  };
}

/**
 * Builds the summary of a batch that was just closed. The reference doesn't describe it, so it has the fields of the
 * batch report. Amounts and counts are text, as in the reference.
 */
export function batchInfo(settlement: Settlement) {
  const { amt_total, amt_purch, amt_return, cnt_total, cnt_purch, cnt_return, ...batch } = batchView(settlement);
  return {
    ...batch,
    amt_total: amt_total.toFixed(2),
    cnt_total: String(cnt_total),
    amt_purch: amt_purch.toFixed(2),
    cnt_purch: String(cnt_purch),
    amt_return: amt_return.toFixed(2),
    cnt_return: String(cnt_return),
  };
}
