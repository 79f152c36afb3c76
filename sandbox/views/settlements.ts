import { SERVICE_ZONE, toServiceDay, toTimestamp } from '../core/clock';
import { toAmount } from '../core/money';
import { MERCHANT_NAME } from './transactions';
import type { PlanTotals, Settlement } from '../state/records';

/** Arbitrary discount charged by the service, as a percentage of purchases. */
export const DISCOUNT_PERCENT = 2.5;

/** Adds up the totals of all card types. */
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

const monthOf = ({ batch_date }: Settlement): string =>
  `${toServiceDay(batch_date.setZone(SERVICE_ZONE).startOf('month'))}T00:00:00.000Z`;

/** Builds a statement settlement record (openapi.yaml#SettlementRecord). */
export function settlementView(settlement: Settlement) {
  const { purchaseCount, purchaseCents, returnCents, discountCents } = totalsOf(settlement);
  return {
    rec_id_linked: settlement.rec_id_linked,
    merchant_id: Number(settlement.merchant_id),
    billing_month: monthOf(settlement),
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

/** Builds a reserve entry of a statement (openapi.yaml#StatementReserveRecord). */
export function reserveView(settlement: Settlement) {
  const { heldCents, releasedCents, balanceCents } = settlement.reserve;
  return {
    rec_id_linked: settlement.rec_id_linked,
    merchant_id: Number(settlement.merchant_id),
    billing_month: monthOf(settlement),
    batch_date: toTimestamp(settlement.batch_date),
    amt_Reserve: toAmount(heldCents),
    amt_released_reserve: toAmount(releasedCents),
    amt_reserve_balance: toAmount(balanceCents),
  };
}

/** Builds a batch's deposit, net of discount and withheld reserve (openapi.yaml#DepositRecord). */
export function depositViews(settlement: Settlement) {
  const { merchant_id, reference_number, deposit, reserve } = settlement;
  if (!deposit) return [];
  const { purchaseCents, returnCents, discountCents } = totalsOf(settlement);
  const cents = purchaseCents - returnCents - discountCents - reserve.heldCents + reserve.releasedCents;
  return [
    {
      rec_id: deposit.rec_id,
      merchant_id: Number(merchant_id),
      dba_name: MERCHANT_NAME,
      reference_number: String(reference_number),
      amt_ach: toAmount(cents),
      ach_description: 'DEPOSIT',
      post_date_actual: toServiceDay(deposit.sent),
    },
  ];
}

/** Builds one record for each month and card type (openapi.yaml#StatementPlanRecord). */
export const planViews = (settlements: readonly Settlement[]) =>
  monthlyPlans(settlements).map(({ statement, totals }) => {
    const { plan_code, purchaseCount, purchaseCents, returnCount, returnCents, discountCents } = totals;
    return {
      ...statement,
      plan_code,
      cnt_purch: purchaseCount,
      amt_purch: toAmount(purchaseCents),
      cnt_return: returnCount,
      amt_return: toAmount(returnCents),
      amt_net: toAmount(purchaseCents - returnCents),
      amt_avg_ticket: toAmount(purchaseCount === 0 ? 0 : Math.round(purchaseCents / purchaseCount)),
      per_item: 0,
      rate: DISCOUNT_PERCENT,
      discount_due: toAmount(discountCents),
    };
  });

/** Builds one fee record for each month and card type (openapi.yaml#StatementFeeRecord). */
export const feeViews = (settlements: readonly Settlement[]) =>
  monthlyPlans(settlements).map(({ statement, totals: { plan_code, purchaseCount, discountCents } }) => {
    const amount = toAmount(discountCents);
    return {
      ...statement,
      fee_category: 'Discount',
      count: purchaseCount,
      amt_fees: amount,
      per_item: 0,
      rate: DISCOUNT_PERCENT,
      discount_due: amount,
      description: `Discount ${plan_code}`,
      fees_paid: amount,
      fees_total: amount,
    };
  });

function monthlyPlans(settlements: readonly Settlement[]) {
  const months = [...new Set(settlements.map(monthOf))];
  return months.flatMap((billing_month) => {
    const ofMonth = settlements.filter((settlement) => monthOf(settlement) === billing_month);
    const [{ rec_id_linked, merchant_id } = { rec_id_linked: 0, merchant_id: '' }] = ofMonth;
    const statement = { rec_id_linked, merchant_id: Number(merchant_id), billing_month };
    const all = ofMonth.flatMap(({ plans }) => plans);
    return [...new Set(all.map(({ plan_code }) => plan_code))].map((code) => {
      const totals = totalsOf({ plans: all.filter(({ plan_code }) => plan_code === code) });
      return { statement, totals: { plan_code: code, ...totals } };
    });
  });
}

/** Builds a batch report record (openapi.yaml#BatchRecord). */
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

/** Builds the `batch_info` of a batch close. The service doesn't document its fields. */
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
